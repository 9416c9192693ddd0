"""What games share that know cards by rank and suit: canonical order, packs, dealing."""

from collections import Counter

from schemas.cards import JOKERS, PACK, Card, Cards, Seat

_ORDER = {card: place for place, card in enumerate((*PACK, *JOKERS))}


def in_order(cards: Cards) -> Cards:
    """The cards in canonical order, jokers last."""
    return tuple(sorted(cards, key=_place))


def _place(card: Card) -> int:
    return _ORDER.get(card, len(_ORDER))


def one_by_one(deck: Cards, *, first: Seat, seats: int) -> tuple[Cards, ...]:
    """Each seat's cards in the order received, dealt one at a time in seat order from `first` on."""
    return tuple(deck[(seat - first) % seats :: seats] for seat in range(seats))


def deck_of(hands: tuple[Cards, ...], *, first: Seat) -> Cards:
    """The dealing order of which these hands, in order of receipt and of any size, came one by one from `first` on."""
    seats = len(hands)
    rounds = range(max(map(len, hands), default=0))
    order = [(first + turn) % seats for turn in range(seats)]
    return tuple(hands[seat][number] for number in rounds for seat in order if number < len(hands[seat]))


def is_from(cards: Cards, pack: Cards) -> bool:
    """Whether all the cards can come from one pack, none more often than it is there."""
    return not Counter(cards) - Counter(pack)
