"""Changes that never fail, whatever they are given: what `evolve` is made of."""

from typing import TypeVar

from schemas.sealed import Sealed

T = TypeVar("T")


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """`values` with another value at `place`; unchanged where there is no such place."""
    if 0 <= place < len(values):
        return (*values[:place], value, *values[place + 1 :])
    return values


def without(values: tuple[T, ...], gone: tuple[T, ...]) -> tuple[T, ...]:
    """`values` in their order, less one of each in `gone` that is among them."""
    left = list(values)
    for value in gone:
        if value in left:
            left.remove(value)
    return tuple(left)


def less(values: tuple[T, ...], gone: T) -> tuple[T, ...]:
    """`values` in their order, less all that equal `gone`."""
    return tuple(value for value in values if value != gone)


def opened(sealed: Sealed[T], unknown: T) -> T:
    """The value of `sealed`, or `unknown` where the reader cannot open it."""
    return sealed.value if sealed.is_open else unknown
