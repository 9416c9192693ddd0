"""Cards and seats as they are written everywhere: on the wire, in the log and in the rules."""

from typing import TYPE_CHECKING, Annotated, Literal, NewType

from msgspec import Meta

RANKS = "23456789TJQKA"
SUITS = "shdc"

PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards without jokers in canonical order: suits s h d c, then ranks 2 to A."""

JOKERS = ("Xr", "Xb")
"""The big one and the small one, which come after the others in canonical order."""

if TYPE_CHECKING:
    Card = str
    SuitedCard = str
    Suit = str
else:  # msgspec then hands out the same object for the same card; to hash a bare Literal would take long
    Card = NewType("Card", Literal[(*PACK, *JOKERS)])
    """Rank then suit (`Qs`, `Td`), or a joker: `Xr` the big one, `Xb` the small one."""

    SuitedCard = NewType("SuitedCard", Literal[PACK])
    """A card that is no joker."""

    Suit = Literal[tuple(SUITS)]

Cards = tuple[Card, ...]

Seat = Annotated[int, Meta(ge=0, le=15)]
"""A player's place, 0…n−1 in order of play."""
