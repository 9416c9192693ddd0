"""The options of seven-card stud and their presets (seven_card_stud, Options)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from schemas.cards import PACK, Cards
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shared.options import check_seats, read_options
from services.games.shared.poker.options import Ante, Cap, Count, Stack, Stake, check_stacks, raise_cap
from services.games.shared.poker.ranking import Ranking

SEAT_COUNTS = tuple(range(2, 10))


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options of seven-card stud, resolved.

    Attributes:
        structure: fixed amounts (`limit`) or any amount from the small bet on (`no_limit`).
        small_bet: the bet size of third and fourth street; without a limit the minimum bet of all.
        big_bet: the bet size of the later streets; None for twice the small bet.
        ante: what every seat dealt in pays before the deal.
        bring_in: what the lowest door card must post; None for half the small bet. A whole small bet is the bet.
        max_raises: raises in a round; None for 3 with a limit and no cap without.
        ranking: `show_hand`, in which suits break ties, or `standard`.
        board_tie: equal boards open by `suit` or by `position`.
        open_pair_big_bet: a pair showing on fourth street allows a big bet, where there is a limit.
        burn: a card is burned before each street from the fourth on.
        all_in_reveal: hands are shown once all-ins have closed the betting.
        starting_stack: every seat's chips, where `stacks` says nothing.
        stacks: each seat's chips at the start.
        dealer: the first dealer; None for the last seat.
        free_fold: a seat may fold though it has nothing to pay.
        showdown: `all` show, or losing hands may stay closed.
        max_hands: the number of hands in a match; None for as many as there can be deals.
    """

    structure: Literal["limit", "no_limit"] = "limit"
    small_bet: Stake = 20
    big_bet: Stake | None = None
    ante: Ante = 5
    bring_in: Stake | None = None
    max_raises: Cap | None = None
    ranking: Ranking = "show_hand"
    board_tie: Literal["suit", "position"] = "suit"
    open_pair_big_bet: bool = False
    burn: bool = True
    all_in_reveal: bool = True
    starting_stack: Stack = 1000
    stacks: tuple[Stack, ...] | None = None
    dealer: Annotated[int, Meta(ge=0, lt=SEAT_COUNTS[-1])] | None = None
    free_fold: bool = False
    showdown: Literal["all", "muck_losing"] = "muck_losing"
    max_hands: Count | None = None


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "no_limit": {"structure": "no_limit"},
    "wsop": {"ranking": "standard", "max_raises": 4},
}
"""Differences from the defaults."""


def open_(raw: Mapping[str, Any], seats: int) -> Options:
    """The resolved options of a match. Raises Refused: bad_option."""
    options = read_options(raw, Options, PRESETS)
    check_seats(seats, SEAT_COUNTS)
    check_stacks(options, seats, can_play)
    if bring_in(options) > options.small_bet:
        raise Refused(Code.BAD_OPTION, "the bring-in is at most the small bet")
    if big_bet(options) < options.small_bet:
        raise Refused(Code.BAD_OPTION, "the big bet is at least the small bet")
    if options.open_pair_big_bet and options.structure != "limit":
        raise Refused(Code.BAD_OPTION, "open_pair_big_bet goes with a limit")
    return options


def pack(_options: Options) -> Cards:
    """The cards that are played with."""
    return PACK


def can_play(_options: Options, stack: int) -> bool:
    """Whether these chips are enough to be dealt in (poker §12)."""
    return stack > 0


def big_bet(options: Options) -> int:
    """The bet size of the later streets."""
    return 2 * options.small_bet if options.big_bet is None else options.big_bet


def bring_in(options: Options) -> int:
    """The bring-in in full."""
    return max(1, options.small_bet // 2) if options.bring_in is None else options.bring_in


def max_raises(options: Options) -> int | None:
    """The cap of raises in a round; None for none."""
    return raise_cap(options.structure, options.max_raises)
