"""The list of legal plays is complete and canonical, and quick (fifty_k §13)."""

import gc
import time
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import PACK, Cards
from services.games.fifty_k.combos import Combo, combo_text, compare, readings
from services.games.fifty_k.listing import entries
from services.games.fifty_k.options import Options
from services.games.shared.cards import in_order

LARGEST = "3s 4s 5s 6s 6h 6d 7s 7h 7d 7c 8s 8h 8d 8c 9s 9h 9d 9c Ts Th Td Js Qs Ks As 2s"
"""More entries than any other hand of two decks that climbing from thousands of hands has come to."""

COUNT = 15_754
MOST_MS = 50

OPTIONS = st.builds(
    Options,
    decks=st.sampled_from([1, 2]),
    low_straights=st.sampled_from(["natural", "no_two"]),
    straight_flush=st.sampled_from(["tiebreak", "above"]),
)


@st.composite
def hands(draw: st.DrawFn, options: Options) -> Cards:
    """Small hands, in which ranks lie close together so that there is something to combine."""
    ranks = draw(st.sampled_from(["34567", "TJQKA2", "A2345", "5TK3", "3456789TJQKA2"]))
    cards = [card for card in PACK * options.decks if card[0] in ranks]
    chosen = draw(st.lists(st.sampled_from(range(len(cards))), unique=True, min_size=1, max_size=10))
    return in_order(tuple(cards[i] for i in chosen))


def listed(options: Options, hand: Cards, current: Combo | None, *, opening: bool = False) -> list[str]:
    """The list under test."""
    return sorted(combo_text(kind, cards) for kind, cards in entries(options, hand, current, opening=opening))


def by_brute_force(options: Options, hand: Cards, current: Combo | None, *, opening: bool = False) -> list[str]:
    """All that any subset of the hand can be played as."""
    found = set[str]()
    for size in range(1, len(hand) + 1):
        for cards in combinations(hand, size):
            for combo in readings(options, cards):
                beats = current is None or compare(combo, current) == "beats"
                if beats and not (opening and "3s" not in cards):
                    found.add(combo_text(combo.kind, cards))
    return sorted(found)


@settings(max_examples=150)
@given(st.data())
def test_a_lead_lists_exactly_what_some_cards_of_the_hand_form(data: st.DataObject) -> None:
    options = data.draw(OPTIONS)
    hand = data.draw(hands(options))
    opening = "3s" in hand and data.draw(st.booleans())
    assert listed(options, hand, None, opening=opening) == by_brute_force(options, hand, None, opening=opening)


@settings(max_examples=250)
@given(st.data())
def test_an_answer_lists_exactly_what_beats_the_current_play(data: st.DataObject) -> None:
    options = data.draw(OPTIONS)
    hand, other = data.draw(hands(options)), data.draw(hands(options))
    plays = [
        combo for _, cards in entries(options, other, None, opening=False) for combo in readings(options, tuple(cards))
    ]
    current = data.draw(st.sampled_from(plays))
    assert listed(options, hand, current) == by_brute_force(options, hand, current)


@settings(max_examples=100)
@given(st.data())
def test_the_cards_of_an_entry_are_of_the_hand_and_form_its_kind(data: st.DataObject) -> None:
    options = data.draw(OPTIONS)
    hand = data.draw(hands(options))
    for kind, cards in entries(options, hand, None, opening=False):
        assert in_order(tuple(cards)) in {in_order(chosen) for chosen in combinations(hand, len(cards))}
        assert kind in [combo.kind for combo in readings(options, tuple(cards))]


OPENING = Options(first_lead_3s=True)


@pytest.mark.parametrize(
    ("hand", "current", "entry"),
    [
        ("3s 3h 4s 4h 5s 6s 7s", "", "straight/34567"),  # the 3s stays, and another card is of another suit
        ("5s 5h 5d 5c", "5s 5h 5d 5c", "bomb/5555"),  # equal does not beat
        ("5s 5h 5d 5c 5s", "5s 5h 5d 5c", "bomb/5555"),
        ("5s Ts Ks", "5s Ts Ks", "bomb_510k/s"),
    ],
)
def test_what_is_rare_among_random_hands_is_listed_rightly(hand: str, current: str, entry: str) -> None:
    """An opening holds the 3s; of two decks two seats may hold the same."""
    cards = in_order(tuple(hand.split()))
    beaten = readings(OPENING, tuple(current.split()))[0] if current else None
    found = listed(OPENING, cards, beaten, opening=not current)
    assert found == by_brute_force(OPENING, cards, beaten, opening=not current)
    assert (entry in found) == (not current)


def test_the_longest_list_is_made_quickly() -> None:
    """In the time of this process, the best of some tries, since the machine has others to serve."""
    spent: list[int] = []
    found: list[object] = []
    gc.disable()  # services look for garbage seldom, and what other tests have left is not looked through here
    try:
        for _ in range(5):
            began = time.process_time_ns()
            found = list(entries(Options(), in_order(tuple(LARGEST.split())), None, opening=False))
            spent.append(time.process_time_ns() - began)
    finally:
        gc.enable()
    assert len(found) == COUNT
    assert min(spent) < MOST_MS * 1_000_000


def test_no_entry_is_listed_twice() -> None:
    combos = listed(Options(), in_order(tuple(LARGEST.split())), None)
    assert len(combos) == len(set(combos)) == COUNT
