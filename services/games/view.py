"""What is shown of a match: the table, and what a seat may do. The codec then opens it for one viewer."""

from collections import Counter

from msgspec.structs import replace

from schemas.actions import Action
from schemas.cards import Seat
from schemas.sealed import Hidden
from schemas.views import Legal, Table
from services.games.game import DONE, Refused
from services.games.match import Match, asked, has_begun, is_over, may_manage, phase, provable, standing
from services.games.shared.rules import NOTHING

_OWN = {"bytes": 32}
_SHOW_ENTROPY = {"type": "show_entropy", "entropy": _OWN}
_COMMIT_ENTROPY = {"type": "commit_entropy", "commitment": _OWN}
_LEAVE = {"type": "leave"}

_TO_LEAVE = Legal(also=(_LEAVE,))
_TO_RETURN_OR_LEAVE = Legal(also=({"type": "manage", "on": False}, _LEAVE))
_TO_MANAGE_OR_LEAVE = Legal(also=({"type": "manage", "on": {"of": [True, False]}}, _LEAVE))

LONG = 200
"""More choices than this are told by their number alone, and asked for a page at a time; so long is a page."""


def legal(match: Match, seat: Seat) -> Legal:
    """What the seat may do now, apart from the house's and the services' verbs."""
    holder, now = match.holders[seat], standing(match)
    if holder.left or now.due == "none":
        return NOTHING
    if not has_begun(match):
        if not holder.key:
            return NOTHING
        answer = _SHOW_ENTROPY if holder.commitment else _COMMIT_ENTROPY
        return Legal(also=(answer, _LEAVE)) if seat in now.asked else _TO_LEAVE
    if now.phase == DONE:
        return _TO_LEAVE
    inner: Legal = match.game.legal(match.play, seat)
    besides = _besides(match, seat)
    return besides if inner is NOTHING else replace(inner, also=inner.also + besides.also)


def _besides(match: Match, seat: Seat) -> Legal:
    if may_manage(match, seat, on=True):
        return _TO_MANAGE_OR_LEAVE
    return _TO_RETURN_OR_LEAVE if may_manage(match, seat, on=False) else _TO_LEAVE


def legal_of_house(match: Match) -> Legal:
    """What the house may decide where it is due."""
    inner: Legal = match.game.legal(match.play, None)
    return inner


def brief(listed: Legal) -> Legal:
    """What a frame carries of it: of a long list how many choices there are of each kind."""
    if len(listed.choices) <= LONG:
        return listed
    kinds = Counter(map(_kind, listed.choices))
    return replace(listed, choices=(), facts=(), count=len(listed.choices), kinds=dict(kinds))


def page(listed: Legal, kind: str, after: int) -> Legal:
    """The choices of one kind from number `after` on, as many as a page holds; `count` is how many there are."""
    choices = [choice for choice in listed.choices if _kind(choice) == kind]
    return Legal(choices=tuple(choices[after : after + LONG]), count=len(choices))


def readings(match: Match, seat: Seat, action: Action) -> Legal:
    """What an action may be sent as: itself where it leaves nothing open, else with each kind that it can be."""
    kinds = {choice["as"]: None for choice in legal(match, seat).choices if "as" in choice and "as" not in action}
    sent: list[Action] = [{**action, "as": kind} for kind in kinds]
    return Legal(choices=tuple(each for each in sent or [action] if _is_accepted(match, seat, each)))


def _kind(choice: Action) -> str:
    return str(choice.get("as", choice["type"]))


def _is_accepted(match: Match, seat: Seat, action: Action) -> bool:
    if seat not in asked(match) or not has_begun(match):
        return False
    try:
        match.game.act(match.play, seat, action, False)  # noqa: FBT003 - as Game has it
    except Refused:
        return False
    return True


def table(match: Match) -> Table:
    """The lay-out of the match, hidden where it is."""
    inner: Table = match.game.table(match.play)
    given = not provable(match)
    places = tuple(
        [
            replace(place, joined=given or holder.key != b"", managed=holder.managed, bank=time.bank)
            for place, holder, time in zip(inner.places, match.holders, match.times, strict=True)
        ]
    )
    shown = replace(inner, places=places, over=is_over(match), closed=match.closed)
    if has_begun(match) and not match.closed:
        return shown
    turn = Hidden(asked(match), audience="everybody")
    if has_begun(match):
        return replace(shown, turn=turn)
    return replace(shown, phase=phase(match), turn=turn)
