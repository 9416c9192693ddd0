"""The state of a match of Piquet: one Struct for each phase (piquet §4)."""

from typing import assert_never

from msgspec import Struct
from msgspec.structs import astuple

from schemas.cards import Card, Cards, Seat
from schemas.log import Due
from schemas.piquet import Category, CategoryDecided, Declared, HandScored, MatchEnded
from services.games.game import DONE
from services.games.piquet.options import RANKS, SEATS, Options
from services.games.shared.state import Between, Ended, Unscored

PLACE = {rank: place for place, rank in enumerate(RANKS)}

CATEGORIES: tuple[Category, ...] = ("point", "sequence", "set")


class Parts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a seat's hand score is made of so far (piquet §5)."""

    carte_blanche: int = 0
    point: int = 0
    sequence: int = 0
    set: int = 0
    lead: int = 0
    capture: int = 0
    last: int = 0
    repique: int = 0
    pique: int = 0
    cards: int = 0
    capot: int = 0


def running(parts: Parts) -> int:
    """The points that count towards 30 (piquet §5.3)."""
    return sum(astuple(parts)[:7])


def total(parts: Parts) -> int:
    """The hand score so far (piquet §5)."""
    return sum(astuple(parts))


class Hand(Struct, frozen=True, kw_only=True):
    """One hand.

    Attributes:
        dealt: the cards dealt to each seat, by which carte blanche is judged.
        held: the cards in each hand.
        talon: what is left of it, top first.
        discards: the cards each seat has discarded.
        seen: the cards of the talon that elder left and looked at.
        blank: the seats that have declared carte blanche.
        open: the seats whose hands lie face up.
        declared: all declarations in order.
        decided: the categories decided, in order.
        parts: what each seat has scored.
        tricks: the winners of the tricks.
    """

    hand_no: int
    dealer: Seat
    dealt: tuple[Cards, ...]
    held: tuple[Cards, ...]
    talon: Cards
    discards: tuple[Cards, ...] = ((), ())
    seen: Cards = ()
    blank: tuple[Seat, ...] = ()
    open: tuple[Seat, ...] = ()
    declared: tuple[Declared, ...] = ()
    decided: tuple[CategoryDecided, ...] = ()
    parts: tuple[Parts, ...] = (Parts(), Parts())
    tricks: tuple[Seat, ...] = ()


class Exchanging(Struct, frozen=True, kw_only=True):
    """The seat whose turn it is exchanges cards."""

    hand: Hand
    turn: Seat


class Declaring(Struct, frozen=True, kw_only=True):
    """The seat whose turn it is declares what it has of a category; `turn` is None while that is decided."""

    hand: Hand
    what: Category
    turn: Seat | None


class Playing(Struct, frozen=True, kw_only=True):
    """Tricks are played; `lead` is the card led to the trick on the table."""

    hand: Hand
    turn: Seat
    lead: Card | None = None


Phase = (
    Between[Hand, HandScored] | Exchanging | Declaring | Playing | Unscored[Hand] | Ended[Hand, HandScored, MatchEnded]
)


class State(Struct, frozen=True, kw_only=True):
    """A match of Piquet."""

    options: Options
    phase: Phase
    totals: tuple[int, ...] = (0, 0)


def begin(options: Options, _seats: int) -> State:
    """The match before its first hand."""
    return State(options=options, phase=Between(hand_no=1, dealer=options.first_dealer))


def phase(state: State) -> str:
    """The name of the phase (piquet §4); `done` where no hand is in play."""
    match state.phase:
        case Playing():
            return "play"
        case Declaring():
            return "declare"
        case Exchanging():
            return "exchange"
        case Between() | Unscored() | Ended():
            return DONE
        case _:
            assert_never(state.phase)


def due(state: State) -> Due:
    """Who must decide next."""
    match state.phase:
        case Playing(turn=turn) | Exchanging(turn=turn):
            return (turn,)
        case Declaring(turn=turn, hand=hand):
            return (elder(hand) if turn is None else turn,)
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


def other(seat: Seat) -> Seat:
    """The opponent of a seat."""
    return SEATS - 1 - seat


def elder(hand: Hand) -> Seat:
    """The seat that does not deal."""
    return other(hand.dealer)
