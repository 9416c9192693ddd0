"""The state of a match of the fishing game: one Struct for each phase (cassino §4)."""

from typing import assert_never

from msgspec import Struct

from schemas.cards import Card, Cards, Seat
from schemas.cassino import HandScored, MatchEnded
from schemas.log import Due
from services.games.cassino.options import Options
from services.games.game import DONE
from services.games.shared.state import Between, Ended, Unscored


class Build(Struct, frozen=True):
    """A hand card laid on cards of the table, which its maker alone may take (cassino §4)."""

    seat: Seat
    value: int
    top: Card
    seeds: Cards

    @property
    def cards(self) -> Cards:
        """All its cards."""
        return (*self.seeds, self.top)


class Penalties(Struct, frozen=True):
    """Penalty points: for builds not taken, wrong takes, and cards left in hand (cassino §5, §6)."""

    build: int = 0
    misplay: int = 0
    leftover: int = 0


class Hand(Struct, frozen=True, kw_only=True):
    """One hand.

    Attributes:
        held: the cards in each hand.
        table: the free cards.
        builds: in the order they were made, at most one a seat.
        stock: top first.
        piles: the cards each seat has taken.
        stuck: how many turns in a row were passed or skipped.
        last_taker: who took last; None where nobody has.
    """

    hand_no: int
    dealer: Seat
    held: tuple[Cards, ...]
    table: Cards
    stock: Cards
    piles: tuple[Cards, ...]
    penalties: tuple[Penalties, ...]
    builds: tuple[Build, ...] = ()
    stuck: int = 0
    last_taker: Seat | None = None


class Playing(Struct, frozen=True, kw_only=True):
    """The seat whose turn it is takes, builds or passes; `trails`: it has drawn, and lays a card."""

    hand: Hand
    turn: Seat
    trails: bool = False


Phase = Between[Hand, HandScored] | Playing | Unscored[Hand] | Ended[Hand, HandScored, MatchEnded]


class State(Struct, frozen=True, kw_only=True):
    """A match of the fishing game."""

    options: Options
    phase: Phase
    totals: tuple[int, ...]


def begin(options: Options, seats: int) -> State:
    """The match before its first hand."""
    return State(options=options, phase=Between(hand_no=1, dealer=options.first_dealer), totals=(0,) * seats)


def phase(state: State) -> str:
    """The name of the phase (cassino §5); `done` where no hand is in play."""
    match state.phase:
        case Playing(trails=trails):
            return "trail" if trails else "turn"
        case Between() | Unscored() | Ended():
            return DONE
        case _:
            assert_never(state.phase)


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


def build_of(hand: Hand, seat: Seat) -> Build | None:
    """The seat's open build."""
    for build in hand.builds:
        if build.seat == seat:
            return build
    return None
