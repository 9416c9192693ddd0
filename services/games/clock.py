"""When a match cannot wait any longer, and what the referee then does: pure functions of the match and the time.

All times are in milliseconds, as commits have them. Time counts from the commit that asked, whatever was down since.
"""

from schemas.cards import Seat
from schemas.log import role_due
from schemas.refusals import Code
from services.games.decide import Draft, act
from services.games.game import Refused
from services.games.match import Match, asked, due, has_begun, turn_time

OVERDUE = 30_000
"""How long a role may be due before its token counts as lost."""

DAY = 86_400_000


def deadline(match: Match) -> int | None:
    """From when on somebody waits in vain; None where all may take as long as they like, or the match is over."""
    clock = match.opened.clock
    match due(match):
        case "none":
            return None
        case "dealer" | "scorer" | "referee":
            # Doubled with every token that was sent in vain, lest a role that is down for long fill the log.
            return match.at + max(OVERDUE, match.at - match.waits)
        case "house":
            return match.waits + 1000 * clock.grace if _may_end_phase(match) else None
        case "open":
            return min([match.waits + 1000 * clock.join, *_limits(match)])
        case _:
            return min(_limits(match), default=None)


def seat_deadline(match: Match, seat: Seat) -> int | None:
    """Until when a seat that is waited for may answer; None: as long as it likes, or the referee plays for it."""
    time = match.times[seat]
    if not has_begun(match):
        return time.asked + 1000 * match.opened.clock.entropy
    allowed, managed = turn_time(match), match.holders[seat].managed
    if match.game.veils(match.play):  # neither a bank nor the referee's haste may tell who is asked
        some = any(holder.managed for holder in match.holders)
        allowed = 1000 * match.opened.clock.grace if allowed is None and some else allowed
        return None if allowed is None else time.asked + allowed
    return None if allowed is None or managed else time.asked + allowed + time.bank


def wake(match: Match, now: int) -> Draft | None:
    """What the referee does where a deadline is past; None where none is. To be asked again after each commit."""
    limit = deadline(match)
    if limit is None or now < limit:
        return None
    if role_due(due(match)) != "referee" or due(match) == "referee":
        return remind(match)
    late = [seat for seat in asked(match) if (limit := seat_deadline(match, seat)) is not None and limit <= now]
    return act(match, late[0] if late else None, {"type": "timeout"})


def remind(match: Match) -> Draft:
    """A commit without events: its message is a new token for the role that is due. Raises Refused: wrong_phase."""
    if due(match) not in ("dealer", "scorer", "referee"):
        raise Refused(Code.WRONG_PHASE, "no role is due")
    return Draft(by="referee", events=())


def look(match: Match, now: int) -> int | None:
    """When the log must be looked at next, at the latest; None where the match is over.

    Dealer and scorer set no timer. So while they are due, one must look before anything that they begin can end.
    """
    match due(match):
        case "none":
            return None
        case "dealer" | "scorer":
            latest = now + _shortest(match)
        case _:
            latest = now + DAY
    limit = deadline(match)
    return latest if limit is None else min(latest, limit)


def _limits(match: Match) -> list[int]:
    return [limit for seat in asked(match) if (limit := seat_deadline(match, seat)) is not None]


def _may_end_phase(match: Match) -> bool:
    """Whether the game goes on by itself where the house does nothing."""
    try:
        match.game.timeout(match.play, None)
    except Refused:
        return False
    return True


def _shortest(match: Match) -> int:
    clock = match.opened.clock
    seconds = (clock.turn, clock.grace, clock.join, *clock.phases.values())
    return min(OVERDUE, *(1000 * each for each in seconds if each))
