"""Declarations: what a hand holds of each category, and who wins it (piquet §4.2)."""

from schemas.cards import SUITS, Cards, Seat, Suit
from schemas.events import Events
from schemas.piquet import Category, CategoryDecided, Declared, DeclaringBegan, Passed, PlayBegan
from schemas.refusals import Code
from services.games.game import Refused
from services.games.piquet.options import RANKS, Options
from services.games.piquet.score import scored
from services.games.piquet.state import CATEGORIES, PLACE, Declaring, Hand, elder, other

PIPS = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10, "9": 9, "8": 8, "7": 7}
"""piquet §1"""

LEAST = 3
"""The smallest run and the smallest set (piquet §4.2)."""


def best_suits(held: Cards) -> list[Suit]:
    """The suits with the highest total of pips, in the order s h d c."""
    totals = {suit: sum(PIPS[card[0]] for card in held if card[1] == suit) for suit in SUITS}
    best = max(totals.values())
    return [suit for suit in SUITS if totals[suit] == best > 0]


def runs(held: Cards) -> tuple[Cards, ...]:
    """All runs of three cards or more that can be no longer, each from low to high."""
    found: list[Cards] = []
    for suit in SUITS:
        run: Cards = ()
        for rank in RANKS:
            if rank + suit in held:
                run = (*run, rank + suit)
                continue
            found.append(run)
            run = ()
        found.append(run)
    return tuple(run for run in found if len(run) >= LEAST)


def sets(options: Options, held: Cards) -> tuple[Cards, ...]:
    """All sets of three or four cards, from low to high (piquet §4.2)."""
    ranks = RANKS[PLACE[options.set_min_rank] :]
    groups = [tuple(card for card in held if card[0] == rank) for rank in ranks]
    return tuple(group for group in groups if len(group) >= LEAST)


def groups_of(options: Options, what: Category, held: Cards) -> tuple[Cards, ...]:
    """All that a hand may declare of runs or sets; of points, each of the best suits."""
    match what:
        case "point":
            return tuple(tuple(card for card in held if card[1] == suit) for suit in best_suits(held))
        case "sequence":
            return runs(held)
        case "set":
            return sets(options, held)


def declare(options: Options, declaring: Declaring, seat: Seat, suit: Suit | None) -> Events:
    """Declare the category that is asked for. Raises Refused: not_best_suit, nothing_to_declare."""
    hand, what = declaring.hand, declaring.what
    groups = groups_of(options, what, hand.held[seat])
    if what == "point":
        groups = tuple(group for group in groups if group[0][1] == suit)
        if not groups:
            raise Refused(Code.NOT_BEST_SUIT)
    if not groups:
        raise Refused(Code.NOTHING_TO_DECLARE)
    declared = Declared(seat=seat, what=what, groups=groups, next=_next(hand, seat))
    return declared, *_decided(options, hand, what, seat, (*hand.declared, declared))


def pass_(options: Options, declaring: Declaring, seat: Seat) -> Events:
    """Declare nothing of this category."""
    hand, what = declaring.hand, declaring.what
    return Passed(seat=seat, what=what, next=_next(hand, seat)), *_decided(options, hand, what, seat, hand.declared)


def _next(hand: Hand, seat: Seat) -> Seat | None:
    return other(seat) if seat == elder(hand) else None


def _decided(options: Options, hand: Hand, what: Category, seat: Seat, declared: tuple[Declared, ...]) -> Events:
    """After younger has answered: who wins the category, what he scores, and what comes next."""
    if seat == elder(hand):
        return ()
    claims = [claim for claim in declared if claim.what == what]
    best = max((_merit(options, claim) for claim in claims), default=None)
    winners = [claim for claim in claims if _merit(options, claim) == best]
    winner = winners[0] if len(winners) == 1 else None
    decided = CategoryDecided(what=what, winner=None if winner is None else winner.seat)
    points = () if winner is None else scored(options, hand, winner.seat, what, _points(options, winner))
    return decided, *points, _after(hand, what)


def _merit(options: Options, claim: Declared) -> tuple[int, ...]:
    """What claims of one category are compared by (piquet §4.2)."""
    if claim.what == "point":
        return (sum(PIPS[card[0]] for card in claim.groups[0]),)
    size, rank = max((len(group), PLACE[group[-1][0]]) for group in claim.groups)
    if claim.what == "set" and options.set_tie == "sets_then_rank":
        return size, len(claim.groups), rank
    return size, rank


def _points(options: Options, claim: Declared) -> int:
    """1 for each card, and 10 for each run or set that is long enough."""
    cards = sum(map(len, claim.groups))
    if claim.what == "point":
        return cards
    enough = options.sequence_bonus_from if claim.what == "sequence" else options.set_bonus_from
    return cards + 10 * sum(len(group) >= enough for group in claim.groups)


def _after(hand: Hand, what: Category) -> DeclaringBegan | PlayBegan:
    if what == CATEGORIES[-1]:
        return PlayBegan(leader=elder(hand))
    return DeclaringBegan(what=CATEGORIES[CATEGORIES.index(what) + 1], seat=elder(hand))
