"""Every decision of a match, outer and inner: a pure function from the match to a draft of the next commit.

The services decide with these functions, and the audit decides again with the same.
"""

import base64
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.actions import Action, CommitEntropy, Join, Leave, Manage, Open, ShowEntropy, Timeout, Void
from schemas.cards import Cards, Seat
from schemas.clock import LONGEST, Clock
from schemas.digest import digest
from schemas.events import (
    DealerCommitted,
    EntropyCommitted,
    EntropyShown,
    Events,
    HandRevealed,
    MatchClosed,
    MatchOpened,
    SeatJoined,
    SeatLeft,
    SeatLost,
    SeatManaged,
    ShareUsed,
)
from schemas.log import Actor, Commit, Role
from schemas.refusals import Code
from schemas.sealed import Sealed
from services.games import GAMES
from services.games.game import DONE, Game, Refused
from services.games.match import Match, apply, asked, due, has_begun, is_over, managed, may_manage, phase
from services.games.shuffle import entropy_commitment, seed_of, shuffle

V = TypeVar("V", bound=Struct)

Share = Callable[[int], bytes]
"""The dealer's share of a deal; share 0 is the root of the chain."""

MISSES = 2
"""So many answers in a row that do not come, and the referee plays for the seat."""

FREED = 100
"""So many seats lost or left before the match has begun, and it is closed: it could go on like that for ever."""


class Draft(Struct, frozen=True, kw_only=True):
    """A decision: what a commit says apart from where in the log it stands.

    Attributes:
        sealed: the action is open to its seat alone.
        veiled: so is which seat acted.
    """

    by: Role
    events: Events
    seat: Seat | None = None
    action: Action | None = None
    sealed: bool = False
    veiled: bool = False
    auto: bool = False


def commit_of(draft: Draft, *, match: str, index: int, at: int, cause: bytes, prev: bytes) -> Commit:
    """The draft as the commit at a place in a log."""
    action = None if draft.action is None else dict(draft.action)
    audience = () if draft.seat is None else (draft.seat,)
    return Commit(
        match=match,
        index=index,
        by=draft.by,
        at=at,
        cause=cause,
        prev=prev,
        events=draft.events,
        seat=None if draft.veiled else draft.seat,
        sealed_actor=_sealed_actor(draft),
        action=None if draft.sealed else action,
        sealed_action=Sealed("action", action or {}, audience=audience) if draft.sealed else None,
        auto=draft.auto and not draft.veiled,
    )


def _sealed_actor(draft: Draft) -> Sealed[Actor] | None:
    if not draft.veiled or draft.seat is None:
        return None
    return Sealed("actor", Actor(draft.seat, draft.auto), audience=(draft.seat,))


def match_id(key: bytes, command: str) -> str:
    """26 characters of base32, from the opener's public part and his command id: a retry names the same match."""
    return base64.b32encode(digest("fairdeal/match", key, command)).decode()[:26]


def cause_of(sender: bytes | Role, occasion: str | int) -> bytes:
    """16 bytes that name what brings a commit about: a command of who holds a token, or the index that made a role due.

    A sender is the public part of the token, so that nobody is answered for another's command.
    """
    return digest("fairdeal/cause", sender, occasion)[:16]


# --- the referee -------------------------------------------------------------------------------------------------


def open_match(action: Action, *, house: bytes = b"") -> Draft:
    """Open a match; `house` is SHA-256 of the house's token. Raises Refused: bad_action, no_such_game, bad_option."""
    wish = _read(action, Open)
    if wish.game not in GAMES:
        raise Refused(Code.NO_SUCH_GAME, f"the games are {', '.join(GAMES)}")
    game = GAMES[wish.game]
    options = game.open(wish.options, wish.seats)
    opened = MatchOpened(
        game=game.name,
        rules=game.version,
        options=msgspec.msgpack.decode(msgspec.msgpack.encode(options)),
        seats=wish.seats,
        reveal=game.reveal,
        deal="protocol",
        key=wish.key,
        clock=_clock(game, wish.clock),
        house=house,
    )
    return Draft(by="referee", events=(opened,), action=action)


def _clock(game: Game[Any, Any], wish: Clock) -> Clock:
    """The clock with the seconds of every phase. Raises Refused: bad_option."""
    limits = {"join": wish.join, "entropy": wish.entropy, "grace": wish.grace}
    seconds = {"turn": wish.turn, "bank": wish.bank, **wish.phases, **limits}
    for name, value in seconds.items():
        least = int(name in limits)
        if not least <= value <= LONGEST:
            raise Refused(Code.BAD_OPTION, f"clock: {name} is {least} to {LONGEST} seconds")
    if strange := wish.phases.keys() - game.seconds.keys():
        raise Refused(Code.BAD_OPTION, f"clock: no phase of its own time: {', '.join(sorted(strange))}")
    return replace(wish, phases={**game.seconds, **wish.phases})


def join(match: Match, action: Action) -> Draft:
    """Take a seat. Raises Refused: bad_action, not_ready, seat_taken, match_full, not_allowed (no such seat)."""
    wish = _read(action, Join)
    if match.closed:
        raise Refused(Code.HAND_OVER, "the match is over")
    if not match.root:
        raise Refused(Code.NOT_READY, "the dealer has not committed to his shares yet; try again")
    if any(holder.key == wish.key for holder in match.holders):
        raise Refused(Code.SEAT_TAKEN, "this key holds a seat already")
    free = [seat for seat, holder in enumerate(match.holders) if not holder.key]
    if not free:
        raise Refused(Code.MATCH_FULL)
    seat = free[0] if wish.seat is None else wish.seat
    if seat >= len(match.holders):
        raise Refused(Code.NOT_ALLOWED, f"the seats are 0 to {len(match.holders) - 1}")
    if seat not in free:
        raise Refused(Code.SEAT_TAKEN)
    event = SeatJoined(seat=seat, key=wish.key, commitment=wish.commitment)
    return Draft(by="referee", events=(event,), seat=seat, action=action)


def act(match: Match, seat: Seat | None, action: object, *, auto: bool = False) -> Draft:
    """What an action of a seat, or of the house (None), does. Raises Refused in the order of the game's rules."""
    if not isinstance(action, Mapping):
        raise Refused(Code.BAD_ACTION, "an action is a map with a type")
    action = cast(Action, action)
    verb = action.get("type")
    if match.closed:
        raise Refused(Code.HAND_OVER, "the match is over")
    if seat is not None and verb != "timeout" and _has_left(match, seat):
        raise Refused(Code.NOT_ALLOWED, "the seat was left")
    match verb:
        case "commit_entropy":
            return _commit_entropy(match, seat, action)
        case "show_entropy":
            return _show_entropy(match, seat, action)
        case "manage":
            return _manage(match, seat, action)
        case "leave":
            return _leave(match, seat, action)
        case "void":
            return _void(match, seat, action)
        case "timeout":
            return _time_out(match, seat, action)
        case _:
            return _play(match, seat, action, auto=auto)


def play_managed(match: Match) -> Draft:
    """What the referee does when he is due: he plays for the first managed seat that is waited for."""
    return _time_out(match, managed(match)[0], {"type": "timeout"})


def _play(match: Match, seat: Seat | None, action: Action, *, auto: bool) -> Draft:
    events = match.game.act(match.play, seat, action, auto)
    sealed = match.game.seals(match.play, seat, action)
    veiled = match.game.veils(match.play)
    return Draft(by="referee", events=events, seat=seat, action=action, sealed=sealed, veiled=veiled, auto=auto)


def _commit_entropy(match: Match, seat: Seat | None, action: Action) -> Draft:
    wish = _read(action, CommitEntropy)
    seat = _held(match, seat)
    if match.holders[seat].commitment:
        raise Refused(Code.ALREADY_DECIDED)
    event = EntropyCommitted(seat=seat, commitment=wish.commitment)
    return Draft(by="referee", events=(event,), seat=seat, action=action)


def _show_entropy(match: Match, seat: Seat | None, action: Action) -> Draft:
    wish = _read(action, ShowEntropy)
    seat = _seat(match, seat)
    holder = match.holders[seat]
    if holder.entropy:
        raise Refused(Code.ALREADY_DECIDED)
    if not all(other.commitment for other in match.holders):
        raise Refused(Code.WRONG_PHASE, "entropy is shown when every seat has committed to its own")
    if entropy_commitment(match.id, holder.key, wish.entropy) != holder.commitment:
        raise Refused(Code.BAD_ENTROPY)
    event = EntropyShown(seat=seat, entropy=wish.entropy)
    return Draft(by="referee", events=(event,), seat=seat, action=action)


def _manage(match: Match, seat: Seat | None, action: Action) -> Draft:
    wish = _read(action, Manage)
    seat = _seat(match, seat)
    if match.game.phase(match.play) == DONE:
        raise Refused(Code.HAND_OVER)
    if not may_manage(match, seat, on=wish.on):
        raise Refused(Code.ALREADY_DECIDED, "no more of this before the seat has answered again")
    return Draft(by="referee", events=(SeatManaged(seat=seat, on=wish.on),), seat=seat, action=action)


def _has_left(match: Match, seat: Seat) -> bool:
    return 0 <= seat < len(match.holders) and match.holders[seat].left


def _leave(match: Match, seat: Seat | None, action: Action) -> Draft:
    _read(action, Leave)
    seat = _held(match, seat)
    if is_over(match):
        raise Refused(Code.HAND_OVER)
    if not has_begun(match):
        return Draft(by="referee", events=_freeing(match, SeatLeft(seat=seat, free=True)), seat=seat, action=action)
    events: Events = (SeatLeft(seat=seat, free=False),)
    if all(holder.left for other, holder in enumerate(match.holders) if other != seat):
        events = (*events, *_closing(match, MatchClosed(reason="abandoned")))
    return Draft(by="referee", events=events, seat=seat, action=action)


def _freeing(match: Match, freed: SeatLeft | SeatLost) -> Events:
    """A seat is free again before the match has begun; once too often, and the match counts as one nobody fills."""
    return (freed, MatchClosed(reason="unfilled")) if match.freed + 1 >= FREED else (freed,)


def _void(match: Match, seat: Seat | None, action: Action) -> Draft:
    if seat is not None:
        raise Refused(Code.NOT_ALLOWED, "this is the house's action")
    wish = _read(action, Void)
    if is_over(match):
        raise Refused(Code.HAND_OVER)
    return Draft(by="referee", events=_closing(match, MatchClosed(reason="void", note=wish.reason)), action=action)


def _closing(match: Match, closed: MatchClosed) -> Events:
    """What ends a match before its game does. As at a game's end, its secrets are shown, unless they never are:

    nobody plays on, and no deal that was stopped in the middle escapes the check of the players.
    """
    if match.opened.reveal == "never":
        return (closed,)
    return closed, HandRevealed(first=match.revealed + 1, last=match.index)


def _time_out(match: Match, seat: Seat | None, action: Action) -> Draft:
    """What happens where an answer does not come.

    Who does not commit to his entropy, or show it, loses the seat; a match that is not filled is closed; in play the
    game's time-out is played, and the second in a row makes the seat managed.
    """
    _read(action, Timeout)
    if seat is not None:
        _seat(match, seat)
    if seat is None and due(match) == "open":
        closed = MatchClosed(reason="unfilled")
        return Draft(by="referee", events=(closed,), action=action, auto=True)
    if not has_begun(match):
        if seat is None or seat not in asked(match):
            raise Refused(Code.NOT_YOUR_TURN)
        events = _freeing(match, SeatLost(seat=seat))
        return Draft(by="referee", events=events, seat=seat, action=action, auto=True)
    if phase(match) == DONE:
        raise Refused(Code.HAND_OVER)
    if (seat is not None or asked(match)) and seat not in asked(match):
        raise Refused(Code.NOT_YOUR_TURN)
    draft = _play(match, seat, match.game.timeout(match.play, seat), auto=True)
    if seat is None or draft.veiled or match.holders[seat].managed or match.times[seat].misses + 1 < MISSES:
        return draft
    return replace(draft, events=(*draft.events, SeatManaged(seat=seat, on=True)))


def _seat(match: Match, seat: Seat | None) -> Seat:
    if seat is None or not 0 <= seat < len(match.holders):
        raise Refused(Code.NOT_ALLOWED)
    return seat


def _held(match: Match, seat: Seat | None) -> Seat:
    seat = _seat(match, seat)
    if not match.holders[seat].key and not has_begun(match):
        raise Refused(Code.NOT_ALLOWED, "nobody holds the seat")
    return seat


def _read(action: Action, kind: type[V]) -> V:
    try:
        return msgspec.convert(action, kind)
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_ACTION, str(error)) from None


# --- dealer and scorer -------------------------------------------------------------------------------------------


def deal(match: Match, share: Share, key_id: str) -> Draft:
    """What the dealer does when he is due: he commits to his shares, or deals; they and the entropy fix the order."""
    if not match.root:
        return Draft(by="dealer", events=(DealerCommitted(root=share(0), key_id=key_id),))
    number = match.deals + 1
    used: list[ShareUsed] = []

    def shuffled(deck: Cards) -> Cards:
        part = share(number)
        used.append(ShareUsed(deal=number, share=Sealed("share", part)))
        return shuffle(deck, seed_of(part, [holder.entropy for holder in match.holders], number))

    events = match.game.deal(match.play, shuffled)
    return Draft(by="dealer", events=(*used, *events))


def score(match: Match) -> Draft:
    """What the scorer does when he is due: the score, and what may now be seen by all."""
    events = match.game.score(match.play)
    after = apply(match, events)
    if match.opened.reveal == "hand" or (match.opened.reveal == "match" and is_over(after)):
        events = (*events, HandRevealed(first=match.revealed + 1, last=match.index))
    return Draft(by="scorer", events=events)
