"""The scorer's part of Bluff: the score of a hand, totals, and the end of a match (bluff §6)."""

from schemas.bluff import HandScored, MatchEnded
from schemas.events import Events
from services.games.bluff.options import Options
from services.games.bluff.state import Hand, State
from services.games.shared.score import Points, added
from services.games.shared.state import Unscored


def score(state: State) -> Events:
    """Score the hand, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    match state.phase:
        case Unscored(hand=hand):
            points = scores(hand)
        case _:
            raise ValueError("no hand is to be scored")
    totals = added(state.totals, points)
    scored = HandScored(hand_no=hand.hand_no, scores=points, match_scores=totals, next_head=hand.finish_order[-1])
    if not is_over(state.options, totals):
        return (scored,)
    return scored, MatchEnded(winner=totals.index(max(totals)))


def scores(hand: Hand) -> Points:
    """The first place scores as many as there are seats, each later one less; the coward loses twice as many."""
    seats = len(hand.finish_order)
    points = (*range(seats, 1, -1), -2 * seats)
    return tuple(points[hand.finish_order.index(seat)] for seat in range(seats))


def is_over(options: Options, totals: Points) -> bool:
    """Whether somebody has reached the target, and one seat alone has the highest total."""
    best = max(totals)
    reached = best >= options.target or (options.target_mode == "absolute" and min(totals) <= -options.target)
    return reached and totals.count(best) == 1
