"""The options of show hand and their presets (show_hand, Options)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from schemas.cards import PACK, Cards
from services.games.shared.options import check_seats, read_options
from services.games.shared.poker.options import Ante, Cap, Count, Stack, Stake, check_stacks

SEAT_COUNTS = tuple(range(2, 10))
STRIPPED_SEAT_COUNTS = tuple(range(2, 6))

STRIPPED: Cards = tuple(card for card in PACK if card[0] in "89TJQKA")
"""The pack without 2 to 7."""


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options of show hand, resolved.

    Attributes:
        deck: `full` with 52 cards, or `stripped` of 2 to 7.
        ante: what every seat dealt in pays before the deal.
        min_bet: the smallest bet.
        show_hand_from: the card after which show hand is allowed.
        opener_must_bet: while nobody has bet, check is refused.
        max_raises: raises in a round, a show hand counted; None for no cap.
        burn: a card is burned before the third, fourth and fifth card.
        starting_stack: every seat's chips, where `stacks` says nothing.
        stacks: each seat's chips at the start.
        dealer: the first dealer; None for the last seat.
        free_fold: a seat may fold though it has nothing to pay.
        showdown: `all` show, or losing hands may stay closed.
        max_hands: the number of hands in a match; None for as many as there can be deals.
    """

    deck: Literal["full", "stripped"] = "full"
    ante: Ante = 10
    min_bet: Stake = 10
    show_hand_from: Literal[3, 4, 5] = 5
    opener_must_bet: bool = False
    max_raises: Cap | None = None
    burn: bool = False
    starting_stack: Stack = 1000
    stacks: tuple[Stack, ...] | None = None
    dealer: Annotated[int, Meta(ge=0, lt=SEAT_COUNTS[-1])] | None = None
    free_fold: bool = False
    showdown: Literal["all", "muck_losing"] = "all"
    max_hands: Count | None = None


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "stripped": {"deck": "stripped"},
    "early_show_hand": {"show_hand_from": 3, "opener_must_bet": True, "burn": True, "showdown": "muck_losing"},
}
"""Differences from the defaults."""


def open_(raw: Mapping[str, Any], seats: int) -> Options:
    """The resolved options of a match. Raises Refused: bad_option."""
    options = read_options(raw, Options, PRESETS)
    check_seats(seats, SEAT_COUNTS if options.deck == "full" else STRIPPED_SEAT_COUNTS)
    check_stacks(options, seats, can_play)
    return options


def pack(options: Options) -> Cards:
    """The cards that are played with."""
    return PACK if options.deck == "full" else STRIPPED


def can_play(options: Options, stack: int) -> bool:
    """Whether these chips are enough to be dealt in (show_hand, Options)."""
    return stack >= options.ante + options.min_bet
