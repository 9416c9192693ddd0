"""Changes that never fail, whatever they are given: what `evolve` is made of."""

from typing import TypeVar

from schemas.cards import Cards
from schemas.sealed import Sealed

T = TypeVar("T")


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """`values` with another value at `place`; unchanged where there is no such place."""
    if 0 <= place < len(values):
        return (*values[:place], value, *values[place + 1 :])
    return values


def without(cards: Cards, gone: Cards) -> Cards:
    """`cards` in their order, less one copy of each card in `gone` that is among them."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def opened(sealed: Sealed[T], unknown: T) -> T:
    """The value of `sealed`, or `unknown` where the reader cannot open it."""
    return sealed.value if sealed.is_open else unknown
