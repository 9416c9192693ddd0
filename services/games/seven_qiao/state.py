"""The state of a match of Seven-qiao: one Struct for each phase (seven_qiao §4)."""

from typing import assert_never

from msgspec import Struct

from schemas.cards import Cards, Seat
from schemas.log import Due
from schemas.seven_qiao import HandScored, MatchEnded
from services.games.game import DONE
from services.games.seven_qiao.options import Options
from services.games.shared.state import Between, Ended, Unscored


class Hand(Struct, frozen=True, kw_only=True):
    """One hand.

    Attributes:
        held: the cards in each hand.
        stock: top first.
        pending: for each seat whether a card is offered to it.
        done: for each seat whether it draws no more.
        reneges: how often each seat has broken its word.
    """

    hand_no: int
    dealer: Seat
    held: tuple[Cards, ...]
    stock: Cards
    pending: tuple[bool, ...]
    done: tuple[bool, ...]
    reneges: tuple[int, ...]


class Asking(Struct, frozen=True, kw_only=True):
    """Each seat in its turn is asked whether it wants a card."""

    hand: Hand
    turn: Seat


class Drawing(Struct, frozen=True, kw_only=True):
    """Cards are drawn freely, by the seat whose turn it is, or by all that are not done (None)."""

    hand: Hand
    turn: Seat | None


Phase = Between[Hand, HandScored] | Asking | Drawing | Unscored[Hand] | Ended[Hand, HandScored, MatchEnded]


class State(Struct, frozen=True, kw_only=True):
    """A match of Seven-qiao."""

    options: Options
    phase: Phase
    totals: tuple[int, ...]


def begin(options: Options, seats: int) -> State:
    """The match before its first hand."""
    return State(options=options, phase=Between(hand_no=1, dealer=options.first_dealer), totals=(0,) * seats)


def phase(state: State) -> str:
    """The name of the phase (seven_qiao §4); `done` where no hand is in play."""
    match state.phase:
        case Asking():
            return "ask"
        case Drawing():
            return "free"
        case Between() | Unscored() | Ended():
            return DONE
        case _:
            assert_never(state.phase)


def due(state: State) -> Due:
    """Who must decide next."""
    match state.phase:
        case Asking(turn=turn):
            return (turn,)
        case Drawing(turn=turn, hand=hand):
            return not_done(hand) if turn is None else (turn,)
        case Between():
            return "dealer"
        case Unscored():
            return "scorer"
        case Ended():
            return "none"
        case _:
            assert_never(state.phase)


def not_done(hand: Hand) -> tuple[Seat, ...]:
    """The seats that may still draw."""
    return tuple([seat for seat, is_done in enumerate(hand.done) if not is_done])


def hand_of(state: State) -> Hand | None:
    """The hand in play, or else the last one; None before the first."""
    return state.phase.last if isinstance(state.phase, (Between, Ended)) else state.phase.hand


def result_of(state: State) -> HandScored | None:
    """The scores of the last hand; None while a hand is in play, and before the first."""
    return state.phase.result if isinstance(state.phase, (Between, Ended)) else None


def outcome_of(state: State) -> MatchEnded | None:
    """What came of the match; None while it goes on."""
    return state.phase.outcome if isinstance(state.phase, Ended) else None
