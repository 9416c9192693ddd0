"""How events change the state: what was decided stands in the event, and is only stored here."""

from msgspec.structs import replace

from schemas.cards import Card, Seat
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
from services.games.durak.state import (
    Attacking,
    Battle,
    Defending,
    Exchanging,
    Hand,
    Pair,
    Phase,
    State,
    Throwing,
    cards_of,
)
from services.games.shared.cards import in_order
from services.games.shared.state import Between, Ended, Unscored
from services.games.shared.total import opened, opened_hands, with_sorted, without, without_cards


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not Durak's, or that does not fit the phase, changes nothing."""
    match state.phase, event:
        case (Attacking() | Defending() | Throwing() | Exchanging()) as current, _:
            phase = _played(current, event)
            return state if phase is current else replace(state, phase=phase)
        case Between(), HandDealt():
            return replace(state, phase=_dealt(event, seats=len(state.totals)))
        case Unscored(hand=hand), HandScored():
            between = Between(hand_no=hand.hand_no + 1, dealer=event.next_dealer, last=hand, result=event)
            return replace(state, phase=between, totals=event.totals)
        case Between(last=Hand() as last, result=HandScored() as result), MatchEnded():
            return replace(state, phase=Ended(last=last, result=result, outcome=event))
        case _:
            return state


def _played(current: Battle | Exchanging, event: Event) -> Phase:
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
            over = replace(hand, finish_order=event.finish_order, duraks=event.duraks, stalled=event.stalled)
            return Unscored(hand=over)
        case _:
            return current


def _asking(hand: Hand, seat: Seat | None) -> Battle:
    return Attacking(hand=hand) if seat is None else Throwing(hand=hand, asked=seat)


def _dealt(event: HandDealt, *, seats: int) -> Phase:
    hands = opened_hands(event.hands, seats=seats)
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


def _attacked(hand: Hand, event: Attacked) -> Hand:
    return replace(
        hand,
        held=without_cards(hand.held, event.seat, (event.card,)),
        table=(*hand.table, Pair(event.card)),
        closed=hand.closed or event.closes,
    )


def _beaten(hand: Hand, event: Beaten) -> Hand:
    table = (*hand.table[:-1], *(Pair(pair.attack, event.card) for pair in hand.table[-1:]))
    return replace(hand, held=without_cards(hand.held, event.seat, (event.card,)), table=table)


def _picked_up(hand: Hand, seat: Seat) -> Hand:
    return replace(hand, held=with_sorted(hand.held, seat, cards_of(hand.table)), table=())


def _drew(hand: Hand, event: Drew) -> Hand:
    cards = opened(event.cards, ())
    count = len(cards) if event.cards.n is None else event.cards.n
    if not 0 <= event.seat < len(hand.held):
        return hand
    stock = hand.stock[max(count, 0) :]
    return replace(
        hand,
        held=with_sorted(hand.held, event.seat, cards),
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
