"""The state of a match of a poker game, and how events change it: what was decided stands in the event."""

from collections.abc import Sequence
from typing import Generic, Literal, Protocol, TypeVar, assert_never

from msgspec import Struct

from schemas.cards import Cards, Seat
from schemas.log import Due
from schemas.poker import (
    Bust,
    Chips,
    HandScored,
    MatchEnded,
    Positions,
    Round,
)
from services.games.game import DONE
from services.games.shared.state import Ended, Unscored


class PokerOptions(Protocol):
    """The options that all poker games have (poker §12)."""

    @property
    def starting_stack(self) -> int:
        """Every seat's chips, where `stacks` says nothing."""
        ...

    @property
    def stacks(self) -> tuple[int, ...] | None:
        """Each seat's chips at the start of the match."""
        ...

    @property
    def dealer(self) -> Seat | None:
        """The first dealer."""
        ...

    @property
    def showdown(self) -> Literal["all", "muck_losing"]:
        """Whether all show, or losing hands may stay closed."""
        ...

    @property
    def max_hands(self) -> int | None:
        """The number of hands in a match; None for no limit."""
        ...


O = TypeVar("O", bound=PokerOptions)  # noqa: E741  # as Opt in game.py, where every letter would do


class Hand(Struct, frozen=True, kw_only=True):
    """One hand.

    Attributes:
        seats: those dealt in, from left of the dealer.
        live: the seats in: dealt in and not folded; in seat order.
        start: all stacks before the hand.
        stock: what is left of the deck, in dealing order.
        down: face-down cards of each seat of the match.
        up: face-up cards of each seat.
        board: cards that belong to everybody.
        street: how many rounds of cards were dealt after the first.
        put: chips of each seat in this hand, antes included.
        dead: chips in the main pot that count for no seat.
        returned: chips that nobody matched.
        opener: of the last betting round; None before the first.
        aggressor: who bet or raised last in it.
        faces: the face-down cards that each seat has turned up.
        shown: the seats that showed their hands, in this order.
        mucked: those that kept them closed.
    """

    hand_no: int
    positions: Positions
    seats: tuple[Seat, ...]
    live: tuple[Seat, ...]
    start: Chips
    stock: Cards
    down: tuple[Cards, ...]
    up: tuple[Cards, ...]
    put: Chips
    returned: Chips
    faces: tuple[Cards, ...]
    board: Cards = ()
    street: int = 0
    dead: int = 0
    opener: Seat | None = None
    aggressor: Seat | None = None
    shown: tuple[Seat, ...] = ()
    mucked: tuple[Seat, ...] = ()


class Between(Struct, frozen=True, kw_only=True):
    """No hand is in play, and the next one is to be dealt; `last` and `result` tell of the one before."""

    hand_no: int
    positions: Positions
    last: Hand | None = None
    result: HandScored | None = None


class Dealing(Struct, frozen=True, kw_only=True):
    """Cards are being dealt; no commit ends here."""

    hand: Hand


class Betting(Struct, frozen=True, kw_only=True):
    """A betting round is on: the first seat of `round.waiting` is to act."""

    hand: Hand
    round: Round


Phase = Between | Dealing | Betting | Unscored[Hand] | Ended[Hand, HandScored, MatchEnded]


class State(Struct, Generic[O], frozen=True, kw_only=True):
    """A match of a poker game.

    Attributes:
        stacks: the chips before each seat, without those in the pot.
        start: the stacks at the start of the match.
        busts: the seats that can play no more, the first to leave first.
        hand_scores: of each hand scored.
    """

    options: O
    phase: Phase
    stacks: Chips
    start: Chips
    busts: tuple[Bust, ...] = ()
    hand_scores: tuple[Chips, ...] = ()


def begin(options: O, stacks: Chips, positions: Positions) -> State[O]:
    """The match before its first hand."""
    return State(options=options, phase=Between(hand_no=1, positions=positions), stacks=stacks, start=stacks)


def phase(state: State[O], streets: Sequence[str]) -> str:
    """The name of the street that is bet on; `done` where no hand is in play."""
    match state.phase:
        case Betting(hand=hand) | Dealing(hand=hand):
            return streets[hand.street] if 0 <= hand.street < len(streets) else streets[-1]
        case Between() | Unscored() | Ended():
            return DONE
        case _:
            assert_never(state.phase)


def due(state: State[O]) -> Due:
    """Who must decide next."""
    match state.phase:
        case Betting(round=betting):
            return betting.waiting[:1]
        case Between() | Dealing():
            return "dealer"
        case Unscored():
            return "scorer"
        case Ended():
            return "none"
        case _:
            assert_never(state.phase)


def hand_of(state: State[O]) -> Hand | None:
    """The hand in play, or else the last one; None before the first."""
    return state.phase.last if isinstance(state.phase, (Between, Ended)) else state.phase.hand


def result_of(state: State[O]) -> HandScored | None:
    """The scores of the last hand; None while a hand is in play, and before the first."""
    return state.phase.result if isinstance(state.phase, (Between, Ended)) else None


def outcome_of(state: State[O]) -> MatchEnded | None:
    """What came of the match; None while it goes on."""
    return state.phase.outcome if isinstance(state.phase, Ended) else None


def cards_of(hand: Hand, seat: Seat) -> Cards:
    """All cards that a seat makes its hand of."""
    return hand.down[seat] + hand.up[seat] + hand.board
