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
        switches: how often its player has sent `manage` since the seat last answered, as far as that is open to all.
    """

    key: bytes = b""
    commitment: bytes = b""
    entropy: bytes = b""
    managed: bool = False
    left: bool = False
    inherited: bool = False
    switches: int = 0


FREE = Holder()

_WHO_PLAYS: frozenset[type[Event]] = frozenset((SeatManaged, SeatLeft))

SWITCHES = 4
"""How often a player may send `manage` between two answers of his seat."""


class Time(Struct, frozen=True, kw_only=True):
    """The time of a seat; times are in milliseconds, as commits have them.

    Attributes:
        asked: when it was last asked.
        since: the index of the commit that asked.
        bank: what it may still use beyond the time of its turns.
        misses: how many of its answers have failed to come, in a row.
    """

    asked: int = 0
    since: int = 0
    bank: int = 0
    misses: int = 0


class Standing(Struct, frozen=True):
    """What a match waits for: who must decide next, the seats waited for (managed ones too), and the phase."""

    due: Due
    asked: tuple[Seat, ...]
    phase: str


class Match(Struct, frozen=True, kw_only=True):
    """A match folded up to commit `index`, which was written at `at`.

    Attributes:
        play: the state of the game itself.
        root: d₀ of the dealer's share chain; empty until he commits.
        share: the last share that was used.
        deals: how many shares were used.
        times: of the seats.
        waits: when the present due began: who it is and, in a game, its phase.
        revealed: the last commit whose secrets are open to all.
        freed: how often a seat was lost or left before the match began.
        closed: why the match is over before its game is; empty where it is not.
        standing: what it waits for, worked out once for each commit; None amid the events of one.
    """

    id: str
    opened: MatchOpened
    game: Game[Any, Any]
    play: Any
    holders: tuple[Holder, ...]
    times: tuple[Time, ...]
    index: int = 0
    at: int = 0
    waits: int = 0
    root: bytes = b""
    share: bytes = b""
    deals: int = 0
    revealed: int = 0
    freed: int = 0
    closed: str = ""
    standing: Standing | None = None


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
        times=(Time(bank=opened.clock.bank * 1000),) * opened.seats,
    )


def evolve(match: Match, commit: Commit) -> Match:
    """A commit onto the match. Total: an event that fits nowhere changes nothing."""
    after = apply(match, commit.events)
    before, now = standing(match), standing(after)
    other = before.phase != now.phase
    answers = _is_answer(commit)
    actor, _ = acting(commit)
    answered = actor if answers and actor in before.asked else None
    times = list(match.times)
    if commit.seat is not None and commit.seat < len(times):
        after = _counted(after, commit.seat, answers=answers)
        times[commit.seat] = _charged(match, commit.seat, commit, was_asked=answered is not None)
    for each in now.asked:
        if (other or each == answered or each not in before.asked) and each < len(times):
            times[each] = replace(times[each], asked=commit.at, since=commit.index)
    goes_on = isinstance(now.due, tuple) or (match.index and now.due == before.due and not other)
    return replace(
        after,
        index=commit.index,
        at=commit.at,
        times=tuple(times),
        waits=match.waits if goes_on else commit.at,
        standing=now,
    )


def apply(match: Match, events: Events) -> Match:
    """Events onto the match. No event changes both the game and what is around it, so each part is changed alone."""
    play = match.play
    for event in events:
        if type(event) in OUTER_EVENTS:
            match = _apply(match, event)
        else:
            play = match.game.evolve(play, event)
    return replace(match, play=play, standing=None)


def _apply(match: Match, event: Event) -> Match:
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
    return _hold(replace(match, holders=anew, freed=match.freed + 1), seat, key=b"", inherited=True)


def _hold(match: Match, seat: Seat, **changes: object) -> Match:
    if seat >= len(match.holders):
        return match
    holder = replace(match.holders[seat], **changes)
    return replace(match, holders=(*match.holders[:seat], holder, *match.holders[seat + 1 :]))


def _counted(match: Match, seat: Seat, *, answers: bool) -> Match:
    """How often a player has said who plays for his seat. Where it is secret who answers, no answer ends the count."""
    before = match.holders[seat].switches
    if answers:
        return _hold(match, seat, switches=0) if before else match
    return _hold(match, seat, switches=before + 1)


def _is_answer(commit: Commit) -> bool:
    """Whether a commit says more than who plays for a seat."""
    return not _WHO_PLAYS.issuperset(map(type, commit.events))


def _charged(match: Match, seat: Seat, commit: Commit, *, was_asked: bool) -> Time:
    """The time of a seat once what its answer took beyond its turn is taken from its bank, as far as that goes.

    Replicas' clocks differ, so an answer may seem to come before its question. Where it is secret who answers, nothing
    is charged or counted, since that would show later.
    """
    time, allowed = match.times[seat], turn_time(match) if was_asked else None
    over = 0 if allowed is None else max(0, commit.at - time.asked - allowed)
    misses = time.misses + 1 if commit.auto else 0
    if not over and misses == time.misses:
        return time
    return replace(time, bank=max(0, time.bank - over), misses=misses)


def turn_time(match: Match) -> int | None:
    """Milliseconds for an answer in this phase of the game, bank apart; None: as long as it likes, or none is due."""
    clock = match.opened.clock
    if not clock.turn or not has_begun(match):
        return None
    return 1000 * clock.phases.get(phase(match), clock.turn) or None


def provable(match: Match) -> bool:
    """Whether the deals come from shares and entropy, and not from a recorded deck."""
    return match.opened.deal == "protocol"


def standing(match: Match) -> Standing:
    """What the match waits for."""
    return match.standing or _standing(match)


def asked(match: Match) -> tuple[Seat, ...]:
    """The seats waited for, managed ones too."""
    return standing(match).asked


def phase(match: Match) -> str:
    """What the match waits for before its game begins, `joining` or `entropy`; then the phase of the game."""
    return standing(match).phase


def due(match: Match) -> Due:
    """Who must decide next: exactly one, at every position."""
    return standing(match).due


def _standing(match: Match) -> Standing:
    if has_begun(match):
        name: str = match.game.phase(match.play)
        who: Due = "none" if match.closed else match.game.due(match.play)
        if not isinstance(who, tuple):
            return Standing(who, (), name)
        return Standing("referee" if _managed(match, who) else who, who, name)
    if not all(holder.commitment for holder in match.holders):
        waited = tuple([s for s, holder in enumerate(match.holders) if holder.key and not holder.commitment])
        who, name = "open" if match.root else "dealer", "joining"
    else:
        waited = tuple([s for s, holder in enumerate(match.holders) if not holder.entropy])
        who, name = waited if match.root else "dealer", "entropy"
    return Standing("none", (), name) if match.closed else Standing(who, waited, name)


def is_over(match: Match) -> bool:
    """Whether nothing more will come: nobody is due."""
    return standing(match).due == "none"


def managed(match: Match) -> tuple[Seat, ...]:
    """The seats waited for that the referee plays for; none where that would tell who is asked."""
    return tuple(sorted(_managed(match, asked(match))))


def _managed(match: Match, waited: tuple[Seat, ...]) -> list[Seat]:
    holders = match.holders
    seats = [seat for seat in waited if seat < len(holders) and holders[seat].managed]
    return [] if seats and has_begun(match) and match.game.veils(match.play) else seats


def may_manage(match: Match, seat: Seat, *, on: bool) -> bool:
    """Whether a seat may say once more who plays for it, having done so since its last answer; to return it always may.

    Without such a bound a seat alone could make the log as long as it likes.
    """
    holder = match.holders[seat]
    return holder.switches < SWITCHES or (holder.managed and not on)


def key_of(token: bytes) -> bytes:
    """The public part of a token: its SHA-256."""
    return hashlib.sha256(token).digest()


def holds(match: Match, seat: Seat, key: bytes) -> bool:
    """Whether the seat was taken by the token with this public part."""
    return hmac.compare_digest(key, match.holders[seat].key if seat < len(match.holders) else b"")


def is_house(match: Match, key: bytes) -> bool:
    """Whether the house's token has this public part."""
    return hmac.compare_digest(key, match.opened.house)


def has_begun(match: Match) -> bool:
    """Whether the seats are taken and their entropy is shown, so that the game itself goes on."""
    return match.deals > 0 or not provable(match) or all(holder.entropy for holder in match.holders)
