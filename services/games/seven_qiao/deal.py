"""The deal (seven_qiao §3)."""

from schemas.cards import Cards, Seat
from schemas.events import Events
from schemas.sealed import Sealed
from schemas.seven_qiao import Asked, HandDealt
from services.games.game import Shuffle
from services.games.seven_qiao.options import DECK
from services.games.seven_qiao.state import Between, State
from services.games.shared.cards import one_by_one


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between(hand_no=hand_no, dealer=dealer):
            return dealt(hand_no, dealer, shuffle(DECK), seats=len(state.totals))
        case _:
            raise ValueError("no hand is to be dealt")


def dealt(hand_no: int, dealer: Seat, deck: Cards, *, seats: int) -> Events:
    """The hand that comes of this order of the pack, and who is asked first."""
    first = (dealer + 1) % seats
    hands, stock = one_by_one(deck[:seats], first=first, seats=seats), deck[seats:]
    event = HandDealt(
        hand_no=hand_no,
        dealer=dealer,
        deck=Sealed("deck", deck, n=len(deck)),
        hands=tuple(Sealed(f"hand.{s}", hand, audience=(s,), n=len(hand)) for s, hand in enumerate(hands)),
        stock=Sealed("stock", stock, n=len(stock)),
    )
    return event, Asked(seat=first)
