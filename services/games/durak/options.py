"""The options of Durak and their presets (durak §1)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from schemas.cards import PACK, Cards
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shared.cards import FULL_PACK
from services.games.shared.options import check_seats, read_options

HAND_SIZES: Mapping[int, int] = {3: 10, 4: 8, 5: 6, 6: 5}
"""How many cards each seat is dealt, by the number of seats."""

SEAT_COUNTS = tuple(HAND_SIZES)

_MOST_DEALT = 51  # so that a card is left to turn up

Size = Annotated[int, Meta(ge=1)]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options of Durak (durak §1). Opened, `auto` and `hand_size` are resolved to numbers.

    Attributes:
        jokers: the two jokers are in the pack.
        hand_size: how many cards each seat is dealt; `auto` goes by the number of seats.
        refill_to: how many cards a hand is filled up to.
        first_attacker: the `dealer`, or who was dealt the lowest 2 (`lowest_two`) or trump (`lowest_trump`).
        exchange: the trump 2 may be swapped for the turn-up once `before_play`, at one's `own_turn`, or not (`off`).
        trump_when: a cover may be played only with `no_higher` card of the suit in hand, or is `free`.
        seal_ends: a seal ends the battle.
        throw_in: who may throw in besides the main attacker: `all` but the defender, the seat after the defender
            (`neighbours`), or nobody (`main_only`).
        taker_attacks: who picks up attacks next, else the seat after him.
        stop_on_empty: a hand that gets empty closes the battle.
        refill_order: who draws first: the `next_attacker`, or `attacker_first` and the defender last.
        max_attacks: the most attack cards in a battle; 0 for no limit.
        next_dealer: the `durak`, the next seat (`rotate`) or the `winner`.
        match_hands: the number of hands in a match.
        stall_limit: so many pick-ups in a row end a hand that has no stock.
    """

    jokers: bool = False
    hand_size: Literal["auto"] | Size = "auto"
    refill_to: Literal["hand_size"] | Size = "hand_size"
    first_attacker: Literal["dealer", "lowest_two", "lowest_trump"] = "dealer"
    exchange: Literal["before_play", "own_turn", "off"] = "before_play"
    trump_when: Literal["no_higher", "free"] = "no_higher"
    seal_ends: bool = True
    throw_in: Literal["all", "neighbours", "main_only"] = "all"
    taker_attacks: bool = True
    stop_on_empty: bool = True
    refill_order: Literal["next_attacker", "attacker_first"] = "next_attacker"
    max_attacks: Annotated[int, Meta(ge=0, le=13)] = 0
    next_dealer: Literal["durak", "rotate", "winner"] = "durak"
    match_hands: Annotated[int, Meta(ge=1, le=1000)] = 10
    stall_limit: Annotated[int, Meta(ge=1, le=1000)] = 40


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "seed": {},
    "russian": {
        "hand_size": 6,
        "first_attacker": "lowest_trump",
        "exchange": "own_turn",
        "trump_when": "free",
        "seal_ends": False,
        "taker_attacks": False,
        "stop_on_empty": False,
        "refill_order": "attacker_first",
        "max_attacks": 6,
    },
}
"""Differences from the defaults."""


def open_(raw: Mapping[str, Any], seats: int) -> Options:
    """The resolved options of a match. Raises Refused: bad_option."""
    check_seats(seats, SEAT_COUNTS)
    options = read_options(raw, Options, PRESETS)
    size = HAND_SIZES[seats] if options.hand_size == "auto" else options.hand_size
    if seats * size > _MOST_DEALT:
        raise Refused(Code.BAD_OPTION, f"seats times hand_size is {_MOST_DEALT} at most")
    refill = size if options.refill_to == "hand_size" else options.refill_to
    return replace(options, hand_size=size, refill_to=refill)


def pack(options: Options) -> Cards:
    """The cards that are played with."""
    return FULL_PACK if options.jokers else PACK


def refill_size(options: Options) -> int:
    """How many cards a hand is filled up to."""
    return 0 if options.refill_to == "hand_size" else options.refill_to


def dealt_size(options: Options) -> int:
    """How many cards each seat is dealt."""
    return 0 if options.hand_size == "auto" else options.hand_size
