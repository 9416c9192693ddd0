"""The deal (seven_qiao §3)."""

from schemas.cards import Cards, Seat
from schemas.events import Events
from schemas.seven_qiao import Asked, HandDealt
from services.games.game import Shuffle
from services.games.seven_qiao.options import pack
from services.games.seven_qiao.state import State
from services.games.shared.deal import for_nobody, for_seats, one_by_one
from services.games.shared.state import Between


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between(hand_no=hand_no, dealer=dealer):
            return dealt(hand_no, dealer, shuffle(pack(state.options)), seats=len(state.totals))
        case _:
            raise ValueError("no hand is to be dealt")


def dealt(hand_no: int, dealer: Seat, deck: Cards, *, seats: int) -> Events:
    """The hand that comes of this order of the pack, and who is asked first."""
    first = (dealer + 1) % seats
    hands, stock = one_by_one(deck[:seats], first=first, seats=seats), deck[seats:]
    event = HandDealt(
        hand_no=hand_no,
        dealer=dealer,
        deck=for_nobody("deck", deck),
        hands=for_seats(hands),
        stock=for_nobody("stock", stock),
    )
    return event, Asked(seat=first)
