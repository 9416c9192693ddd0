"""The scorer's part of show hand: suits break every tie, so that no pot is split (show_hand)."""

from schemas.cards import Seat
from schemas.events import Events
from schemas.poker import Positions
from services.games.shared.poker import showdown
from services.games.shared.poker.options import next_dealer
from services.games.shared.poker.ranking import Ranking
from services.games.shared.poker.showdown import Scoring, by_position
from services.games.show_hand.options import Options, can_play
from services.games.show_hand.state import State


def ranking(_options: Options) -> Ranking:
    """The order of hands."""
    return "show_hand"


def next_positions(_options: Options, positions: Positions, players: tuple[Seat, ...]) -> Positions:
    """The dealer moves to the next seat that can still play."""
    return Positions(next_dealer(positions.dealer, players))


SCORING: Scoring[Options] = Scoring(
    ranking=ranking,
    odd_chips=lambda _, hand: by_position(hand.positions.dealer),
    mucks=lambda options: options.showdown == "muck_losing",
    can_play=can_play,
    next_positions=next_positions,
)


def score(state: State) -> Events:
    """Show and award, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    return showdown.score(SCORING, state)
