"""Cards that add up: all groups of a table by their sum (cassino §1, §5)."""

from collections.abc import Mapping
from functools import lru_cache

from schemas.cards import PACK, Card, Cards

MOST = 10
"""The highest value of a card, and of a build (cassino §1, §5)."""

VALUES: Mapping[Card, int] = {card: max("-A23456789T".find(card[0]), 0) for card in PACK}
"""The value of each card; 0 for J Q K, which have none (cassino §1)."""

_KEPT = 4096
"""How many tables are remembered: the list of what may be done and what then is done ask about the same one."""


@lru_cache(maxsize=_KEPT)
def groups(cards: Cards) -> tuple[tuple[Cards, ...], ...]:
    """At each place the groups of these cards with that sum, up to the highest value."""
    by_sum: list[list[Cards]] = [[] for _ in range(MOST + 1)]
    for card in cards:
        if value := VALUES[card]:
            for total in range(MOST - value, 0, -1):  # downwards, so that no card is counted twice
                if smaller := by_sum[total]:
                    by_sum[total + value] += [(*group, card) for group in smaller]
            by_sum[value].append((card,))
    return tuple(map(tuple, by_sum))


@lru_cache(maxsize=_KEPT)
def splits(cards: Cards, value: int) -> tuple[Cards, ...]:
    """All sets of these cards that can be split into groups of this value (cassino §5, `multi_take`)."""
    place = {card: 1 << i for i, card in enumerate(cards)}
    unions: dict[int, None] = {0: None}  # a set of cards as a number, one bit a card
    for group in groups(cards)[value]:
        bits = sum(place[card] for card in group)
        unions |= {union | bits: None for union in unions if not union & bits}
    return tuple(tuple(card for card in cards if union & place[card]) for union in unions if union)
