"""Which five cards of up to seven are best, and how hands compare (poker §2), by looking up tables.

A hand is added up card by card into one number that counts its ranks and suits; what it makes is looked up by that
number, and worked out when it is first met. There are 73,775 sets of five to seven ranks.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from schemas.cards import PACK, RANKS, SUITS, Card, Cards
from schemas.poker import Best, Category
from services.games.shared.cards import RANK_OF

Ranking = Literal["standard", "show_hand"]
"""The two orders of hands (poker §2)."""

CATEGORIES: tuple[Category, ...] = get_args(Category)
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)

SUIT_VALUE: dict[Ranking, dict[str, int]] = {
    "standard": {suit: value for value, suit in enumerate("cdhs")},
    "show_hand": {suit: value for value, suit in enumerate("dchs")},
}
"""How suits compare where they do, the highest one highest (poker §2)."""

_WRITTEN = {card: "shcd".index(card[1]) for card in PACK}
_BY_SUIT = {ranking: {card: -value[card[1]] for card in PACK} for ranking, value in SUIT_VALUE.items()}
_ACE = RANK_OF["A"]
_WHEEL = (_ACE, 3, 2, 1, 0)

_SUITS_AT = 40
_COUNTS = {card: 1 << 3 * RANK_OF[card[0]] | 1 << _SUITS_AT + 4 * SUITS.index(card[1]) for card in PACK}
_RANKS_ONLY = (1 << _SUITS_AT) - 1
_TO_FIVE, _FIVE = 0x3333, 0x8888


class _Made(NamedTuple):
    """What a set of ranks makes: its category, the ranks in written order with how many of each, and its strength."""

    category: int
    groups: tuple[tuple[int, int], ...]
    strength: int


class _Table(dict[int, _Made]):
    """What every set of ranks makes without regard to suits, by its counts."""

    def __init__(self, ranking: Ranking) -> None:
        super().__init__()
        self._ranking: Ranking = ranking

    def __missing__(self, counts: int) -> _Made:
        made = self[counts] = _of_ranks([counts >> 3 * rank & 7 for rank in range(len(RANKS))], self._ranking)
        return made


class _FlushTable(dict[tuple[int, ...], _Made]):
    """What five or more ranks of one suit make, by the ranks downward."""

    def __init__(self, ranking: Ranking) -> None:
        super().__init__()
        self._ranking: Ranking = ranking

    def __missing__(self, ranks: tuple[int, ...]) -> _Made:
        straight = _straight(ranks, self._ranking)
        flush = [(rank, 1) for rank in ranks[:5]]
        made = self[ranks] = _made(FLUSH, flush) if straight is None else _run(STRAIGHT_FLUSH, straight, self._ranking)
        return made


_TABLES: dict[Ranking, _Table] = {ranking: _Table(ranking) for ranking in SUIT_VALUE}
_FLUSHES: dict[Ranking, _FlushTable] = {ranking: _FlushTable(ranking) for ranking in SUIT_VALUE}


def strength(cards: Sequence[Card], ranking: Ranking) -> int:
    """How good the best five of five to seven cards are: more is better, and equal numbers are a tie."""
    made = _look_up(cards, ranking)
    value = made.strength
    if ranking == "standard":
        return value
    suits = SUIT_VALUE[ranking]
    for card in _chosen(cards, made, ranking):
        value = value << 2 | suits[card[1]]
    return value


def best_five(cards: Sequence[Card], ranking: Ranking) -> Best:
    """The best five of five to seven cards, as they are written in poker §2."""
    made = _look_up(cards, ranking)
    return Best(CATEGORIES[made.category], _chosen(cards, made, ranking))


def board_strength(cards: Sequence[Card], suits: dict[str, int]) -> tuple[object, ...]:
    """How good one to five face-up cards are: groups, ranks, then suits; straights and flushes do not count.

    Only as many cards compare.
    """
    ranks = [card[0] for card in cards]
    each = [(ranks.count(card[0]), RANK_OF[card[0]], suits[card[1]]) for card in cards]
    return tuple(zip(*sorted(each, reverse=True), strict=True))


# --- looking up --------------------------------------------------------------------------------------------------


def _look_up(cards: Sequence[Card], ranking: Ranking) -> _Made:
    counts = sum([_COUNTS[card] for card in cards])
    flush = (counts >> _SUITS_AT) + _TO_FIVE & _FIVE
    if not flush:
        return _TABLES[ranking][counts & _RANKS_ONLY]
    suited = _suited(cards)
    return _FLUSHES[ranking][tuple(sorted([RANK_OF[card[0]] for card in suited], reverse=True))]


def _suited(cards: Sequence[Card]) -> list[Card]:
    """The cards of the suit that there are five or more of."""
    suits = [card[1] for card in cards]
    return [card for card in cards if suits.count(card[1]) >= 5]


def _chosen(cards: Sequence[Card], made: _Made, ranking: Ranking) -> Cards:
    """The five cards in written order; where ranks leave a choice, those of the higher suits."""
    if made.category in (FLUSH, STRAIGHT_FLUSH):
        cards = _suited(cards)
    held: dict[str, list[Card]] = {}
    for card in sorted(cards, key=_BY_SUIT[ranking].__getitem__):
        held.setdefault(card[0], []).append(card)
    chosen: list[Card] = []
    for rank, size in made.groups:
        own = held[RANKS[rank]]
        chosen += own[:1] if size == 1 else sorted(own[:size], key=_WRITTEN.__getitem__)
    return tuple(chosen)


# --- making the tables -------------------------------------------------------------------------------------------


def _of_ranks(counts: list[int], ranking: Ranking) -> _Made:
    """What ranks make, from how many cards there are of each."""
    down = [rank for rank in reversed(range(len(counts))) if counts[rank]]
    fours, threes, twos = ([rank for rank in down if counts[rank] >= size] for size in (4, 3, 2))
    straight = _straight(tuple(down), ranking)

    def others(*taken: int) -> list[tuple[int, int]]:
        return [(rank, 1) for rank in down if rank not in taken]

    if fours:
        return _made(QUADS, [(fours[0], 4), *others(fours[0])[:1]])
    if threes and len(twos) > 1:
        return _made(FULL_HOUSE, [(threes[0], 3), (next(rank for rank in twos if rank != threes[0]), 2)])
    if straight is not None:
        return _run(STRAIGHT, straight, ranking)
    if threes:
        return _made(TRIPS, [(threes[0], 3), *others(threes[0])[:2]])
    if len(twos) > 1:
        return _made(TWO_PAIR, [(twos[0], 2), (twos[1], 2), *others(*twos[:2])[:1]])
    if twos:
        return _made(PAIR, [(twos[0], 2), *others(twos[0])[:3]])
    return _made(HIGH_CARD, others()[:5])


def _straight(down: tuple[int, ...], ranking: Ranking) -> tuple[int, ...] | None:
    """The best five ranks in a row; None where there are none."""
    runs = [tuple(range(top, top - 5, -1)) for top in range(_ACE, 3, -1)]
    runs.insert(1 if ranking == "show_hand" else len(runs), _WHEEL)  # the second largest, or the lowest: poker §2
    return next((run for run in runs if {*run} <= {*down}), None)


def _made(category: int, groups: list[tuple[int, int]]) -> _Made:
    value = category
    for rank, _ in groups:
        value = value << 4 | rank
    return _Made(category, tuple(groups), value << 4 * (5 - len(groups)))


def _run(category: int, ranks: tuple[int, ...], ranking: Ranking) -> _Made:
    """A straight: A2345 is the lowest, or in the other ranking the second largest."""
    place = ranks[0] + 1
    if ranks == _WHEEL:
        place = _ACE + 1 if ranking == "show_hand" else 0
    elif ranks[0] == _ACE:
        place = _ACE + 2
    return _Made(category, tuple((rank, 1) for rank in ranks), (category << 4 | place) << 16)
