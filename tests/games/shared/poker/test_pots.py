"""Pots: uncalled bets, side pots, odd chips (poker §5 to §7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.shared.poker.pots import Pot, awarded, pots, uncalled
from services.games.shared.poker.showdown import by_position


def test_what_nobody_matched_goes_back() -> None:
    """poker §5: folded seats count, and a folded seat gets nothing back."""
    assert uncalled((300, 100, 0), (0, 1)) == (0, 200)
    assert uncalled((300, 250, 0), (0, 2)) == (0, 50)
    assert uncalled((300, 300, 100), (0, 1, 2)) is None
    assert uncalled((100, 300), (0,)) is None
    assert uncalled((0, 0), (0, 1)) is None


def test_all_ins_of_different_size_make_side_pots() -> None:
    """poker §6, the example."""
    assert pots((300, 700, 1500, 1500), (0, 1, 2, 3), 0) == [
        Pot(1200, (0, 1, 2, 3)),
        Pot(1200, (1, 2, 3)),
        Pot(1600, (2, 3)),
    ]


def test_pots_with_the_same_seats_are_one() -> None:
    """poker §6: a folded seat's chips make no pot of their own."""
    assert pots((100, 300, 300), (1, 2), 0) == [Pot(700, (1, 2))]
    assert pots((400, 300, 300), (1, 2), 0) == [Pot(1000, (1, 2))]


def test_dead_money_belongs_to_the_main_pot() -> None:
    """texas_holdem, One hand: the big blind's ante."""
    assert pots((50, 200, 200), (0, 1, 2), 70) == [Pot(220, (0, 1, 2)), Pot(300, (1, 2))]


@given(st.lists(st.integers(1, 500), min_size=2, max_size=10), st.data())
def test_every_chip_is_in_one_pot(put: list[int], data: st.DataObject) -> None:
    live = tuple(sorted(data.draw(st.sets(st.sampled_from(range(len(put))), min_size=1))))
    found = pots(tuple(put), live, 3)
    assert sum(pot.amount for pot in found) == sum(put) + 3
    assert [set(pot.eligible) for pot in found] == sorted((set(p.eligible) for p in found), key=len, reverse=True)
    assert found[0].eligible == live


@pytest.mark.parametrize(
    ("amount", "shares"),
    [(300, (100, 100, 100)), (301, (100, 101, 100)), (302, (100, 101, 101))],
)
def test_odd_chips_go_out_one_each_from_left_of_the_button(amount: int, shares: tuple[int, ...]) -> None:
    """poker §7: the button is seat 1, so that seats 2 and 4 come before seat 0."""
    award = awarded(Pot(amount, (0, 2, 4)), {0: 5, 2: 5, 4: 5}, by_position(1))
    assert (award.winners, award.shares) == ((0, 2, 4), shares)
    assert sum(award.shares) == amount


def test_the_best_hand_among_those_that_can_win_takes_a_pot() -> None:
    """poker §6"""
    award = awarded(Pot(90, (1, 2)), {0: 9, 1: 5, 2: 7}, by_position(0))
    assert (award.winners, award.shares) == ((2,), (90,))
