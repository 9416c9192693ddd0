"""Seats in turn: whose turn it is, and who comes after whom."""

from collections.abc import Collection
from functools import cache
from itertools import filterfalse

from schemas.cards import Seat
from schemas.log import Due


def turn_of(due: Due) -> Seat | None:
    """The seat that is waited for; None where none is, or several are."""
    return due[0] if isinstance(due, tuple) and len(due) == 1 else None


@cache
def in_turn(first: Seat, *, seats: int) -> tuple[Seat, ...]:
    """All seats in order of play, from `first` on; the seat after the last is the first."""
    first %= seats
    return (*range(first, seats), *range(first))


def next_in(first: Seat, out: Collection[Seat], *, seats: int) -> Seat:
    """The next seat from `first` on that is not out. Raises StopIteration where all are."""
    return next(filterfalse(out.__contains__, in_turn(first, seats=seats)))
