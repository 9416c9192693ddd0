"""The state of a match of Fifty-K: one Struct for each phase (fifty_k §5)."""

from typing import assert_never

from msgspec import Struct

from schemas.cards import Cards, Seat
from schemas.fifty_k import HandScored, MatchEnded, Played
from schemas.log import Due
from services.games.fifty_k.options import SEATS, Options
from services.games.game import DONE
from services.games.shared.state import Ended, Unscored

POINTS = {"5": 5, "T": 10, "K": 10}
"""What cards count, by rank (fifty_k §1)."""


def points_of(cards: Cards) -> int:
    """The points of these cards."""
    return sum([POINTS.get(card[0], 0) for card in cards])


def side_of(seat: Seat) -> int:
    """The side of a seat: 0 and 2 are one, 1 and 3 the other."""
    return seat % 2


class Hand(Struct, frozen=True, kw_only=True):
    """One hand.

    Attributes:
        held: the cards in each hand, in canonical order.
        opening: the lead must hold the 3s.
        trick: the plays on the table, the one to beat last.
        passed: the seats that passed since, or in this trick where passes are final.
        points: those in the trick that nobody has captured yet.
        captured: the points that each seat has captured.
        finished: the seats without cards, in order.
    """

    hand_no: int
    first_receiver: Seat
    held: tuple[Cards, ...]
    opening: bool
    trick: tuple[Played, ...] = ()
    passed: tuple[Seat, ...] = ()
    points: int = 0
    captured: tuple[int, ...] = (0,) * SEATS
    finished: tuple[Seat, ...] = ()

    @property
    def current(self) -> Played | None:
        """The play to beat."""
        return self.trick[-1] if self.trick else None


class Between(Struct, frozen=True, kw_only=True):
    """No hand is in play, and the next one is to be dealt.

    Attributes:
        first_receiver: who is dealt the first card, and leads; in the first hand the 3s says who leads.
        last: the hand before; None before the first, as is `result`.
    """

    hand_no: int
    first_receiver: Seat
    last: Hand | None = None
    result: HandScored | None = None


class Playing(Struct, frozen=True, kw_only=True):
    """`turn` leads, or answers the play to beat."""

    hand: Hand
    turn: Seat


Phase = Between | Playing | Unscored[Hand] | Ended[Hand, HandScored, MatchEnded]


class State(Struct, frozen=True, kw_only=True):
    """A match of Fifty-K and its running totals, one a side."""

    options: Options
    phase: Phase
    totals: tuple[int, ...] = (0, 0)


def begin(options: Options, _seats: int) -> State:
    """The match before its first hand."""
    return State(options=options, phase=Between(hand_no=1, first_receiver=0))


def phase(state: State) -> str:
    """The name of the phase; `done` where no hand is in play."""
    return "play" if isinstance(state.phase, Playing) else DONE


def due(state: State) -> Due:
    """Who must decide next."""
    match state.phase:
        case Playing(turn=turn):
            return (turn,)
        case Between():
            return "dealer"
        case Unscored():
            return "scorer"
        case Ended():
            return "none"
        case _:
            assert_never(state.phase)


def hand_of(state: State) -> Hand | None:
    """The hand in play, or else the last one; None before the first."""
    return state.phase.last if isinstance(state.phase, (Between, Ended)) else state.phase.hand


def result_of(state: State) -> HandScored | None:
    """The scores of the last hand; None while a hand is in play, and before the first."""
    return state.phase.result if isinstance(state.phase, (Between, Ended)) else None


def outcome_of(state: State) -> MatchEnded | None:
    """What came of the match; None while it goes on."""
    return state.phase.outcome if isinstance(state.phase, Ended) else None
