"""The scorer's part of Bluff: the score of a hand, totals, and the end of a match (bluff §6)."""

from schemas.bluff import HandScored, MatchEnded
from schemas.events import Events
from services.games.bluff.options import Options
from services.games.bluff.state import Hand, State
from services.games.shared.score import Points, added, seats_with
from services.games.shared.state import Unscored
from services.games.shuffle import SHARES


def score(state: State) -> Events:
    """Score the hand, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    match state.phase:
        case Unscored(hand=hand):
            points = scores(hand)
        case _:
            raise ValueError("no hand is to be scored")
    totals = added(state.totals, points)
    scored = HandScored(hand_no=hand.hand_no, scores=points, totals=totals, next_leader=hand.finish_order[-1])
    if not is_over(state.options, totals, hand.hand_no):
        return (scored,)
    return scored, MatchEnded(winners=seats_with(max(totals), totals))


def scores(hand: Hand) -> Points:
    """The first place scores as many as there are seats, each later one less; the coward loses twice as many."""
    seats = len(hand.finish_order)
    points = (*range(seats, 1, -1), -2 * seats)
    return tuple(points[hand.finish_order.index(seat)] for seat in range(seats))


def is_over(options: Options, totals: Points, hand_no: int) -> bool:
    """Whether somebody has reached the target, and one seat alone has the highest total (bluff §6).

    It ends anyhow when there can be no other deal.
    """
    if hand_no >= SHARES:
        return True
    best = max(totals)
    reached = best >= options.target or (options.target_mode == "absolute" and min(totals) <= -options.target)
    return reached and totals.count(best) == 1
