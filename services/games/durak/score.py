"""The scorer's part of Durak: the score of a hand, totals, and the end of a match (durak §9)."""

from schemas.cards import Seat
from schemas.durak import HandScored, MatchEnded
from schemas.events import Events
from services.games.durak.options import Options
from services.games.durak.state import Hand, State
from services.games.shared.score import Points, added, seats_with
from services.games.shared.seats import in_turn
from services.games.shared.state import Unscored


def score(state: State) -> Events:
    """Score the hand, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    match state.phase:
        case Unscored(hand=hand):
            points = scores(hand)
        case _:
            raise ValueError("no hand is to be scored")
    totals = added(state.totals, points)
    scored = HandScored(
        hand_no=hand.hand_no,
        scores=points,
        totals=totals,
        next_dealer=next_dealer(state.options, hand),
    )
    if hand.hand_no < state.options.match_hands:
        return (scored,)
    return scored, MatchEnded(winners=seats_with(max(totals), totals))


def scores(hand: Hand) -> Points:
    """The first out scores as many as there are seats, each later one less; a durak loses as many."""
    seats = len(hand.held)
    places = {seat: seats - place for place, seat in enumerate(hand.finish_order)}
    return tuple(places.get(seat, -seats) for seat in range(seats))


def next_dealer(options: Options, hand: Hand) -> Seat:
    """Who deals the next hand."""
    order = in_turn(hand.dealer + 1, seats=len(hand.held))
    match options.next_dealer:
        case "durak":
            return min(hand.duraks, key=order.index)
        case "rotate":
            return order[0]
        case "winner":
            return hand.finish_order[0]
