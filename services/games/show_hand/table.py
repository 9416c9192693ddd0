"""The lay-out of a match of show hand for viewers (poker §9)."""

from schemas.views import Table
from services.games.shared.poker import table as poker
from services.games.show_hand.state import STREETS, State


def table(state: State) -> Table:
    """Face-down cards hidden to the others until they are shown; chips and all other cards are open."""
    return poker.table(state, game="show_hand", streets=STREETS)
