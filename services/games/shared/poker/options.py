"""What the options of all poker games have and must fulfil (poker §12)."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta

from schemas.cards import Seat
from schemas.poker import Chips
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shared.poker.betting import left_of
from services.games.shared.poker.state import O, PokerOptions
from services.games.shuffle import SHARES

MOST_CHIPS = 2**53 - 1

Stack = Annotated[int, Meta(ge=1, le=MOST_CHIPS)]
Stake = Annotated[int, Meta(ge=1, le=MOST_CHIPS)]
Ante = Annotated[int, Meta(ge=0, le=MOST_CHIPS)]
Count = Annotated[int, Meta(ge=1, le=SHARES)]
Cap = Annotated[int, Meta(ge=0)]


def check_seats(options: O, seats: int, allowed: range, can_play: Callable[[O, int], bool]) -> None:
    """Whether these options go with this number of seats. Raises Refused: bad_option."""
    if seats not in allowed:
        raise Refused(Code.BAD_OPTION, f"from {allowed[0]} to {allowed[-1]} seats can play")
    if options.stacks is not None and len(options.stacks) != seats:
        raise Refused(Code.BAD_OPTION, "stacks names one stack for each seat")
    if options.dealer is not None and options.dealer >= seats:
        raise Refused(Code.BAD_OPTION, "the dealer is one of the seats")
    stacks = stacks_of(options, seats)
    if sum(stacks) > MOST_CHIPS:
        raise Refused(Code.BAD_OPTION, "there are too many chips to count")
    if sum(can_play(options, stack) for stack in stacks) < 2:
        raise Refused(Code.BAD_OPTION, "fewer than two seats have the chips to play")


def stacks_of(options: PokerOptions, seats: int) -> Chips:
    """Each seat's chips at the start of the match."""
    return options.stacks if options.stacks is not None else (options.starting_stack,) * seats


def first_dealer(options: PokerOptions, seats: int) -> Seat:
    """Who holds the button in the first hand (poker §12)."""
    return seats - 1 if options.dealer is None else options.dealer


def next_dealer(dealer: Seat, players: tuple[Seat, ...]) -> Seat:
    """The next seat to the left that can still play (poker §12)."""
    return left_of(dealer, players)[0]
