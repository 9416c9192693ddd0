"""The options of Fifty-K and their presets (fifty_k §1)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from schemas.cards import PACK, Cards
from services.games.shared.options import check_seats, read_options

SEATS = 4
SEAT_COUNTS = (SEATS,)

Transfer = Annotated[int, Meta(ge=0, le=200)]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options of Fifty-K, resolved (fifty_k §1).

    Attributes:
        decks: how many packs are played with.
        last_captured: who has the points that the last player captured: the side of the first finisher (`first_side`),
            his `own_side`, or nobody (`void`).
        unplayed: points in unplayed cards go `to_ender`, are deducted from one's own side, or count nothing (`void`).
        one_two: partners who finish first and second have all points (`sweep`), or win `double_transfer`.
        single_transfer: what the other side pays where partners finish first and third.
        double_transfer: what it pays where they finish first and second.
        target: the match score to reach.
        max_hands: the match also ends after so many hands; 0 for no limit.
        lead_after_out: who leads where the winner of a trick has no cards: his `partner`, or the `next` seat.
        pass_is_final: a seat that passed is out of the trick.
        must_beat: passing only without a beating combination.
        first_lead_3s: the first lead of a match must hold the 3s.
        low_straights: straights are in `natural` order, or have `no_two`.
        straight_flush: breaks ties between straights (`tiebreak`), or is `above` all of its length.
    """

    decks: Literal[1, 2] = 2
    last_captured: Literal["first_side", "own_side", "void"] = "first_side"
    unplayed: Literal["to_ender", "deduct", "void"] = "to_ender"
    one_two: Literal["sweep", "transfer"] = "sweep"
    single_transfer: Transfer = 0
    double_transfer: Transfer = 30
    target: Annotated[int, Meta(ge=50, le=100_000)] = 1000
    max_hands: Annotated[int, Meta(ge=0, le=1000)] = 0
    lead_after_out: Literal["partner", "next"] = "partner"
    pass_is_final: bool = False
    must_beat: bool = False
    first_lead_3s: bool = False
    low_straights: Literal["natural", "no_two"] = "natural"
    straight_flush: Literal["tiebreak", "above"] = "tiebreak"


_CATCH: Mapping[str, Any] = {
    "last_captured": "own_side",
    "unplayed": "deduct",
    "one_two": "transfer",
    "single_transfer": 15,
}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "two_deck": {},
    "one_deck": {"decks": 1, **_CATCH},
    "two_deck_catch": _CATCH,
}
"""Differences from the defaults."""


def open_(raw: Mapping[str, Any], seats: int) -> Options:
    """The resolved options of a match. Raises Refused: bad_option."""
    check_seats(seats, SEAT_COUNTS)
    return read_options(raw, Options, PRESETS)


def pack(options: Options) -> Cards:
    """The cards that are played with."""
    return PACK * options.decks
