"""The deal: all cards, one by one from the head on (bluff §2)."""

from schemas.bluff import HandDealt
from schemas.cards import Cards, Seat
from schemas.events import Events
from services.games.bluff.options import pack
from services.games.bluff.state import Between, State
from services.games.game import Shuffle
from services.games.shared.deal import for_nobody, for_seats, one_by_one


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between(hand_no=hand_no, head=head):
            deck = shuffle(pack(state.options))
            return dealt(hand_no, head, deck, one_by_one(deck, first=head, seats=len(state.totals)))
        case _:
            raise ValueError("no hand is to be dealt")


def dealt(hand_no: int, head: Seat, deck: Cards, hands: tuple[Cards, ...]) -> Events:
    """These hands are dealt off a deck."""
    return (HandDealt(hand_no=hand_no, leader=head, deck=for_nobody("deck", deck), hands=for_seats(hands)),)
