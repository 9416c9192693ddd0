"""How events change the state: what was decided stands in the event, and is only stored here."""

from msgspec.structs import replace

from schemas.cards import Seat
from schemas.events import Event
from schemas.seven_qiao import (
    Asked,
    Declined,
    HandDealt,
    HandPlayed,
    HandScored,
    MatchEnded,
    Offered,
    Passed,
    Stood,
    Taken,
    TurnBegan,
)
from services.games.seven_qiao.state import Asking, Drawing, Hand, State
from services.games.shared.state import Between, Ended, Unscored
from services.games.shared.total import opened, opened_hands, put, with_cards


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not Seven-qiao's, or that does not fit the phase, changes nothing."""
    match state.phase, event:
        case (Asking() | Drawing() as phase, Offered() | Taken() | Declined() | Passed() | Stood()):
            return replace(state, phase=replace(phase, hand=on_hand(phase.hand, event)))
        case Asking(hand=hand), Asked(seat=seat):
            return replace(state, phase=Asking(hand=hand, turn=seat))
        case (Asking(hand=hand) | Drawing(hand=hand), TurnBegan(seat=turn)):
            return replace(state, phase=Drawing(hand=hand, turn=turn))
        case (Asking(hand=hand) | Drawing(hand=hand), HandPlayed()):
            return replace(state, phase=Unscored(hand=hand))
        case Between(), HandDealt():
            return replace(state, phase=Asking(hand=_dealt(state, event), turn=event.dealer))
        case Unscored(hand=hand), HandScored():
            between = Between(hand_no=hand.hand_no + 1, dealer=event.next_dealer, last=hand, result=event)
            return replace(state, phase=between, totals=event.totals)
        case Between(last=Hand() as last, result=HandScored() as result), MatchEnded():
            return replace(state, phase=Ended(last=last, result=result, outcome=event))
        case _:
            return state


def on_hand(hand: Hand, event: Offered | Taken | Declined | Passed | Stood) -> Hand:
    """What an event of a turn changes in a hand."""
    seat = event.seat
    if not 0 <= seat < len(hand.held):
        return hand
    match event:
        case Offered():
            return replace(hand, pending=put(hand.pending, seat, value=True))
        case Taken():
            return replace(
                hand,
                held=with_cards(hand.held, seat, opened(event.cards, ())),
                stock=hand.stock[1:],
                pending=put(hand.pending, seat, value=False),
                done=_done(hand, seat) if event.done else hand.done,
            )
        case Declined():
            return replace(
                hand,
                pending=put(hand.pending, seat, value=False),
                done=_done(hand, seat) if event.done else hand.done,
                reneges=put(hand.reneges, seat, hand.reneges[seat] + 1),
            )
        case Stood():
            return replace(hand, done=_done(hand, seat))
        case Passed():
            return hand


def _done(hand: Hand, seat: Seat) -> tuple[bool, ...]:
    return put(hand.done, seat, value=True)


def _dealt(state: State, event: HandDealt) -> Hand:
    seats = len(state.totals)
    return Hand(
        hand_no=event.hand_no,
        dealer=event.dealer,
        held=opened_hands(event.hands, seats=seats),
        stock=opened(event.stock, ()),
        pending=(False,) * seats,
        done=(False,) * seats,
        reneges=(0,) * seats,
    )
