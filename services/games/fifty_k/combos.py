"""Combinations: which kind cards are, which beats which, and how they are written (fifty_k §3, §4, §13)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from schemas.cards import Card, Cards
from schemas.fifty_k import Kind
from services.games.fifty_k.options import Options

RANKS = "3456789TJQKA2"
"""From low to high (fifty_k §1)."""

PLACE = {rank: place for place, rank in enumerate(RANKS)}

RUN_RANKS = 12
"""So many of them, 3 to A, stand in runs (fifty_k §3)."""

ACE, TWO = PLACE["A"], PLACE["2"]
FIVE_TEN_K = tuple(map(PLACE.__getitem__, "5TK"))

PURE_ORDER = "dchs"
"""The suits of a pure 5-10-K from low to high (fifty_k §4)."""

ACE_LOW, ACE_HIGH = 1, 14

ATTACHED: tuple[tuple[int, Kind], ...] = ((0, "triple_run"), (1, "triple_run_with_1"), (2, "triple_run_with_2"))
"""The kinds of runs of triples by how many cards each triple carries, fewest first."""

_ABOVE = 100  # more than any straight's top card

Verdict = Literal["beats", "low", "other"]


class Combo(Struct, frozen=True):
    """Cards read as a kind; of one kind and number of cards the one of the higher level beats."""

    kind: Kind
    count: int
    level: int


# --- reading cards -----------------------------------------------------------------------------------------------


def counts_of(cards: Sequence[Card]) -> list[int]:
    """How many cards there are of each rank, from 3 to 2."""
    counts = [0] * len(RANKS)
    for card in cards:
        counts[PLACE[card[0]]] += 1
    return counts


@lru_cache(maxsize=1024)
def readings(options: Options, cards: Cards) -> tuple[Combo, ...]:
    """The kinds that these cards are, the one with fewest attachments first; none where they form no combination.

    They are remembered, because every answer to a play asks for them.
    """
    number, counts = len(cards), counts_of(cards)
    most = max(counts)
    if most == number:
        return (_of_one_rank(number, counts.index(most)),)
    if most == 1:
        combo = _five_ten_k(cards, counts) if number == 3 else _straight(options, cards, counts)
        return () if combo is None else (combo,)
    if most == 2:
        return _pair_run(number, counts)
    if number in (4, 5):
        core = next(place for place, count in enumerate(counts) if count >= 3)
        return (Combo("triple_with_1" if number == 4 else "triple_with_2", number, core),)
    return _triple_runs(number, counts)


def _of_one_rank(number: int, place: int) -> Combo:
    match number:
        case 1:
            return Combo("single", 1, place)
        case 2:
            return Combo("pair", 2, place)
        case 3:
            return Combo("triple", 3, place)
        case _:
            return Combo("bomb", number, place)  # fifty_k §12 F5


def _five_ten_k(cards: Cards, counts: list[int]) -> Combo | None:
    if not all(counts[place] for place in FIVE_TEN_K):
        return None
    return Combo("bomb_510k", 3, pure_level("".join({card[1]: "" for card in cards})))


def pure_level(suits: str) -> int:
    """The level of a 5-10-K of these suits: 0 for a mixed one (fifty_k §4)."""
    return 1 + PURE_ORDER.index(suits) if len(suits) == 1 else 0


def _straight(options: Options, cards: Cards, counts: list[int]) -> Combo | None:
    number = len(cards)
    if number < 5 or (counts[TWO] and options.low_straights == "no_two"):
        return None
    natural = sorted([2 if place == TWO else place + 3 for place, count in enumerate(counts) if count])
    if natural[-1] - natural[0] != number - 1:
        if natural[-1] != ACE_HIGH or natural[-2] - ACE_LOW != number - 1:
            return None
        del natural[-1]
    flush = len({card[1]: None for card in cards}) == 1
    kind: Kind = "straight_flush" if flush else "straight"
    return Combo(kind, number, straight_level(options, natural[-1], flush=flush))


def straight_level(options: Options, top: int, *, flush: bool) -> int:
    """The level of a straight with this top card, 5 to 14 (fifty_k §4)."""
    return flush * _ABOVE + top if options.straight_flush == "above" else 2 * top + flush


def _row(counts: list[int], number: int, least: int) -> int | None:
    """The top of the highest row of so many run ranks with at least so many cards each."""
    length = 0
    for place in range(RUN_RANKS - 1, -1, -1):
        length = length + 1 if counts[place] >= least else 0
        if length == number:
            return place + number - 1
    return None


def _pair_run(number: int, counts: list[int]) -> tuple[Combo, ...]:
    pairs = number // 2
    top = _row(counts, pairs, 2) if number % 2 == 0 and pairs >= 2 else None
    return () if top is None else (Combo("pair_run", number, top),)


def _triple_runs(number: int, counts: list[int]) -> tuple[Combo, ...]:
    found: list[Combo] = []
    for attached, kind in ATTACHED:
        length, rest = divmod(number, 3 + attached)
        if rest == 0 and length >= 2 and (top := _row(counts, length, 3)) is not None:
            found.append(Combo(kind, number, top))
    return tuple(found)


# --- comparing ---------------------------------------------------------------------------------------------------

_STRAIGHTS = ("straight", "straight_flush")
_BOMBS = ("bomb_510k", "bomb")


def compare(combo: Combo, current: Combo) -> Verdict:
    """Whether a combination beats the current one, is of the right kind but not higher, or does not compare."""
    if combo.kind in _BOMBS:
        return "beats" if current.kind not in _BOMBS or _strength(combo) > _strength(current) else "low"
    same = combo.kind == current.kind or (combo.kind in _STRAIGHTS and current.kind in _STRAIGHTS)
    if not same or combo.count != current.count:
        return "other"
    return "beats" if combo.level > current.level else "low"


def _strength(bomb: Combo) -> tuple[int, int]:
    return bomb.count, bomb.level  # a 5-10-K has three cards, every other bomb more: fifty_k §4


# --- writing -----------------------------------------------------------------------------------------------------


def combo_text(kind: str, cards: Sequence[Card]) -> str:
    """`kind/ranks`, without suits but for a 5-10-K (fifty_k §13)."""
    if kind == "bomb_510k":
        suits = "".join({card[1]: "" for card in cards})
        return f"bomb_510k/{suits if len(suits) == 1 else 'mixed'}"
    return f"{kind}/{''.join(sorted([card[0] for card in cards], key=PLACE.__getitem__))}"
