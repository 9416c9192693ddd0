"""The state of a match of Texas hold'em: that of every poker game, with places for the blinds."""

from schemas.cards import Seat
from schemas.log import Due
from schemas.poker import Positions
from services.games.shared.poker import state as poker
from services.games.shared.poker.betting import left_of
from services.games.shared.poker.options import first_dealer, players, stacks_of
from services.games.texas_holdem.options import Options, can_play

State = poker.State[Options]

STREETS = ("preflop", "flop", "turn", "river")
"""The cards after which there is a betting round."""


def begin(options: Options, seats: int) -> State:
    """The match before its first hand."""
    stacks = stacks_of(options, seats)
    playing = players(options, stacks, can_play)
    return poker.begin(options, stacks, blinds_behind(first_dealer(options, seats), playing))


def blinds_behind(dealer: Seat, players: tuple[Seat, ...]) -> Positions:
    """Button and blinds: the blinds are left of the button, with two seats the button is the small one."""
    order = left_of(dealer, players)
    if len(order) == 2:
        return Positions(dealer, small=order[1], big=order[0])
    return Positions(dealer, small=order[0], big=order[1])


def phase(state: State) -> str:
    """The name of the street that is bet on; `done` where no hand is in play."""
    return poker.phase(state, STREETS)


def due(state: State) -> Due:
    """Who must decide next."""
    return poker.due(state)
