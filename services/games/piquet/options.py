"""The options of Piquet and their presets (piquet §2)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from schemas.cards import SUITS, Cards
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shared.options import check_seats, read_options
from services.games.shuffle import SHARES

SEATS = 2
SEAT_COUNTS = (SEATS,)

RANKS = "789TJQKA"
"""From low to high (piquet §1)."""

_PACK: Cards = tuple(rank + suit for suit in SUITS for rank in RANKS)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options of Piquet, resolved (piquet §2).

    Attributes:
        sequence_bonus_from: a run of so many cards or more counts 10 more.
        set_bonus_from: a set of so many cards or more counts 10 more.
        set_min_rank: the lowest rank of which a set counts.
        set_tie: of best sets of one size, more sets win and then the rank (`sets_then_rank`), or only the `rank`.
        lead_points: which cards led count 1: from 9 (`nine_up`) or 10 (`ten_up`) on, `any`, or `none`.
        capture_points: which cards that win a trick they did not lead count 1: `none`, `any`, or `ten_up`.
        trick_table: points in each trick and for the last (`each_and_last`), or 1 for the first lead and 2 for the
            second trick (`first_and_second`).
        last_trick_points: what the last trick counts, instead of 1.
        capot: the 40 for all twelve tricks stand in for the 10 for most (`replaces`), or are added to them (`adds`).
        blank_opponent: repique and pique need an opponent who has nothing yet.
        carte_blanche_show: after carte blanche the hand lies `open`, or is shown once (`flash`).
        younger_min_exchange: how many cards the younger hand must exchange at least.
        match_end: a match ends with a total `over` the target, when one will `reach` it, or after a `partie` of hands.
        target: the total that ends a match.
        partie_hands: the number of hands in a partie; two more where it stands equal.
        first_dealer: dealer of hand 1.
        deal_batch: how many cards are dealt at a time.
    """

    sequence_bonus_from: Literal[3, 4, 5] = 3
    set_bonus_from: Literal[3, 4] = 3
    set_min_rank: Literal["7", "8", "9", "T"] = "7"
    set_tie: Literal["sets_then_rank", "rank"] = "sets_then_rank"
    lead_points: Literal["nine_up", "ten_up", "any", "none"] = "nine_up"
    capture_points: Literal["none", "any", "ten_up"] = "none"
    trick_table: Literal["each_and_last", "first_and_second"] = "each_and_last"
    last_trick_points: Literal[1, 2] = 2
    capot: Literal["replaces", "adds"] = "replaces"
    blank_opponent: bool = False
    carte_blanche_show: Literal["open", "flash"] = "open"
    younger_min_exchange: Literal[0, 1] = 0
    match_end: Literal["over", "reach", "partie"] = "over"
    target: Annotated[int, Meta(ge=20, le=1000)] = 100
    partie_hands: Annotated[int, Meta(ge=2, le=SHARES - 2)] = 6
    first_dealer: Annotated[int, Meta(ge=0, lt=SEATS)] = 0
    deal_batch: Literal[2, 3] = 2


_CLASSIC: Mapping[str, Any] = {
    "sequence_bonus_from": 5,
    "set_bonus_from": 4,
    "set_min_rank": "T",
    "set_tie": "rank",
    "lead_points": "any",
    "capture_points": "any",
    "blank_opponent": True,
    "carte_blanche_show": "flash",
    "younger_min_exchange": 1,
    "match_end": "partie",
}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "seed": {},
    "classic": _CLASSIC,
    "cent": {
        **_CLASSIC,
        "lead_points": "ten_up",
        "capture_points": "ten_up",
        "younger_min_exchange": 0,
        "match_end": "reach",
    },
}
"""Differences from the defaults (piquet §2)."""


def open_(raw: Mapping[str, Any], seats: int) -> Options:
    """The resolved options of a match. Raises Refused: bad_option."""
    check_seats(seats, SEAT_COUNTS)
    options = read_options(raw, Options, PRESETS)
    if options.partie_hands % 2:
        raise Refused(Code.BAD_OPTION, "partie_hands is even, so that each seat deals as often as the other")
    return options


def pack(_options: Options) -> Cards:
    """The cards that are played with."""
    return _PACK
