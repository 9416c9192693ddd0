"""The state of a match of Durak, and how events change it: what was decided stands in the event."""

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from schemas import durak
from schemas.cards import Card, Cards, Seat, Suit
from schemas.durak import (
    Attacked,
    BattleEnded,
    Beaten,
    Declined,
    Drew,
    Exchanged,
    ExchangeEnded,
    HandDealt,
    HandPlayed,
    HandScored,
    MatchEnded,
    PickedUp,
    WentOut,
)
from schemas.events import Event
from schemas.log import Due
from services.games.durak.options import Options
from services.games.game import DONE
from services.games.shared.cards import in_order
from services.games.shared.total import opened, put, without


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


class Between(Struct, frozen=True, kw_only=True):
    """No hand is in play, and the next one is to be dealt by `dealer`; `last` was the hand before."""

    hand_no: int
    dealer: Seat
    last: Hand | None = None
    played: HandPlayed | None = None
    result: HandScored | None = None


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


class Unscored(Struct, frozen=True, kw_only=True):
    """The hand has ended and is to be scored."""

    hand: Hand
    played: HandPlayed


class Ended(Struct, frozen=True, kw_only=True):
    """The match is over, after this last hand."""

    last: Hand
    played: HandPlayed
    result: HandScored
    winners: tuple[Seat, ...]


Battle = Attacking | Defending | Throwing
Phase = Between | Exchanging | Battle | Unscored | Ended


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


def hand_of(state: State) -> Hand | None:
    """The hand in play, or else the last one; None before the first."""
    match state.phase:
        case Between(last=hand) | Ended(last=hand):
            return hand
        case _:
            return state.phase.hand


# --- evolve ------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not Durak's, or that does not fit the phase, changes nothing."""
    return _evolve(state, event) if isinstance(event, durak.Event) else state


def _evolve(state: State, event: durak.Event) -> State:
    match state.phase, event:
        case Between(), HandDealt():
            return replace(state, phase=_dealt(event, len(state.totals)))
        case Between(), MatchEnded():
            return _match_ended(state, event)
        case Unscored() as unscored, HandScored():
            return replace(state, phase=_scored(unscored, event), totals=event.match_scores)
        case (Attacking() | Defending() | Throwing() | Exchanging()) as current, _:
            return replace(state, phase=_played(current, event))
        case _:
            return state


def _played(current: Battle | Exchanging, event: durak.Event) -> Phase:
    hand = current.hand
    match event:
        case Attacked():
            return Defending(hand=_attacked(hand, event))
        case Beaten():
            return _asking(_beaten(hand, event), event.asked)
        case Declined():
            return _asking(hand, event.asked)
        case Drew():
            return replace(current, hand=_drew(hand, event))
        case WentOut():
            return replace(current, hand=replace(hand, out=(*hand.out, event.seat)))
        case PickedUp():
            return Attacking(hand=_picked_up(hand, event.seat))
        case BattleEnded():
            return Attacking(hand=_battle_ended(hand, event))
        case ExchangeEnded():
            return Attacking(hand=_swapped(hand, event.turn_up) if event.swapped else hand)
        case Exchanged():
            return replace(current, hand=_swapped(hand, event.turn_up))
        case HandPlayed():
            return Unscored(hand=hand, played=event)
        case HandDealt() | HandScored() | MatchEnded():
            return current
        case _:
            assert_never(event)


def _asking(hand: Hand, seat: Seat | None) -> Battle:
    return Attacking(hand=hand) if seat is None else Throwing(hand=hand, asked=seat)


def _dealt(event: HandDealt, seats: int) -> Phase:
    hands = [opened(cards, ()) for cards in event.hands][:seats]
    stock = opened(event.deck, ())[sum(map(len, hands)) :]
    if event.turn_up is not None:
        stock = (*without(stock, (event.turn_up,)), event.turn_up)  # durak §2
    hand = Hand(
        hand_no=event.hand_no,
        dealer=event.dealer,
        trump=event.trump,
        held=tuple(map(in_order, hands)),
        stock=stock,
        stock_before=len(stock),
        turn_up=event.turn_up,
        main=event.main,
        defender=event.defender,
    )
    if event.holder is None:
        return Attacking(hand=hand)
    return Exchanging(hand=hand, holder=opened(event.holder, event.dealer))


def _less(hand: Hand, seat: Seat, card: Card) -> tuple[Cards, ...]:
    if not 0 <= seat < len(hand.held):
        return hand.held
    return put(hand.held, seat, without(hand.held[seat], (card,)))


def _attacked(hand: Hand, event: Attacked) -> Hand:
    return replace(
        hand,
        held=_less(hand, event.seat, event.card),
        table=(*hand.table, Pair(event.card)),
        closed=hand.closed or event.closes,
    )


def _beaten(hand: Hand, event: Beaten) -> Hand:
    table = (*hand.table[:-1], *(Pair(pair.attack, event.card) for pair in hand.table[-1:]))
    return replace(hand, held=_less(hand, event.seat, event.card), table=table)


def cards_of(table: tuple[Pair, ...]) -> Cards:
    """All cards on the table."""
    return tuple(card for pair in table for card in (pair.attack, pair.defence) if card is not None)


def _picked_up(hand: Hand, seat: Seat) -> Hand:
    if not 0 <= seat < len(hand.held):
        return hand
    return replace(hand, held=put(hand.held, seat, in_order((*hand.held[seat], *cards_of(hand.table)))), table=())


def _drew(hand: Hand, event: Drew) -> Hand:
    cards = opened(event.cards, ())
    count = len(cards) if event.cards.n is None else event.cards.n
    if not 0 <= event.seat < len(hand.held):
        return hand
    stock = hand.stock[max(count, 0) :]
    return replace(
        hand,
        held=put(hand.held, event.seat, in_order((*hand.held[event.seat], *cards))),
        stock=stock,
        turn_up=hand.turn_up if stock else None,
        heir=event.seat if event.attacks_next else hand.heir,
    )


def _battle_ended(hand: Hand, event: BattleEnded) -> Hand:
    return replace(
        hand,
        main=event.main,
        defender=event.defender,
        table=(),
        closed=False,
        heir=None,
        out_before=len(hand.out),
        stock_before=len(hand.stock),
        discarded=hand.discarded + event.discarded,
        pick_ups=event.pick_ups,
        idle=event.idle,
    )


def _swapped(hand: Hand, turn_up: Card) -> Hand:
    """The new turn-up, wherever it was held, and the old one change places."""
    if hand.turn_up is None or not hand.stock:
        return hand
    held = tuple(
        in_order((*without(cards, (turn_up,)), hand.turn_up)) if turn_up in cards else cards for cards in hand.held
    )
    return replace(hand, held=held, stock=(*hand.stock[:-1], turn_up), turn_up=turn_up)


def _scored(unscored: Unscored, event: HandScored) -> Between:
    return Between(
        hand_no=event.hand_no + 1,
        dealer=event.next_dealer,
        last=unscored.hand,
        played=unscored.played,
        result=event,
    )


def _match_ended(state: State, event: MatchEnded) -> State:
    match state.phase:
        case Between(last=Hand() as last, played=HandPlayed() as played, result=HandScored() as result):
            return replace(state, phase=Ended(last=last, played=played, result=result, winners=event.winners))
        case _:
            return state
