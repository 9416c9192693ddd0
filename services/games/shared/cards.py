"""Cards by rank and suit: canonical order, packs."""

from collections import Counter
from collections.abc import Sequence

from schemas.cards import JOKERS, PACK, RANKS, Card, Cards

FULL_PACK: Cards = (*PACK, *JOKERS)
"""The 52 cards and two jokers, in canonical order."""

RANK_OF = {rank: place for place, rank in enumerate(RANKS)}
"""How high a rank is where the ace is above all."""


class _Places(dict[Card, int]):
    """Looking a card up calls no function of ours but for what is none."""

    def __missing__(self, card: Card) -> int:
        return len(self)


place_of = _Places({card: place for place, card in enumerate(FULL_PACK)}).__getitem__
"""Where a card stands in canonical order; what is no card stands last."""


def in_order(cards: Sequence[Card]) -> Cards:
    """The cards in canonical order, jokers last."""
    return tuple(sorted(cards, key=place_of))


def is_from(cards: Cards, pack: Cards) -> bool:
    """Whether all the cards can come from one pack, none more often than it is there."""
    return not Counter(cards) - Counter(pack)
