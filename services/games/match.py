"""A match around its game: who holds the seats, their entropy, the dealer's shares, who is managed, who is due."""

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import Seat
from schemas.events import (
    DealerCommitted,
    EntropyCommitted,
    EntropyShown,
    Event,
    HandRevealed,
    MatchOpened,
    SeatJoined,
    SeatLost,
    SeatManaged,
    ShareUsed,
)
from schemas.log import Commit, Due
from services.games import GAMES
from services.games.game import Game
from services.games.shared.total import opened


class Holder(Struct, frozen=True):
    """Who holds a seat: the public part of his token, his entropy first committed and then shown."""

    key: bytes = b""
    commitment: bytes = b""
    entropy: bytes = b""
    managed: bool = False


FREE = Holder()


class Match(Struct, frozen=True, kw_only=True):
    """A match folded up to commit `index`.

    Attributes:
        play: the state of the game itself.
        root: d₀ of the dealer's share chain; empty until he commits.
        share: the last share that was used.
        deals: how many shares were used.
        since: for each seat the index of the commit that last asked it.
        revealed: the last commit whose secrets are open to all.
    """

    id: str
    opened: MatchOpened
    game: Game[Any, Any]
    play: Any
    holders: tuple[Holder, ...]
    since: tuple[int, ...]
    index: int = 0
    root: bytes = b""
    share: bytes = b""
    deals: int = 0
    revealed: int = 0


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
    )


def evolve(match: Match, commit: Commit) -> Match:
    """A commit onto the match. Total: an event that fits nowhere changes nothing."""
    after = match
    for event in commit.events:
        after = apply(after, event)
    return replace(after, index=commit.index, since=_since(match, after, commit))


def apply(match: Match, event: Event) -> Match:
    """One event onto the match."""
    match event:
        case MatchOpened():
            return match
        case DealerCommitted():
            return replace(match, root=event.root, share=event.root)
        case SeatJoined():
            return _hold(match, event.seat, key=event.key, commitment=event.commitment)
        case EntropyCommitted():
            return _hold(match, event.seat, commitment=event.commitment)
        case EntropyShown():
            return _hold(match, event.seat, entropy=event.entropy)
        case SeatLost():
            anew = tuple(replace(holder, commitment=b"", entropy=b"") for holder in match.holders)
            return _hold(replace(match, holders=anew), event.seat, key=b"")
        case ShareUsed():
            return replace(match, share=opened(event.share, match.share), deals=event.deal)
        case SeatManaged():
            return _hold(match, event.seat, managed=event.on)
        case HandRevealed():
            return replace(match, revealed=event.last)
        case _:
            return replace(match, play=match.game.evolve(match.play, event))


def _hold(match: Match, seat: Seat, **changes: object) -> Match:
    if seat >= len(match.holders):
        return match
    holder = replace(match.holders[seat], **changes)
    return replace(match, holders=(*match.holders[:seat], holder, *match.holders[seat + 1 :]))


def _since(before: Match, after: Match, commit: Commit) -> tuple[int, ...]:
    """Asked anew is who was not asked before, who has answered, and everybody once the question is another."""
    waited, now = asked(before), asked(after)
    other = before.game.phase(before.play) != after.game.phase(after.play)
    answered = None if any(isinstance(event, SeatManaged) for event in commit.events) else commit.seat
    return tuple(
        commit.index if seat in now and (other or seat == answered or seat not in waited) else since
        for seat, since in enumerate(after.since)
    )


def provable(match: Match) -> bool:
    """Whether the deals come from shares and entropy, and not from a recorded deck."""
    return match.opened.deal == "protocol"


def asked(match: Match) -> tuple[Seat, ...]:
    """The seats waited for, managed ones too."""
    if provable(match):
        if not all(holder.commitment for holder in match.holders):
            return tuple(s for s, holder in enumerate(match.holders) if holder.key and not holder.commitment)
        if unshown := tuple(s for s, holder in enumerate(match.holders) if not holder.entropy):
            return unshown
    due = match.game.due(match.play)
    return due if isinstance(due, tuple) else ()


def due(match: Match) -> Due:
    """Who must decide next: exactly one, at every position."""
    if provable(match):
        if not match.root:
            return "dealer"
        if not all(holder.commitment for holder in match.holders):
            return "open"
        if not all(holder.entropy for holder in match.holders):
            return asked(match)
    who: Due = match.game.due(match.play)
    return "referee" if isinstance(who, tuple) and managed(match) else who


def managed(match: Match) -> tuple[Seat, ...]:
    """The seats waited for that the referee plays for."""
    waited = asked(match)
    return tuple(seat for seat, holder in enumerate(match.holders) if holder.managed and seat in waited)


def has_begun(match: Match) -> bool:
    """Whether the seats are taken and their entropy is shown, so that the game itself goes on."""
    return not provable(match) or all(holder.entropy for holder in match.holders)
