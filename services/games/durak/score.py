"""The scorer's part of Durak: the score of a hand, totals, and the end of a match (durak §9)."""

from operator import add

from schemas.cards import Seat
from schemas.durak import HandPlayed, HandScored, MatchEnded
from schemas.events import Events
from services.games.durak.options import Options
from services.games.durak.state import State, Unscored


def score(state: State) -> Events:
    """Score the hand, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    match state.phase:
        case Unscored(hand=hand, played=played):
            points = scores(played, len(state.totals))
        case _:
            raise ValueError("no hand is to be scored")
    totals = tuple(map(add, state.totals, points))
    scored = HandScored(
        hand_no=hand.hand_no,
        scores=points,
        match_scores=totals,
        next_dealer=next_dealer(state.options, played, hand.dealer, len(totals)),
    )
    if hand.hand_no < state.options.match_hands:
        return (scored,)
    return scored, MatchEnded(winners=tuple(seat for seat, total in enumerate(totals) if total == max(totals)))


def scores(played: HandPlayed, seats: int) -> tuple[int, ...]:
    """The first out scores as many as there are seats, each later one less; a durak loses as many."""
    places = {seat: seats - place for place, seat in enumerate(played.finish_order)}
    return tuple(places.get(seat, -seats) for seat in range(seats))


def next_dealer(options: Options, played: HandPlayed, dealer: Seat, seats: int) -> Seat:
    """Who deals the next hand."""
    match options.next_dealer:
        case "durak":
            return min(played.duraks, key=lambda seat: (seat - dealer - 1) % seats)
        case "rotate":
            return (dealer + 1) % seats
        case "winner":
            return played.finish_order[0]
