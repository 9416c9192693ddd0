"""The scorer's part of Texas hold'em: equal hands split, odd chips left of the button, and where it goes next."""

from schemas.cards import Seat
from schemas.events import Events
from schemas.poker import Positions
from services.games.shared.poker import showdown
from services.games.shared.poker.betting import left_of
from services.games.shared.poker.options import next_dealer
from services.games.shared.poker.ranking import Ranking
from services.games.shared.poker.showdown import Scoring, by_position
from services.games.texas_holdem.options import Options, can_play
from services.games.texas_holdem.state import State, blinds_behind


def ranking(_options: Options) -> Ranking:
    """The order of hands."""
    return "standard"


def next_positions(options: Options, positions: Positions, players: tuple[Seat, ...]) -> Positions:
    """Button and blinds of the next hand (texas_holdem, Button)."""
    if options.button_rule == "dead":
        return _dead(positions, players)
    dealer = next_dealer(positions.dealer, players)
    if len(players) == 2 and next_dealer(dealer, players) == positions.big:
        dealer = next_dealer(dealer, players)  # nobody is big blind twice in a row
    return blinds_behind(dealer, players)


def _dead(positions: Positions, players: tuple[Seat, ...]) -> Positions:
    """The big blind moves on; the places behind it are those of the last hand, even if a seat is out."""
    last_big = positions.dealer if positions.big is None else positions.big
    big = next_dealer(last_big, players)
    if len(players) == 2:
        other = left_of(big, players)[0]
        return Positions(other, small=other, big=big)
    dealer = positions.dealer if positions.small is None else positions.small
    return Positions(dealer, small=last_big, big=big)


SCORING: Scoring[Options] = Scoring(
    ranking=ranking,
    odd_chips=lambda _, hand: by_position(hand.positions.dealer),
    can_play=can_play,
    next_positions=next_positions,
)


def score(state: State) -> Events:
    """Show and award, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    return showdown.score(SCORING, state)
