"""What happened. These events belong to the match around every game; each game adds its own, tags unique over all."""

from typing import Any, Literal, get_args

from msgspec import Struct

from schemas import bluff, cassino, durak, fifty_k, gongzhu, piquet, poker, seven_qiao
from schemas.actions import Digest
from schemas.cards import Seat
from schemas.clock import Clock
from schemas.sealed import Sealed


class MatchOpened(Struct, frozen=True, kw_only=True, tag="match_opened"):
    """A match was opened; its options are resolved to every field.

    Attributes:
        rules: version of the game's rules that decides this match.
        reveal: when the secrets of a hand are opened to all.
        deal: `protocol` (shares and entropy) or `given` (a recorded deck, not provable).
        key: the opener's public part.
        role_keys: the roles' public keys; empty until commits are signed.
        clock: how long things may take, resolved to every phase that differs.
        house: SHA-256 of the house's token; empty where the house sends no commands.
    """

    game: str
    rules: int
    options: dict[str, Any]
    seats: int
    reveal: Literal["hand", "match", "never"]
    deal: Literal["protocol", "given"]
    key: bytes
    role_keys: dict[str, bytes] = {}
    clock: Clock = Clock(turn=0)
    house: bytes = b""


class DealerCommitted(Struct, frozen=True, kw_only=True, tag="dealer_committed"):
    """The dealer fixed its shares: `root` is d₀ of their hash chain, `key_id` names the secret they come from."""

    root: Digest
    key_id: str


class SeatJoined(Struct, frozen=True, kw_only=True, tag="seat_joined"):
    """A player took a seat, with a commitment to its entropy."""

    seat: Seat
    key: Digest
    commitment: Digest


class EntropyCommitted(Struct, frozen=True, kw_only=True, tag="entropy_committed"):
    """A seat committed to new entropy, after another seat was lost."""

    seat: Seat
    commitment: Digest


class EntropyShown(Struct, frozen=True, kw_only=True, tag="entropy_shown"):
    """A seat showed the entropy it had committed to."""

    seat: Seat
    entropy: Digest


class SeatLost(Struct, frozen=True, kw_only=True, tag="seat_lost"):
    """A seat did not show its entropy; it is free again, and all commit anew."""

    seat: Seat


class SeatLeft(Struct, frozen=True, kw_only=True, tag="seat_left"):
    """A player gave up the seat: it is `free` again, and all commit anew, or the referee plays for it to the end."""

    seat: Seat
    free: bool


class ShareUsed(Struct, frozen=True, kw_only=True, tag="share_used"):
    """The dealer's share of deal number `deal`, d_h, which the deal's seed is made of."""

    deal: int
    share: Sealed[Digest]


class SeatManaged(Struct, frozen=True, kw_only=True, tag="seat_managed"):
    """From here on the referee plays for the seat, or no longer does."""

    seat: Seat
    on: bool


class MatchClosed(Struct, frozen=True, kw_only=True, tag="match_closed"):
    """The match is over before its game is: not filled in time, left by all, or void by the house's `note`."""

    reason: Literal["unfilled", "abandoned", "void"]
    note: str = ""


class HandRevealed(Struct, frozen=True, kw_only=True, tag="hand_revealed"):
    """All secrets of the commits `first` to `last` are open to everybody from here on."""

    first: int
    last: int


OuterEvent = (
    MatchOpened
    | DealerCommitted
    | SeatJoined
    | EntropyCommitted
    | EntropyShown
    | SeatLost
    | SeatLeft
    | ShareUsed
    | SeatManaged
    | MatchClosed
    | HandRevealed
)

Event = (
    OuterEvent
    | gongzhu.Event
    | poker.Event
    | fifty_k.Event
    | durak.Event
    | bluff.Event
    | piquet.Event
    | cassino.Event
    | seven_qiao.Event
)
Events = tuple[Event, ...]

OUTER_EVENTS = frozenset(get_args(OuterEvent))
"""The types of the events around every game."""

EVENT_TAGS = frozenset(kind.__struct_config__.tag for kind in get_args(Event))
"""The tags of all events known here."""
