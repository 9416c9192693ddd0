"""Cards and seats as they are written everywhere: on the wire, in the log and in the rules."""

from typing import Annotated

from msgspec import Meta

# max_length, because `$` also matches before a line break
Card = Annotated[str, Meta(pattern="^([2-9TJQKA][shdc]|X[rb])$", max_length=2)]
"""Rank then suit (`Qs`, `Td`), or a joker: `Xr` the big one, `Xb` the small one."""

SuitedCard = Annotated[str, Meta(pattern="^[2-9TJQKA][shdc]$", max_length=2)]
"""A card that is no joker."""

Suit = Annotated[str, Meta(pattern="^[shdc]$", max_length=1)]

Cards = tuple[Card, ...]

Seat = Annotated[int, Meta(ge=0, le=15)]
"""A player's place, 0…n−1 in order of play."""

RANKS = "23456789TJQKA"
SUITS = "shdc"

PACK: Cards = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards without jokers in canonical order: suits s h d c, then ranks 2 to A."""

JOKERS: Cards = ("Xr", "Xb")
"""The big one and the small one, which come after the others in canonical order."""
