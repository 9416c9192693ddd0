"""The scorer's part of show hand: suits break every tie, so that no pot is split (show_hand)."""

from schemas.events import Events
from services.games.shared.poker import showdown
from services.games.shared.poker.options import dealer_moves
from services.games.shared.poker.ranking import Ranking
from services.games.shared.poker.showdown import Scoring, by_position
from services.games.show_hand.options import Options, can_play
from services.games.show_hand.state import State


def ranking(_options: Options) -> Ranking:
    """The order of hands."""
    return "show_hand"


SCORING: Scoring[Options] = Scoring(
    ranking=ranking,
    odd_chips=lambda _, hand: by_position(hand.positions.dealer),
    can_play=can_play,
    next_positions=dealer_moves,
)


def score(state: State) -> Events:
    """Show and award, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    return showdown.score(SCORING, state)
