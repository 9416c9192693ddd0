"""What may be taken and built (cassino §5)."""

from functools import lru_cache

from schemas.cards import Card, Cards, Seat
from services.games.cassino.groups import MOST, VALUES, groups, splits
from services.games.cassino.options import Options
from services.games.cassino.state import Build, Hand, build_of
from services.games.shared.total import without

POINTS = {"Td": 10, "2s": 2, "As": 1, "Ah": 1, "Ad": 1, "Ac": 1}
"""The scoring cards (cassino §1)."""

Move = tuple[Card, Cards]
"""A hand card, and the table cards it takes or is laid on."""

Moves = tuple[Move, ...]

_KEPT = 1024
"""How many positions are remembered: what is done is judged by the same lists as what may be done."""


def takes(options: Options, hand: Hand, seat: Seat) -> Moves:
    """All proper takes (cassino §5)."""
    return _takes(hand.held[seat], hand.table, build_of(hand, seat), options.multi_take)


@lru_cache(maxsize=_KEPT)
def _takes(held: Cards, table: Cards, own: Build | None, multi_take: bool) -> Moves:  # noqa: FBT001  # what is remembered is asked for by place
    found: list[Move] = []
    by_sum = groups(table)
    for card in held:
        value = VALUES[card]
        if not value:
            found += [(card, (other,)) for other in table if other[0] == card[0]]
            continue
        free = splits(table, value) if multi_take else by_sum[value]
        if free:
            found += [(card, group) for group in free]
        if own is not None and own.value == value:
            found.append((card, own.cards))
            if multi_take:
                found += [(card, (*own.cards, *group)) for group in free]
    return tuple(found)


def is_proper(options: Options, hand: Hand, seat: Seat, card: Card, cards: Cards) -> bool:
    """Whether these cards of the table, with the own build whole or not at all, may be taken with this one."""
    value, own = VALUES[card], build_of(hand, seat)
    if not value:
        return len(cards) == 1 and cards[0] in hand.table and cards[0][0] == card[0]
    free = cards
    if own is not None and takes_build(own, cards):
        if own.value != value:
            return False
        free = without(cards, own.cards)
        if not free or not options.multi_take:
            return not free
    if options.multi_take:
        return any(len(group) == len(free) for group in splits(free, value))
    values = [VALUES[other] for other in free]
    return all(values) and sum(values) == value


def builds(hand: Hand, seat: Seat, *, needs_card: bool) -> Moves:
    """All builds that may be made, but for the condition that is `strict` (cassino §5)."""
    return () if build_of(hand, seat) is not None else _builds(hand.held[seat], hand.table, needs_card)


@lru_cache(maxsize=_KEPT)
def _builds(held: Cards, table: Cards, needs_card: bool) -> Moves:  # noqa: FBT001  # what is remembered is asked for by place
    by_sum, values = groups(table), [VALUES[card] for card in held]
    possible = dict.fromkeys(values) if needs_card else range(MOST + 1)
    return tuple(
        [
            (card, group)
            for card, value in zip(held, values, strict=True)
            if value
            for made in possible
            if made > value  # greater, so that the card which takes the build is another one
            for group in by_sum[made - value]
        ]
    )


def wins_scoring_card(moves: Moves) -> bool:
    """Whether one of these takes brings in a scoring card, hand cards counted (cassino §5)."""
    return any(card in POINTS or not POINTS.keys().isdisjoint(cards) for card, cards in moves)


def takes_build(build: Build | None, cards: Cards) -> bool:
    """Whether these cards include the whole build."""
    return build is not None and build.top in cards
