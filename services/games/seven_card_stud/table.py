"""The lay-out of a match of seven-card stud for viewers (poker §9)."""

from schemas.views import Table
from services.games.seven_card_stud.state import STREETS, State
from services.games.shared.poker import table as poker


def table(state: State) -> Table:
    """Face-down cards hidden to the others until they are shown; chips and all other cards are open."""
    return poker.table(state, game="seven_card_stud", streets=STREETS)
