"""Every combination that a hand can play, once each without suits (fifty_k §13)."""

from collections.abc import Iterable, Iterator, Sequence

from schemas.cards import Card, Cards
from schemas.fifty_k import Kind
from services.games.fifty_k.combos import (
    FIVE_TEN_K,
    PLACE,
    PURE_ORDER,
    RANKS,
    RUN_RANKS,
    TWO,
    Combo,
    pure_level,
    straight_level,
)
from services.games.fifty_k.options import Options

Entry = tuple[Kind, list[Card]]
"""A kind, and cards that form it."""

_NATURAL = (PLACE["A"], *(PLACE[rank] for rank in "23456789TJQKA"))
"""The row of straights, the ace at both ends (fifty_k §3)."""

_LONGEST = 13


class Holding:
    """A hand by ranks: `by_rank` has the cards of each, `counts` how many they are, `most` the largest number."""

    def __init__(self, cards: Cards) -> None:
        """`cards` are in canonical order, so that the 3s is the first of the 3s' rank."""
        by_rank: list[list[Card]] = [[] for _ in RANKS]
        for card in cards:
            by_rank[PLACE[card[0]]].append(card)
        self.by_rank = by_rank
        self.counts = [*map(len, by_rank)]
        self.most = max(self.counts)
        self.held = [place for place, count in enumerate(self.counts) if count]

    def first(self, place: int, number: int) -> list[Card]:
        """So many cards of a rank."""
        return self.by_rank[place][:number]

    def of_suit(self, place: int, suit: str) -> list[Card]:
        """A card of this rank and suit, if there is one."""
        return [card for card in self.by_rank[place] if card[1] == suit][:1]

    def one_each(self, places: Sequence[int], suit: str) -> list[Card] | None:
        """A card of this suit of each of these ranks; None where one is missing."""
        cards = [card for place in places for card in self.of_suit(place, suit)]
        return cards if len(cards) == len(places) else None

    def mixed(self, places: Sequence[int], *, fixed: int | None = None) -> list[Card] | None:
        """A card of each rank, not all of one suit; that of rank `fixed` stays the first. None where it cannot be."""
        cards = [self.by_rank[place][0] for place in places]
        suit = cards[0][1]
        if any(card[1] != suit for card in cards):
            return cards
        for number, place in enumerate(places):
            others = [card for card in self.by_rank[place] if card[1] != suit]
            if others and place != fixed:
                return [*cards[:number], others[0], *cards[number + 1 :]]
        return None


def entries(options: Options, cards: Cards, current: Combo | None, *, opening: bool) -> Iterator[Entry]:
    """Every combination of the hand that may be led, or that beats the current one.

    Where the lead is an `opening`, only those that can hold the 3s, and the cards hold it.
    """
    holding = Holding(cards)
    if current is None:
        found = _leads(options, holding, opening=opening)
        return (entry for entry in found if "3s" in entry[1]) if opening else found
    return _answers(options, holding, current)


def _leads(options: Options, holding: Holding, *, opening: bool) -> Iterator[Entry]:
    for number, kind in _SAMES:
        yield from _same(holding, kind, number)
    yield from _straights(options, holding, opening=opening)
    for attached in (1, 2):
        yield from _triples_with(holding, attached)
    yield from _pair_runs(holding)
    for attached, kind in _RUNS:
        yield from _triple_runs(holding, kind, attached)
    yield from _five_ten_ks(holding)
    yield from _bombs(holding)


_SAMES: tuple[tuple[int, Kind], ...] = ((1, "single"), (2, "pair"), (3, "triple"))
_RUNS: tuple[tuple[int, Kind], ...] = ((0, "triple_run"), (1, "triple_run_with_1"), (2, "triple_run_with_2"))


def _answers(options: Options, holding: Holding, current: Combo) -> Iterator[Entry]:
    """What beats the current play (fifty_k §4)."""
    above, number = current.level, current.count
    match current.kind:
        case "single" | "pair" | "triple":
            yield from _same(holding, current.kind, number, above)
        case "straight" | "straight_flush":
            yield from _straights(options, holding, opening=False, length=number, above=above)
        case "triple_with_1" | "triple_with_2":
            yield from _triples_with(holding, number - 3, above)
        case "pair_run":
            yield from _pair_runs(holding, number // 2, above)
        case "triple_run":
            yield from _triple_runs(holding, "triple_run", 0, number // 3, above)
        case "triple_run_with_1":
            yield from _triple_runs(holding, "triple_run_with_1", 1, number // 4, above)
        case "triple_run_with_2":
            yield from _triple_runs(holding, "triple_run_with_2", 2, number // 5, above)
        case "bomb_510k":
            yield from _five_ten_ks(holding, above)
            yield from _bombs(holding)
            return
        case "bomb":
            yield from _bombs(holding, number, above)
            return
    yield from _five_ten_ks(holding)
    yield from _bombs(holding)


def _same(holding: Holding, kind: Kind, number: int, above: int = -1) -> Iterator[Entry]:
    for place in holding.held:
        if place > above and holding.counts[place] >= number:
            yield kind, holding.by_rank[place][:number]


def _bombs(holding: Holding, number: int = 4, above: int = -1) -> Iterator[Entry]:
    """Bombs of so many cards and a higher rank, and all of more cards."""
    if holding.most < number:
        return
    for place in holding.held:
        for size in range(number if place > above else number + 1, holding.counts[place] + 1):
            yield "bomb", holding.first(place, size)


def _five_ten_ks(holding: Holding, above: int = -1) -> Iterator[Entry]:
    if not all(holding.counts[place] for place in FIVE_TEN_K):
        return
    if above < 0 and (cards := holding.mixed(FIVE_TEN_K)) is not None:
        yield "bomb_510k", cards
    for suit in PURE_ORDER:
        if pure_level(suit) > above and (cards := holding.one_each(FIVE_TEN_K, suit)) is not None:
            yield "bomb_510k", cards


def _straights(
    options: Options, holding: Holding, *, opening: bool, length: int | None = None, above: int = -1
) -> Iterator[Entry]:
    ahead = _ahead(holding)
    longest = min(max(ahead), _LONGEST)
    for number in range(5, longest + 1) if length is None else (length,):
        for low in range(1 if number == _LONGEST else 0, len(_NATURAL) - number + 1):  # of 13 the ace is high
            if ahead[low] < number:
                continue
            places = _NATURAL[low : low + number]
            if options.low_straights == "no_two" and TWO in places:
                continue
            top = low + number
            if straight_level(options, top, flush=True) > above:
                yield from _flush(holding, places, opening=opening)
            if straight_level(options, top, flush=False) > above:
                cards = holding.mixed(places, fixed=PLACE["3"] if opening else None)
                if cards is not None:
                    yield "straight", cards


def _ahead(holding: Holding) -> list[int]:
    """Of how many ranks in a row there are cards, from each place of the row of straights on."""
    ahead, length = [0] * len(_NATURAL), 0
    for low in range(len(_NATURAL) - 1, -1, -1):
        length = length + 1 if holding.counts[_NATURAL[low]] else 0
        ahead[low] = length
    return ahead


def _flush(holding: Holding, places: Sequence[int], *, opening: bool) -> Iterator[Entry]:
    for suit in "s" if opening else "shdc":
        cards = holding.one_each(places, suit)
        if cards is not None:
            yield "straight_flush", cards
            return


def _rows(holding: Holding, least: int, length: int | None, above: int) -> Iterator[tuple[int, int]]:
    """Bottom and top of every row of run ranks, at least two, with so many cards each and a top above."""
    counts = holding.counts
    if holding.most < least:
        return
    for bottom in range(RUN_RANKS - 1):
        if counts[bottom] < least:
            continue
        for top in range(bottom + 1, RUN_RANKS):
            if counts[top] < least:
                break
            if top > above and length in (None, top - bottom + 1):
                yield bottom, top


def _pair_runs(holding: Holding, length: int | None = None, above: int = -1) -> Iterator[Entry]:
    for bottom, top in _rows(holding, 2, length, above):
        yield "pair_run", [card for place in range(bottom, top + 1) for card in holding.first(place, 2)]


def _triples_with(holding: Holding, attached: int, above: int = -1) -> Iterator[Entry]:
    kind: Kind = "triple_with_1" if attached == 1 else "triple_with_2"
    for place in holding.held:
        if place > above and holding.counts[place] >= 3:
            most = list(holding.counts)
            most[place] = min(most[place], attached + 2)  # all of one rank is a bomb: fifty_k §12 F5
            for cards in _filled(holding, place, place, attached, most):
                yield kind, cards


def _triple_runs(
    holding: Holding, kind: Kind, attached: int, length: int | None = None, above: int = -1
) -> Iterator[Entry]:
    for bottom, top in _rows(holding, 3, length, above):
        most = list(holding.counts)
        if top + 1 < RUN_RANKS:
            most[top + 1] = min(most[top + 1], 2)  # else the core would be a higher one: fifty_k §3
        for cards in _filled(holding, bottom, top, attached * (top - bottom + 1), most):
            yield kind, cards


def _filled(holding: Holding, bottom: int, top: int, extra: int, most: list[int]) -> Iterable[list[Card]]:
    """Three cards of each rank of the core and so many more cards, of each rank not more than `most`, in every way."""
    ranks = [place for place in holding.held if most[place]]
    least = [3 if bottom <= place <= top else 0 for place in range(len(RANKS))]
    spare = sum(most[place] - least[place] for place in ranks)
    partial: list[tuple[list[Card], int]] = [([], extra)]
    for place in ranks:
        low, high = least[place], most[place]
        spare -= high - low
        taken = [holding.first(place, number) for number in range(high + 1)]
        ways = [
            [
                (taken[number], left - number + low)
                for number in range(max(low, low + left - spare), min(high, low + left) + 1)
            ]
            for left in range(extra + 1)
        ]
        partial = [(cards + more, still) for cards, left in partial for more, still in ways[left]]
    return [cards for cards, _ in partial]
