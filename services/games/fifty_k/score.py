"""The scorer's part of Fifty-K: the score of a hand, totals, and the end of a match (fifty_k §8, §9)."""

from schemas.cards import Seat
from schemas.events import Events
from schemas.fifty_k import HandScored, MatchEnded, Result
from services.games.fifty_k.options import SEATS, Options
from services.games.fifty_k.state import Hand, State, points_of, side_of
from services.games.shared.score import Points, added, seats_with
from services.games.shared.state import Unscored
from services.games.shuffle import SHARES

_DECK_POINTS = 100


def score(state: State) -> Events:
    """Score the hand, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    match state.phase:
        case Unscored(hand=hand):
            sides = side_scores(state.options, hand)
        case _:
            raise ValueError("no hand is to be scored")
    totals = added(state.totals, sides)
    of_seats = tuple(totals[side_of(seat)] for seat in range(SEATS))
    scored = HandScored(
        hand_no=hand.hand_no,
        result=result_of(hand.finished),
        unplayed=tuple(map(points_of, hand.held)),
        side_scores=sides,
        scores=tuple(sides[side_of(seat)] for seat in range(SEATS)),
        totals=of_seats,
        next_leader=hand.finished[0],
    )
    if not is_over(state.options, totals, hand.hand_no):
        return (scored,)
    return scored, MatchEnded(winners=seats_with(max(of_seats), of_seats))


def result_of(finished: tuple[Seat, ...]) -> Result:
    """What the first finisher's side has made of the hand (fifty_k §6)."""
    first, *others = map(side_of, finished)
    if len(others) == 1:
        return "double_catch"
    return "single_catch" if others[-1] == first else "hold"


def side_scores(options: Options, hand: Hand) -> tuple[int, int]:
    """The score of each side (fifty_k §8)."""
    side = side_of(hand.finished[0])
    result = result_of(hand.finished)
    if result == "double_catch" and options.one_two == "sweep":
        return _sides(side, _DECK_POINTS * options.decks, 0)
    points = [0, 0]
    for seat in range(SEATS):
        points[side_of(seat)] += hand.captured[seat]
    _move_last(options, hand, points)
    _count_unplayed(options, hand, points)
    transfer = {"double_catch": options.double_transfer, "single_catch": options.single_transfer, "hold": 0}[result]
    return _sides(side, points[side] + transfer, points[1 - side] - transfer)


def _sides(side: int, own: int, other: int) -> tuple[int, int]:
    return (own, other) if side == 0 else (other, own)


def _move_last(options: Options, hand: Hand, points: list[int]) -> None:
    """Step 2: what the last player has captured."""
    side = side_of(hand.finished[0])
    last = [seat for seat in range(SEATS) if seat not in hand.finished]
    if len(last) != 1 or side_of(last[0]) == side or options.last_captured == "own_side":
        return
    points[1 - side] -= hand.captured[last[0]]
    if options.last_captured == "first_side":
        points[side] += hand.captured[last[0]]


def _count_unplayed(options: Options, hand: Hand, points: list[int]) -> None:
    """Step 3: the points in unplayed cards."""
    unplayed = list(map(points_of, hand.held))
    match options.unplayed:
        case "to_ender":
            points[side_of(hand.finished[-1])] += sum(unplayed)
        case "deduct":
            for seat in range(SEATS):
                points[side_of(seat)] -= unplayed[seat]
        case "void":
            pass


def is_over(options: Options, totals: Points, hand_no: int) -> bool:
    """Whether the target or the number of hands is reached, and the sides differ (fifty_k §9).

    It ends anyhow when there can be no other deal.
    """
    if hand_no >= SHARES:
        return True
    reached = max(totals) >= options.target or 0 < options.max_hands <= hand_no
    return reached and totals[0] != totals[1]
