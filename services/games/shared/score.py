"""The scorer's part of games: totals, and the seats that have the best of them."""

from operator import add

from schemas.cards import Seat

Points = tuple[int, ...]
"""A number for each seat, or each side."""


def added(totals: Points, scores: Points) -> Points:
    """The totals after a hand."""
    return tuple(map(add, totals, scores))


def seats_with(value: int, totals: Points) -> tuple[Seat, ...]:
    """The seats that have this total."""
    return tuple([seat for seat, total in enumerate(totals) if total == value])
