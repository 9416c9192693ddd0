"""The state of a match of Durak: one Struct for each phase (durak §4)."""

from typing import assert_never

from msgspec import Struct

from schemas.cards import Card, Cards, Seat, Suit
from schemas.durak import HandScored, MatchEnded
from schemas.log import Due
from services.games.durak.options import Options
from services.games.game import DONE
from services.games.shared.state import Between, Ended, Unscored


class Pair(Struct, frozen=True, array_like=True):
    """An attack card on the table, and the card that beat it."""

    attack: Card
    defence: Card | None = None


class Hand(Struct, frozen=True, kw_only=True):
    """One hand: what the deal fixed, and what has come of it.

    Attributes:
        held: the cards in each hand, in canonical order.
        stock: top first; its last card is the turn-up.
        turn_up: open to all as long as it lies under the stock; None where it was drawn.
        out: the seats out, in order.
        main: who attacks, and whom; the defender is asked to beat.
        table: the cards of this battle.
        closed: no further attack card may be played in this battle (durak §6).
        heir: who refilled an empty hand in this battle, and attacks next (durak §7).
        out_before: how many seats were out when this battle began, and
        stock_before: how many cards were in the stock then.
        discarded: how many cards have left the hand.
        pick_ups: battles in a row that ended with a pick-up, nobody out and no stock (durak §8).
        idle: battles in a row that ended with a pick-up, nobody out and no card drawn (durak §8).
        finish_order: the seats out and ranked, in order; empty while the hand goes on.
        duraks: who is left then.
        stalled: whether it was stopped (durak §8).
    """

    hand_no: int
    dealer: Seat
    trump: Suit
    held: tuple[Cards, ...]
    stock: Cards
    turn_up: Card | None
    main: Seat
    defender: Seat
    out: tuple[Seat, ...] = ()
    table: tuple[Pair, ...] = ()
    closed: bool = False
    heir: Seat | None = None
    out_before: int = 0
    stock_before: int = 0
    discarded: int = 0
    pick_ups: int = 0
    idle: int = 0
    finish_order: tuple[Seat, ...] = ()
    duraks: tuple[Seat, ...] = ()
    stalled: bool = False


class Exchanging(Struct, frozen=True, kw_only=True):
    """The holder of the trump 2 answers whether to exchange; nobody else knows who it is (durak §3)."""

    hand: Hand
    holder: Seat


class Attacking(Struct, frozen=True, kw_only=True):
    """The main attacker opens a battle."""

    hand: Hand


class Defending(Struct, frozen=True, kw_only=True):
    """The defender answers the last attack card."""

    hand: Hand


class Throwing(Struct, frozen=True, kw_only=True):
    """`asked` answers whether to throw in a card."""

    hand: Hand
    asked: Seat


Battle = Attacking | Defending | Throwing
Phase = Between[Hand, HandScored] | Exchanging | Battle | Unscored[Hand] | Ended[Hand, HandScored, MatchEnded]


class State(Struct, frozen=True, kw_only=True):
    """A match of Durak and its running totals."""

    options: Options
    phase: Phase
    totals: tuple[int, ...]


def begin(options: Options, seats: int) -> State:
    """The match before its first hand."""
    return State(options=options, phase=Between(hand_no=1, dealer=0), totals=(0,) * seats)


def phase(state: State) -> str:
    """The name of the phase (durak §4); `done` where no hand is in play."""
    match state.phase:
        case Exchanging():
            return "exchange"
        case Attacking():
            return "attack"
        case Defending():
            return "defend"
        case Throwing():
            return "throw"
        case Between() | Unscored() | Ended():
            return DONE
        case _:
            assert_never(state.phase)


def due(state: State) -> Due:
    """Who must decide next."""
    match state.phase:
        case Attacking() | Defending() | Throwing():
            return (turn_of(state.phase),)
        case Exchanging(holder=seat):
            return (seat,)
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


def turn_of(battle: Battle) -> Seat:
    """Who is to play a card."""
    match battle:
        case Attacking(hand=hand):
            return hand.main
        case Defending(hand=hand):
            return hand.defender
        case Throwing(asked=seat):
            return seat
        case _:
            assert_never(battle)


def veils(state: State) -> bool:
    """Who holds the trump 2 is secret while asked whether to exchange (durak §3)."""
    return isinstance(state.phase, Exchanging)


def cards_of(table: tuple[Pair, ...]) -> Cards:
    """All cards on the table."""
    return tuple(card for pair in table for card in (pair.attack, pair.defence) if card is not None)
