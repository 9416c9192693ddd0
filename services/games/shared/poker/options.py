"""What the options of all poker games have and must fulfil (poker §12)."""

from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import Meta

from schemas.cards import Seat
from schemas.poker import Chips, Positions
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shared.options import check_dealer
from services.games.shared.poker.betting import left_of
from services.games.shared.poker.state import O, PokerOptions
from services.games.shuffle import SHARES

MOST_CHIPS = 2**53 - 1

Stack = Annotated[int, Meta(ge=1, le=MOST_CHIPS)]
Stake = Annotated[int, Meta(ge=1, le=MOST_CHIPS)]
Ante = Annotated[int, Meta(ge=0, le=MOST_CHIPS)]
Count = Annotated[int, Meta(ge=1, le=SHARES)]
Cap = Annotated[int, Meta(ge=0)]


def check_stacks(options: O, seats: int, can_play: Callable[[O, int], bool]) -> None:
    """Whether these options go with this number of seats. Raises Refused: bad_option."""
    if options.stacks is not None and len(options.stacks) != seats:
        raise Refused(Code.BAD_OPTION, "stacks names one stack for each seat")
    check_dealer(first_dealer(options, seats), seats=seats)
    stacks = stacks_of(options, seats)
    if sum(stacks) > MOST_CHIPS:
        raise Refused(Code.BAD_OPTION, "there are too many chips to count")
    if len(players(options, stacks, can_play)) < 2:
        raise Refused(Code.BAD_OPTION, "fewer than two seats have the chips to play")


def stacks_of(options: PokerOptions, seats: int) -> Chips:
    """Each seat's chips at the start of the match."""
    return options.stacks if options.stacks is not None else (options.starting_stack,) * seats


def players(options: O, stacks: Chips, can_play: Callable[[O, int], bool]) -> tuple[Seat, ...]:
    """The seats that can play with these stacks."""
    return tuple([seat for seat, stack in enumerate(stacks) if can_play(options, stack)])


def raise_cap(structure: Literal["limit", "no_limit"], max_raises: int | None) -> int | None:
    """The cap of raises in a round, where an option may say another than 3 with a limit; None for none."""
    return 3 if max_raises is None and structure == "limit" else max_raises


def first_dealer(options: PokerOptions, seats: int) -> Seat:
    """Who holds the button in the first hand (poker §12)."""
    return seats - 1 if options.dealer is None else options.dealer


def next_dealer(dealer: Seat, players: tuple[Seat, ...]) -> Seat:
    """The next seat to the left that can still play (poker §12)."""
    return left_of(dealer, players)[0]


def dealer_moves(_options: object, positions: Positions, players: tuple[Seat, ...]) -> Positions:
    """The dealer of the next hand, where there are no blinds: the next seat that can still play."""
    return Positions(next_dealer(positions.dealer, players))
