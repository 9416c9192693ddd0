"""The state of a match of Bluff: one Struct for each phase (bluff §3)."""

from typing import assert_never

from msgspec import Struct

from schemas.bluff import HandScored, MatchEnded, Rank
from schemas.cards import Cards, Seat
from schemas.log import Due
from services.games.bluff.options import Options
from services.games.game import DONE
from services.games.shared.state import Ended, Unscored


class Laid(Struct, frozen=True):
    """A play that lies in the pile, with what it claims."""

    seat: Seat
    cards: Cards
    rank: Rank | None


class Turned(Struct, frozen=True):
    """The last challenge: whose play was turned up by whom, what it was, and who took how many cards."""

    seat: Seat
    by: Seat
    cards: Cards
    rank: Rank | None
    true: bool
    taker: Seat
    taken: int


class Hand(Struct, frozen=True, kw_only=True):
    """One hand.

    Attributes:
        head: who led first.
        held: the cards in each hand, in canonical order.
        pile: the plays of this round, the last one last; none where a round is to be led.
        out: the seats out, in order.
        removed: how many cards have left the hand.
        plays: how many plays there were, which says what rank is due in a sequence.
        actions: how many actions there were, which a limit counts.
        turned: the last challenge, until somebody plays or passes again.
        finish_order: all seats in order of their places; empty while the hand goes on.
    """

    hand_no: int
    head: Seat
    held: tuple[Cards, ...]
    pile: tuple[Laid, ...] = ()
    out: tuple[Seat, ...] = ()
    removed: int = 0
    plays: int = 0
    actions: int = 0
    turned: Turned | None = None
    finish_order: tuple[Seat, ...] = ()


class Between(Struct, frozen=True, kw_only=True):
    """No hand is in play, and the next one is dealt from `head` on; `last` and `result` are None before the first."""

    hand_no: int
    head: Seat
    last: Hand | None = None
    result: HandScored | None = None


class Playing(Struct, frozen=True, kw_only=True):
    """`turn` leads a round, or answers the last play."""

    hand: Hand
    turn: Seat


Phase = Between | Playing | Unscored[Hand] | Ended[Hand, HandScored, MatchEnded]


class State(Struct, frozen=True, kw_only=True):
    """A match of Bluff and its running totals."""

    options: Options
    phase: Phase
    totals: tuple[int, ...]


def begin(options: Options, seats: int) -> State:
    """The match before its first hand."""
    return State(options=options, phase=Between(hand_no=1, head=0), totals=(0,) * seats)


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
