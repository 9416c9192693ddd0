"""The lay-out of a match of Texas hold'em for viewers (poker §9), with everybody's position."""

from msgspec.structs import replace

from schemas.cards import Seat
from schemas.views import Place, Table
from services.games.shared.poker import table as poker
from services.games.shared.poker.state import Hand, hand_of
from services.games.texas_holdem.state import STREETS, State


def table(state: State) -> Table:
    """Face-down cards hidden to the others until they are shown; chips and all other cards are open."""
    shown = poker.table(state, game="texas_holdem", streets=STREETS)
    hand = hand_of(state)
    if hand is None:
        return shown
    return replace(shown, places=tuple(_placed(hand, seat, place) for seat, place in enumerate(shown.places)))


def _placed(hand: Hand, seat: Seat, place: Place) -> Place:
    if seat not in hand.seats:
        return place
    return replace(place, facts={**place.facts, "position": _position(hand, seat)})


def _position(hand: Hand, seat: Seat) -> str:
    """As the full table has them, counted from left of the button (texas_holdem, Positions)."""
    if seat == hand.positions.dealer:
        return "button"
    count = hand.seats.index(seat) + 1
    return "early" if count <= 3 else "middle" if count <= 7 else "late"
