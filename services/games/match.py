"""A match around its game: who holds the seats, their entropy, the dealer's shares, their time, who is due."""

import hashlib
import hmac
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import Seat
from schemas.events import (
    OUTER_EVENTS,
    DealerCommitted,
    EntropyCommitted,
    EntropyShown,
    Event,
    HandRevealed,
    MatchClosed,
    MatchOpened,
    SeatJoined,
    SeatLeft,
    SeatLost,
    SeatManaged,
    ShareUsed,
)
from schemas.log import Commit, Due, acting
from services.games import GAMES
from services.games.game import Game
from services.games.shared.total import opened


class Holder(Struct, frozen=True):
    """Who holds a seat: the public part of his token, his entropy first committed and then shown.

    Attributes:
        managed: the referee plays for the seat.
        left: and does so to the end, since its player has left.
        inherited: somebody held the seat before, who may still listen where its frames are published.
    """

    key: bytes = b""
    commitment: bytes = b""
    entropy: bytes = b""
    managed: bool = False
    left: bool = False
    inherited: bool = False


FREE = Holder()


class Time(Struct, frozen=True, kw_only=True):
    """The time of a seat, in milliseconds as commits have it.

    Attributes:
        asked: when it was last asked.
        bank: what it may still use beyond the time of its turns.
        misses: how many of its answers have failed to come, in a row.
    """

    asked: int = 0
    bank: int = 0
    misses: int = 0


class Match(Struct, frozen=True, kw_only=True):
    """A match folded up to commit `index`, which was written at `at`.

    Attributes:
        play: the state of the game itself.
        root: d₀ of the dealer's share chain; empty until he commits.
        share: the last share that was used.
        deals: how many shares were used.
        since: for each seat the index of the commit that last asked it.
        times: of the seats.
        waits: when the present due began: who it is and, in a game, its phase.
        revealed: the last commit whose secrets are open to all.
        closed: why the match is over before its game is; empty where it is not.
    """

    id: str
    opened: MatchOpened
    game: Game[Any, Any]
    play: Any
    holders: tuple[Holder, ...]
    since: tuple[int, ...]
    times: tuple[Time, ...]
    index: int = 0
    at: int = 0
    waits: int = 0
    root: bytes = b""
    share: bytes = b""
    deals: int = 0
    revealed: int = 0
    closed: str = ""


def begin(match: str, opened: MatchOpened) -> Match:
    """The match right after it was opened. Raises KeyError (no such game) and ValueError (seats, options)."""
    game = GAMES[opened.game]
    if opened.seats not in game.seats:
        raise ValueError(f"{game.name} has no {opened.seats} seats")
    options = msgspec.convert(opened.options, game.options)
    return Match(
        id=match,
        opened=opened,
        game=game,
        play=game.begin(options, opened.seats),
        holders=(FREE,) * opened.seats,
        since=(0,) * opened.seats,
        times=(Time(bank=opened.clock.bank * 1000),) * opened.seats,
    )


def evolve(match: Match, commit: Commit) -> Match:
    """A commit onto the match. Total: an event that fits nowhere changes nothing."""
    after = match
    for event in commit.events:
        after = apply(after, event)
    other = phase(match) != phase(after)
    who, waited = due(after), asked(match)
    seat, _ = acting(commit)
    answered = seat if seat in waited and _is_answer(commit) else None
    since, times = list(match.since), _charged(match, commit, answered)
    for each in asked(after):
        if each < len(since) and (other or each == answered or each not in waited):
            since[each] = commit.index
            times[each] = replace(times[each], asked=commit.at)
    waits = match.waits if isinstance(who, tuple) or (match.index and who == due(match) and not other) else commit.at
    return replace(after, index=commit.index, at=commit.at, since=tuple(since), times=tuple(times), waits=waits)


def apply(match: Match, event: Event) -> Match:
    """One event onto the match."""
    if type(event) not in OUTER_EVENTS:
        return replace(match, play=match.game.evolve(match.play, event))
    match event:
        case DealerCommitted():
            return replace(match, root=event.root, share=event.root)
        case SeatJoined():
            return _hold(match, event.seat, key=event.key, commitment=event.commitment)
        case EntropyCommitted():
            return _hold(match, event.seat, commitment=event.commitment)
        case EntropyShown():
            return _hold(match, event.seat, entropy=event.entropy)
        case SeatLost():
            return _free(match, event.seat)
        case SeatLeft():
            return _free(match, event.seat) if event.free else _hold(match, event.seat, managed=True, left=True)
        case ShareUsed():
            return replace(match, share=opened(event.share, match.share), deals=event.deal)
        case SeatManaged():
            return _hold(match, event.seat, managed=event.on)
        case MatchClosed():
            return replace(match, closed=event.reason)
        case HandRevealed():
            return replace(match, revealed=event.last)
        case _:
            return match


def _free(match: Match, seat: Seat) -> Match:
    anew = tuple(replace(holder, commitment=b"", entropy=b"") for holder in match.holders)
    return _hold(replace(match, holders=anew), seat, key=b"", inherited=True)


def _hold(match: Match, seat: Seat, **changes: object) -> Match:
    if seat >= len(match.holders):
        return match
    holder = replace(match.holders[seat], **changes)
    return replace(match, holders=(*match.holders[:seat], holder, *match.holders[seat + 1 :]))


def _is_answer(commit: Commit) -> bool:
    """Whether a commit says more than who plays for a seat."""
    return not all(isinstance(event, SeatManaged | SeatLeft) for event in commit.events)


def _charged(match: Match, commit: Commit, answered: Seat | None) -> list[Time]:
    """The times once what an answer took beyond its turn is taken from the seat's bank, as far as that goes.

    Replicas' clocks differ, so an answer may seem to come before its question. Where it is secret who answers, nothing
    is charged or counted, since that would show later.
    """
    seat, times = commit.seat, list(match.times)
    if seat is None or seat >= len(times):
        return times
    time, allowed = times[seat], turn_time(match)
    over = 0 if allowed is None or answered is None else max(0, commit.at - time.asked - allowed)
    misses = time.misses + 1 if commit.auto else 0
    if over or misses != time.misses:
        times[seat] = Time(asked=time.asked, bank=max(0, time.bank - over), misses=misses)
    return times


def turn_time(match: Match) -> int | None:
    """Milliseconds for an answer in this phase of the game, bank apart; None: as long as it likes, or none is due."""
    clock = match.opened.clock
    if not clock.turn or not has_begun(match):
        return None
    return 1000 * clock.phases.get(match.game.phase(match.play), clock.turn) or None


def provable(match: Match) -> bool:
    """Whether the deals come from shares and entropy, and not from a recorded deck."""
    return match.opened.deal == "protocol"


def asked(match: Match) -> tuple[Seat, ...]:
    """The seats waited for, managed ones too."""
    if match.closed:
        return ()
    if not has_begun(match):
        if not all(holder.commitment for holder in match.holders):
            return tuple(s for s, holder in enumerate(match.holders) if holder.key and not holder.commitment)
        return tuple(s for s, holder in enumerate(match.holders) if not holder.entropy)
    due = match.game.due(match.play)
    return due if isinstance(due, tuple) else ()


def phase(match: Match) -> str:
    """What the match waits for before its game begins, `joining` or `entropy`; then the phase of the game."""
    if has_begun(match):
        return str(match.game.phase(match.play))
    return "entropy" if all(holder.commitment for holder in match.holders) else "joining"


def due(match: Match) -> Due:
    """Who must decide next: exactly one, at every position."""
    if match.closed:
        return "none"
    if not has_begun(match):
        if not match.root:
            return "dealer"
        if not all(holder.commitment for holder in match.holders):
            return "open"
        return asked(match)
    who: Due = match.game.due(match.play)
    return "referee" if isinstance(who, tuple) and managed(match) else who


def managed(match: Match) -> tuple[Seat, ...]:
    """The seats waited for that the referee plays for; none where that would tell who is asked."""
    seats = [seat for seat, holder in enumerate(match.holders) if holder.managed]
    if not seats or (has_begun(match) and match.game.veils(match.play)):
        return ()
    return tuple(seat for seat in seats if seat in asked(match))


def key_of(token: bytes) -> bytes:
    """The public part of a token: its SHA-256."""
    return hashlib.sha256(token).digest()


def holds(match: Match, seat: Seat, token: bytes) -> bool:
    """Whether the token is the one by which the seat was taken."""
    key = match.holders[seat].key if seat < len(match.holders) else b""
    return hmac.compare_digest(key_of(token), key)


def is_house(match: Match, token: bytes) -> bool:
    """Whether the token is the house's."""
    return hmac.compare_digest(key_of(token), match.opened.house)


def has_begun(match: Match) -> bool:
    """Whether the seats are taken and their entropy is shown, so that the game itself goes on."""
    return match.deals > 0 or not provable(match) or all(holder.entropy for holder in match.holders)
