"""Takes, builds and powerlessness (cassino §5), against a second reading of the rules that tries every set of cards."""

from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.actions import Action
from schemas.cassino import Misplayed, Taken
from services.games.cassino import GAME
from services.games.cassino.state import Hand, Playing, build_of
from services.games.pick import pick
from services.games.shuffle import Stream
from tests.games.scenes import positions
from tests.templates import covers

POINTS = {"Td": 10, "2s": 2, "As": 1, "Ah": 1, "Ad": 1, "Ac": 1}

options = st.fixed_dictionaries(
    {},
    optional={
        "deck": st.sampled_from([40, 52]),
        "hand_size": st.integers(3, 6),
        "table_size": st.integers(2, 6),
        "first_player": st.sampled_from(["next", "dealer"]),
        "build_needs_card": st.booleans(),
        "build_condition": st.sampled_from(["strict", "free"]),
        "build_lapse": st.sampled_from(["release", "keep"]),
        "multi_take": st.booleans(),
        "wrong_take": st.sampled_from(["penalty", "reject"]),
        "majority": st.sampled_from(["threshold", "most"]),
        "last_takes_table": st.booleans(),
    },
)
seeds = st.binary(min_size=32, max_size=32)


# --- a second reading of the rules -------------------------------------------------------------------------------


def value(card: str) -> int | None:
    """cassino §1"""
    return {"A": 1, "T": 10, "J": None, "Q": None, "K": None}.get(card[0], int(card[0]) if card[0].isdigit() else None)


def adds_up(cards: frozenset[str], number: int, *, groups: bool) -> bool:
    """Whether the cards make one group of this sum, or several."""
    values = [value(card) for card in cards]
    if not cards or None in values:
        return False
    if sum(v or 0 for v in values) == number:
        return True
    first, *others = sorted(cards)
    parts = [frozenset((first, *some)) for n in range(len(others)) for some in combinations(others, n)]
    return groups and any(adds_up(p, number, groups=False) and adds_up(cards - p, number, groups=True) for p in parts)


def subsets(cards: tuple[str, ...]) -> list[frozenset[str]]:
    """All sets of these cards but the empty one."""
    return [frozenset(some) for n in range(1, len(cards) + 1) for some in combinations(cards, n)]


def may_take(option: Any, hand: Hand, seat: int, card: str, cards: frozenset[str]) -> bool:
    """cassino §5"""
    own = build_of(hand, seat)
    built = frozenset(own.cards) if own else frozenset[str]()
    free = cards - built
    if value(card) is None:
        return len(cards) == 1 and cards == free and min(cards)[0] == card[0]
    if cards & built and (built - cards or own is None or own.value != value(card)):
        return False
    if cards & built and free and not option.multi_take:
        return False
    return not free or adds_up(free, value(card) or 0, groups=option.multi_take)


def takes_of(option: Any, hand: Hand, seat: int) -> set[tuple[str, frozenset[str]]]:
    """All proper takes."""
    own = build_of(hand, seat)
    built = frozenset(own.cards) if own else frozenset[str]()
    free = [frozenset[str](), *subsets(hand.table)]
    sets = [some for some in (*free, *(some | built for some in free)) if some]
    return {(card, some) for card in hand.held[seat] for some in sets if may_take(option, hand, seat, card, some)}


def builds_of(option: Any, hand: Hand, seat: int, *, needs_card: bool) -> set[tuple[str, frozenset[str]]]:
    """All builds that fulfil the conditions (cassino §5)."""
    wins = any(card in POINTS or set(POINTS) & some for card, some in takes_of(option, hand, seat))
    if build_of(hand, seat) is not None or (option.build_condition == "strict" and wins):
        return set()
    made: set[tuple[str, frozenset[str]]] = set()
    for card in hand.held[seat]:
        others = [other for other in hand.held[seat] if other != card]
        for some in subsets(hand.table):
            values = [value(each) for each in (card, *some)]
            total = sum(v or 0 for v in values)
            holds = any(value(other) == total for other in others)
            if None not in values and total <= 10 and (holds or not needs_card):
                made.add((card, some))
    return made


def as_moves(choices: tuple[Action, ...], kind: str) -> set[tuple[str, frozenset[str]]]:
    """The listed choices of a kind."""
    listed = [(choice["card"], frozenset(choice["cards"])) for choice in choices if choice["type"] == kind]
    assert len(set(listed)) == len(listed)
    return set(listed)


@settings(max_examples=60, deadline=None)
@given(options, st.integers(2, 4), seeds)
def test_what_is_listed_is_what_a_second_reading_of_the_rules_allows(
    option: dict[str, Any], seats: int, seed: bytes
) -> None:
    for state, seat, *_ in positions("cassino", option, seats=seats, seed=seed):
        if state.phase.trails or len(state.phase.hand.table) > 9:
            continue
        hand, choices = state.phase.hand, GAME.legal(state, seat).choices
        takes = takes_of(state.options, hand, seat)
        assert as_moves(choices, "take") == takes
        built = builds_of(state.options, hand, seat, needs_card=state.options.build_needs_card)
        assert as_moves(choices, "build") == built
        passes = not takes and not builds_of(state.options, hand, seat, needs_card=True)
        assert ({"type": "pass"} in choices) == passes


@settings(max_examples=60, deadline=None)
@given(options, st.integers(2, 4), seeds)
def test_all_that_the_templates_cover_is_tried_or_taken(option: dict[str, Any], seats: int, seed: bytes) -> None:
    """A take that does not add up costs a point and changes nothing else; one that does is as if it were listed."""
    dice = Stream(seed)
    for state, seat, *_ in positions("cassino", option, seats=seats, seed=seed):
        listed = GAME.legal(state, seat)
        assert bool(listed.also) <= (state.options.wrong_take == "penalty")
        for template in listed.also:
            action = pick(listed.__class__(also=(template,)), dice)
            assert action is not None
            assert covers(template, action)
            (event, *after) = GAME.act(state, seat, action, False)  # noqa: FBT003
            if may_take(state.options, state.phase.hand, seat, action["card"], frozenset(action["cards"])):
                assert isinstance(event, Taken)
                continue
            assert isinstance(event, Misplayed)
            assert after == []
            tried = GAME.evolve(state, event).phase
            assert isinstance(tried, Playing)
            fine = tried.hand.penalties[seat]
            assert fine.misplay == state.phase.hand.penalties[seat].misplay + 1
            assert (tried.turn, tried.hand.held, tried.hand.table) == (
                seat,
                state.phase.hand.held,
                state.phase.hand.table,
            )


@settings(max_examples=60, deadline=None)
@given(options, st.integers(2, 4), seeds)
def test_no_card_is_lost_or_doubled(option: dict[str, Any], seats: int, seed: bytes) -> None:
    """Hands, table, builds, stock and piles are the pack at every position."""
    for position in positions("cassino", option, seats=seats, seed=seed):
        hand = position.state.phase.hand
        built = [card for build in hand.builds for card in build.cards]
        piles = [card for pile in (*hand.held, *hand.piles) for card in pile]
        cards = [*hand.table, *hand.stock, *built, *piles]
        assert len(cards) == len(set(cards)) == position.state.options.deck


@settings(max_examples=60, deadline=None)
@given(options, st.integers(2, 4), seeds)
def test_a_time_out_is_a_listed_choice_and_the_first_of_its_kind(
    option: dict[str, Any], seats: int, seed: bytes
) -> None:
    """cassino §9"""
    for state, seat, *_ in positions("cassino", option, seats=seats, seed=seed):
        action, hand = GAME.timeout(state, seat), state.phase.hand
        choices = GAME.legal(state, seat).choices
        if state.phase.trails:
            free = [card for card in hand.held[seat] if card not in POINTS] or list(hand.held[seat])
            assert action["card"] == min(free, key=lambda c: ("A23456789TJQK".index(c[0]), "cdhs".index(c[1])))
            continue
        takes = sorted((card, sorted(cards)) for card, cards in as_moves(choices, "take"))
        builds = sorted((card, sorted(cards)) for card, cards in as_moves(choices, "build"))
        own = build_of(hand, seat)
        mine = [move for move in takes if own is not None and set(own.cards) <= set(move[1])]
        passes = {"type": "pass"} in choices
        kind, moves = ("take", mine or takes) if takes else ("pass", []) if passes else ("build", builds)
        assert action == ({"type": kind, "card": moves[0][0], "cards": moves[0][1]} if moves else {"type": kind})
