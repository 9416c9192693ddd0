"""Changes that never fail, whatever they are given: what `evolve` is made of."""

from typing import TypeVar

from schemas.cards import Cards, Seat
from schemas.sealed import Sealed, StillSealed
from services.games.shared.cards import in_order

T = TypeVar("T")


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """`values` with another value at `place`; unchanged where there is no such place."""
    if not 0 <= place < len(values):
        return values
    changed = list(values)
    changed[place] = value
    return tuple(changed)


def without(values: tuple[T, ...], gone: tuple[T, ...]) -> tuple[T, ...]:
    """`values` in their order, less one of each in `gone` that is among them."""
    left = list(values)
    for value in gone:
        if value in left:
            left.remove(value)
    return tuple(left)


def with_cards(hands: tuple[Cards, ...], seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    """The hands, the seat's with these cards behind its own; unchanged where there is no such seat."""
    return put(hands, seat, hands[seat] + cards) if 0 <= seat < len(hands) else hands


def with_sorted(hands: tuple[Cards, ...], seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    """The hands, the seat's with these cards in canonical order; unchanged where there is no such seat."""
    return put(hands, seat, in_order(hands[seat] + cards)) if 0 <= seat < len(hands) else hands


def without_cards(hands: tuple[Cards, ...], seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    """The hands, the seat's less these cards; unchanged where there is no such seat."""
    return put(hands, seat, without(hands[seat], cards)) if 0 <= seat < len(hands) else hands


def opened(sealed: Sealed[T], unknown: T) -> T:
    """The value of `sealed`, or `unknown` where the reader cannot open it."""
    try:
        return sealed.value
    except StillSealed:
        return unknown


def opened_hands(sealed: tuple[Sealed[Cards], ...], *, seats: int) -> tuple[Cards, ...]:
    """The cards of each seat; none where the reader cannot open them, or is told of too few seats."""
    hands = tuple([opened(cards, ()) for cards in sealed[:seats]])
    return hands + ((),) * (seats - len(hands))
