"""The dealer's part of games: who gets which cards of the deck, and who sees them."""

from schemas.cards import Cards, Seat
from schemas.sealed import Sealed


def one_by_one(deck: Cards, *, first: Seat, seats: int) -> tuple[Cards, ...]:
    """Each seat's cards in the order received, dealt one at a time in seat order from `first` on."""
    return tuple(deck[(seat - first) % seats :: seats] for seat in range(seats))


def deck_of(hands: tuple[Cards, ...], *, first: Seat) -> Cards:
    """The dealing order of which these hands, in order of receipt and of any size, came one by one from `first` on."""
    seats = len(hands)
    rounds = range(max(map(len, hands), default=0))
    order = [(first + turn) % seats for turn in range(seats)]
    return tuple(hands[seat][number] for number in rounds for seat in order if number < len(hands[seat]))


def for_nobody(slot: str, cards: Cards) -> Sealed[Cards]:
    """Cards that nobody sees; how many they are is open."""
    return Sealed(slot, cards, n=len(cards))


def for_seat(seat: Seat, slot: str, cards: Cards) -> Sealed[Cards]:
    """Cards that one seat alone sees; how many they are is open."""
    return Sealed(slot, cards, audience=(seat,), n=len(cards))


def for_seats(hands: tuple[Cards, ...]) -> tuple[Sealed[Cards], ...]:
    """The hand of each seat, which it alone sees: slots `hand.0` and so on."""
    return tuple([for_seat(seat, f"hand.{seat}", cards) for seat, cards in enumerate(hands)])
