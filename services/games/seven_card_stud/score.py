"""The scorer's part of seven-card stud: the ranking that is played, and odd chips by the cards (poker §7)."""

from collections.abc import Sequence

from schemas.cards import Card, Seat
from schemas.events import Events
from services.games.seven_card_stud.options import Options, can_play
from services.games.seven_card_stud.state import State
from services.games.shared.cards import RANK_OF
from services.games.shared.poker import showdown
from services.games.shared.poker.options import dealer_moves
from services.games.shared.poker.pots import OddChips
from services.games.shared.poker.ranking import SUIT_VALUE, Ranking, best_five
from services.games.shared.poker.showdown import Scoring
from services.games.shared.poker.state import Hand, cards_of


def ranking(options: Options) -> Ranking:
    """The order of hands."""
    return options.ranking


def _by_rank_then_suit(card: Card) -> tuple[int, int]:
    """To compare single cards: by rank, then by suit s, h, d, c (poker §7)."""
    return RANK_OF[card[0]], SUIT_VALUE["standard"][card[1]]


def by_highest_card(_options: Options, hand: Hand) -> OddChips:
    """Odd chips go to the winner whose five cards hold the highest card, by rank, then by suit (poker §7)."""

    def highest(seat: Seat) -> list[tuple[int, int]]:
        return sorted(map(_by_rank_then_suit, best_five(cards_of(hand, seat), "standard").cards), reverse=True)

    def order(winners: tuple[Seat, ...]) -> Sequence[Seat]:
        return sorted(winners, key=highest, reverse=True)

    return order


SCORING: Scoring[Options] = Scoring(
    ranking=ranking,
    odd_chips=by_highest_card,
    can_play=can_play,
    next_positions=dealer_moves,
)


def score(state: State) -> Events:
    """Show and award, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    return showdown.score(SCORING, state)
