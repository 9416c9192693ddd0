"""What may be taken and built (cassino §5)."""

from collections.abc import Iterator

from schemas.cards import Card, Cards, Seat
from services.games.cassino.groups import MOST, groups, splits, value_of
from services.games.cassino.options import Options
from services.games.cassino.state import Build, Hand, build_of

POINTS = {"Td": 10, "2s": 2, "As": 1, "Ah": 1, "Ad": 1, "Ac": 1}
"""The scoring cards (cassino §1)."""

Move = tuple[Card, Cards]
"""A hand card, and the table cards it takes or is laid on."""


def takes(options: Options, hand: Hand, seat: Seat) -> list[Move]:
    """All proper takes (cassino §5)."""
    own = build_of(hand, seat)
    found: list[Move] = []
    by_sum = groups(hand.table)
    for card in hand.held[seat]:
        value = value_of(card)
        if not value:
            found += [(card, (other,)) for other in hand.table if other[0] == card[0]]
            continue
        free = splits(hand.table, value) if options.multi_take else by_sum[value]
        found += [(card, group) for group in free]
        if own is not None and own.value == value:
            found.append((card, own.cards))
            if options.multi_take:
                found += [(card, (*own.cards, *group)) for group in free]
    return found


def is_proper(options: Options, hand: Hand, seat: Seat, card: Card, cards: Cards) -> bool:
    """Whether these cards of the table, with the own build whole or not at all, may be taken with this one."""
    own = build_of(hand, seat)
    free = tuple([other for other in cards if own is None or other not in own.cards])
    value = value_of(card)
    if not value:
        return len(cards) == 1 and free == cards and cards[0][0] == card[0]
    has_build = len(free) < len(cards)
    if has_build and own is not None and own.value != value:
        return False
    if options.multi_take:
        return not free or any(len(group) == len(free) for group in splits(free, value))
    if has_build:
        return not free
    values = list(map(value_of, free))
    return all(values) and sum(values) == value


def builds(hand: Hand, seat: Seat, *, needs_card: bool) -> Iterator[Move]:
    """All builds that may be made, but for the condition that is `strict` (cassino §5)."""
    if build_of(hand, seat) is not None:
        return
    held = hand.held[seat]
    by_sum = groups(hand.table)
    values = list(map(value_of, held))
    for card, value in zip(held, values, strict=True):
        if not value:
            continue
        for total in range(1, MOST - value + 1):
            made = value + total  # more than `value`, so a card of that value is another one
            if by_sum[total] and (not needs_card or made in values):
                for group in by_sum[total]:
                    yield card, group


def wins_scoring_card(moves: list[Move]) -> bool:
    """Whether one of these takes brings in a scoring card, hand cards counted (cassino §5)."""
    return any(card in POINTS or not POINTS.keys().isdisjoint(cards) for card, cards in moves)


def takes_build(build: Build | None, cards: Cards) -> bool:
    """Whether these cards include the whole build."""
    return build is not None and build.top in cards
