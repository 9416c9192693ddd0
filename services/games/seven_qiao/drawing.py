"""Asking for cards, taking them or not, and whose turn comes then (seven_qiao §4)."""

from schemas.cards import Seat
from schemas.events import Events
from schemas.seven_qiao import Asked, Declined, HandPlayed, Offered, Passed, Stood, Taken, TurnBegan
from services.games.seven_qiao.evolve import on_hand
from services.games.seven_qiao.options import Options
from services.games.seven_qiao.state import Asking, Drawing, Hand, not_done
from services.games.shared.deal import for_seat

FULL = 7
"""The most cards in a hand (seven_qiao §4)."""


def draw(options: Options, phase: Asking | Drawing, seat: Seat) -> Events:
    """A seat asks for a card: it is offered, or comes at once."""
    return (Offered(seat=seat),) if options.confirm_draw else take(options, phase, seat)


def take(options: Options, phase: Asking | Drawing, seat: Seat) -> Events:
    """A seat gets the card that is the top of the stock now."""
    hand = phase.hand
    cards = for_seat(seat, "drawn", hand.stock[:1])
    return _ended(options, phase, Taken(seat=seat, cards=cards, done=len(hand.held[seat]) + 1 >= FULL))


def decline(options: Options, phase: Asking | Drawing, seat: Seat) -> Events:
    """A seat breaks its word."""
    return _ended(options, phase, Declined(seat=seat, done=isinstance(phase, Drawing)))


def pass_(options: Options, phase: Asking | Drawing, seat: Seat) -> Events:
    """A seat wants no card when asked."""
    return _ended(options, phase, Passed(seat=seat))


def stand(options: Options, phase: Asking | Drawing, seat: Seat) -> Events:
    """A seat draws no more."""
    return _ended(options, phase, Stood(seat=seat))


def _ended(options: Options, phase: Asking | Drawing, event: Taken | Declined | Passed | Stood) -> Events:
    """The event that ends a turn, and whose turn comes after it, if that is to be told."""
    hand, seats = on_hand(phase.hand, event), len(phase.hand.held)
    match phase:
        case Asking(turn=turn) if turn != hand.dealer:
            return event, Asked(seat=(turn + 1) % seats)
        case Asking(turn=turn):
            return event, TurnBegan(seat=None if options.free_draw == "any" else _next(hand, turn))
        case Drawing() if all(hand.done):
            return event, HandPlayed()
        case Drawing(turn=turn):
            return (event,) if turn is None else (event, TurnBegan(seat=_next(hand, turn)))


def _next(hand: Hand, seat: Seat) -> Seat:
    """The next seat in order that is not done."""
    left = not_done(hand)
    return next((other for other in left if other > seat), left[0])
