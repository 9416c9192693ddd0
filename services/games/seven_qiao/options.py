"""The options of Seven-qiao and their presets (seven_qiao §2)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from schemas.cards import Cards
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shared.cards import FULL_PACK
from services.games.shared.options import check_dealer, check_seats, read_options

SEAT_COUNTS = (2, 3, 4, 5, 6, 7)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options of Seven-qiao, resolved (seven_qiao §2).

    Attributes:
        court_value: J Q K count 11, 12 and 13 by `rank`, or `ten` each.
        free_draw: seats draw in `rounds`, one card a turn, or in `any` order as their wishes come in.
        confirm_draw: who has asked for a card says then whether he takes it, and may break his word.
        sides: the side of each seat, numbered from 0, all equally large; None where each plays for itself.
        match_target: the match ends when a total is so far above zero or below.
        first_dealer: dealer of hand 1.
    """

    court_value: Literal["rank", "ten"] = "rank"
    free_draw: Literal["rounds", "any"] = "rounds"
    confirm_draw: bool = True
    sides: tuple[Annotated[int, Meta(ge=0, le=2)], ...] | None = None
    match_target: Annotated[int, Meta(ge=10)] = 50
    first_dealer: Annotated[int, Meta(ge=0, lt=SEAT_COUNTS[-1])] = 0


PRESETS: Mapping[str, Mapping[str, Any]] = {"seed": {}, "hundred": {"match_target": 100}}
"""Differences from the defaults (seven_qiao §2)."""


def open_(raw: Mapping[str, Any], seats: int) -> Options:
    """The resolved options of a match. Raises Refused: bad_option."""
    check_seats(seats, SEAT_COUNTS)
    options = read_options(raw, Options, PRESETS)
    check_dealer(options.first_dealer, seats=seats)
    if options.sides is not None and not _are_sides(options.sides, seats):
        raise Refused(Code.BAD_OPTION, "sides are numbered from 0, at least two of at least two seats, equally large")
    return options


def pack(_options: Options) -> Cards:
    """The cards that are played with (seven_qiao §1)."""
    return FULL_PACK


def _are_sides(sides: tuple[int, ...], seats: int) -> bool:
    sizes = [sides.count(side) for side in range(max(sides, default=0) + 1)]
    return len(sides) == seats and len(sizes) >= 2 and sizes[0] >= 2 and set(sizes) == {sizes[0]}
