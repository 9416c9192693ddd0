"""The options of Texas hold'em and their presets (texas_holdem, Options)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from schemas.cards import PACK, Cards
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shared.options import check_seats, read_options
from services.games.shared.poker.options import Ante, Cap, Count, Stack, Stake, check_stacks, raise_cap

SEAT_COUNTS = tuple(range(2, 11))


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options of Texas hold'em, resolved.

    Attributes:
        structure: any amount from the minimum on (`no_limit`) or fixed amounts (`limit`).
        small_blind: posted by the seat left of the button; with two seats by the button.
        big_blind: posted by the next seat; without a limit the smallest bet.
        small_bet: the bet size before the flop and on it, where there is a limit; None for the big blind.
        big_bet: the bet size of turn and river, where there is a limit; None for twice the small bet.
        ante: what every seat dealt in pays.
        big_blind_ante: dead money that the big blind pays before its blind.
        max_raises: raises in a round; None for 3 with a limit and no cap without.
        button_rule: the button goes to the next seat that can play (`moving`), or the big blind does (`dead`).
        burn: a card is burned before flop, turn and river.
        all_in_reveal: hands are shown once all-ins have closed the betting.
        starting_stack: every seat's chips, where `stacks` says nothing.
        stacks: each seat's chips at the start.
        dealer: who holds the button first; None for the last seat.
        free_fold: a seat may fold though it has nothing to pay.
        showdown: `all` show, or losing hands may stay closed.
        max_hands: the number of hands in a match; None for as many as there can be deals.
    """

    structure: Literal["no_limit", "limit"] = "no_limit"
    small_blind: Stake = 50
    big_blind: Stake = 100
    small_bet: Stake | None = None
    big_bet: Stake | None = None
    ante: Ante = 0
    big_blind_ante: Ante = 0
    max_raises: Cap | None = None
    button_rule: Literal["moving", "dead"] = "moving"
    burn: bool = True
    all_in_reveal: bool = True
    starting_stack: Stack = 10_000
    stacks: tuple[Stack, ...] | None = None
    dealer: Annotated[int, Meta(ge=0, lt=SEAT_COUNTS[-1])] | None = None
    free_fold: bool = False
    showdown: Literal["all", "muck_losing"] = "muck_losing"
    max_hands: Count | None = None


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "limit": {"structure": "limit"},
    "tournament": {"button_rule": "dead", "big_blind_ante": 100},
}
"""Differences from the defaults."""


def open_(raw: Mapping[str, Any], seats: int) -> Options:
    """The resolved options of a match. Raises Refused: bad_option."""
    options = read_options(raw, Options, PRESETS)
    check_seats(seats, SEAT_COUNTS)
    check_stacks(options, seats, can_play)
    if options.small_blind > options.big_blind:
        raise Refused(Code.BAD_OPTION, "the small blind is at most the big blind")
    if big_bet(options) < small_bet(options):
        raise Refused(Code.BAD_OPTION, "the big bet is at least the small bet")
    return options


def pack(_options: Options) -> Cards:
    """The cards that are played with."""
    return PACK


def can_play(_options: Options, stack: int) -> bool:
    """Whether these chips are enough to be dealt in (poker §12)."""
    return stack > 0


def small_bet(options: Options) -> int:
    """The bet size before the flop and on it, where there is a limit."""
    return options.big_blind if options.small_bet is None else options.small_bet


def big_bet(options: Options) -> int:
    """The bet size of turn and river, where there is a limit."""
    return 2 * small_bet(options) if options.big_bet is None else options.big_bet


def max_raises(options: Options) -> int | None:
    """The cap of raises in a round; None for none."""
    return raise_cap(options.structure, options.max_raises)
