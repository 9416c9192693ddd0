"""The scorer's part of Seven-qiao: the score of a hand, and the end of a match (seven_qiao §5)."""

from schemas.cards import Card, Cards
from schemas.events import Events
from schemas.seven_qiao import HandScored, Kind, MatchEnded
from services.games.seven_qiao.drawing import FULL
from services.games.seven_qiao.options import Options
from services.games.seven_qiao.state import Hand, State
from services.games.shared.score import Points, added, seats_with
from services.games.shared.state import Unscored
from services.games.shuffle import SHARES

LIMIT = 14
RENEGE = 10
"""What breaking one's word costs, each time (seven_qiao §5)."""

POINTS: dict[Kind, int] = {"true": 10, "double": 20, "sum": 10, "many": 10}
"""seven_qiao §5; `bust` and `none` cost the sum of the cards."""

VALUES = {**dict(zip("23456789T", range(2, 11), strict=True)), "7": 10, "A": 1, "X": 1}
COURT = {"J": 11, "Q": 12, "K": 13}
"""seven_qiao §1"""


def value_of(options: Options, card: Card) -> int:
    """The value of a card (seven_qiao §1)."""
    if card[0] in COURT:
        return COURT[card[0]] if options.court_value == "rank" else 10
    return VALUES[card[0]]


def kind_of(cards: Cards, total: int) -> Kind:
    """What a hand of this sum comes to (seven_qiao §5)."""
    sevens = sum(card[0] == "7" for card in cards)
    match len(cards):
        case 1 if sevens == 1:
            return "true"
        case 2 if sevens == 2:
            return "double"
        case 2 if total == LIMIT:
            return "sum"
        case number if number == FULL and total <= LIMIT:
            return "many"
        case _:
            return "bust" if total > LIMIT else "none"


def score(state: State) -> Events:
    """Score the hand, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    match state.phase:
        case Unscored(hand=hand):
            scored = _score_hand(state, hand)
        case _:
            raise ValueError("no hand is to be scored")
    totals = scored.totals
    if not _is_over(state.options, scored):
        return (scored,)
    return scored, MatchEnded(winners=seats_with(max(totals), totals), losers=seats_with(min(totals), totals))


def _score_hand(state: State, hand: Hand) -> HandScored:
    options, seats = state.options, len(hand.held)
    sums = tuple(sum(value_of(options, card) for card in cards) for cards in hand.held)
    kinds: tuple[Kind, ...] = tuple(kind_of(cards, total) for cards, total in zip(hand.held, sums, strict=True))
    own = tuple(
        POINTS.get(kind, -total) - RENEGE * reneges
        for kind, total, reneges in zip(kinds, sums, hand.reneges, strict=True)
    )
    scores = _with_sides(options, own)
    return HandScored(
        hand_no=hand.hand_no,
        hands=hand.held,
        kinds=kinds,
        sums=sums,
        own_scores=own,
        scores=scores,
        totals=added(state.totals, scores),
        next_dealer=(hand.dealer + 1) % seats,
    )


def _with_sides(options: Options, own: Points) -> Points:
    """Each seat's score, or the sum over its side (seven_qiao §5)."""
    sides = options.sides
    if sides is None:
        return own
    return tuple(sum(points for points, other in zip(own, sides, strict=True) if other == side) for side in sides)


def _is_over(options: Options, scored: HandScored) -> bool:
    """Whether the match ends with this hand (seven_qiao §5); it does so too when there can be no other deal."""
    return scored.hand_no >= SHARES or max(map(abs, scored.totals)) >= options.match_target
