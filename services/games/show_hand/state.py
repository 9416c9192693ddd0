"""The state of a match of show hand: that of every poker game."""

from schemas.log import Due
from schemas.poker import Positions
from services.games.shared.poker import state as poker
from services.games.shared.poker.options import first_dealer, stacks_of
from services.games.show_hand.options import Options

State = poker.State[Options]

STREETS = ("second", "third", "fourth", "fifth")
"""The cards after which there is a betting round."""


def begin(options: Options, seats: int) -> State:
    """The match before its first hand."""
    return poker.begin(options, stacks_of(options, seats), Positions(first_dealer(options, seats)))


def phase(state: State) -> str:
    """The name of the street that is bet on; `done` where no hand is in play."""
    return poker.phase(state, STREETS)


def due(state: State) -> Due:
    """Who must decide next."""
    return poker.due(state)
