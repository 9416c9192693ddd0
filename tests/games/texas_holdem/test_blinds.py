"""Blinds, antes and the board of Texas hold'em."""

import pytest

from schemas.poker import AntesPosted, BlindPosted
from tests.games.shared.poker.tables import holdem


def test_the_blinds_are_left_of_the_button() -> None:
    table = holdem(4)
    positions = table.hand.positions
    assert (positions.dealer, positions.small, positions.big) == (3, 0, 1)
    assert table.round.bets == (50, 100, 0, 0)
    assert table.turn == 2


def test_heads_up_the_button_posts_the_small_blind_and_acts_first() -> None:
    table = holdem(2)
    assert table.round.bets == (100, 50)
    assert table.turn == 1
    table.act("call", "check")
    assert table.turn == 0


def test_a_short_blind_is_owed_in_full() -> None:
    """texas_holdem, Blinds: all-in for 30, the others owe 100 and raise to 200 or more."""
    table = holdem(3, stacks=[1000, 30, 1000])
    assert table.round.bets == (50, 30, 0)
    assert table.legal() == {"fold": None, "call": 100, "raise": (200, 1000), "all_in": 1000}


def test_antes_are_paid_before_the_blinds() -> None:
    table = holdem(3, ante=60, stacks=[100, 150, 1000])
    assert [e.amounts for e in table.events if isinstance(e, AntesPosted)] == [(60, 60, 60)]
    assert [(e.kind, e.amount) for e in table.events if isinstance(e, BlindPosted)] == [("small", 40), ("big", 90)]


def test_the_big_blinds_ante_is_dead_money_of_the_main_pot() -> None:
    """texas_holdem, One hand: it is paid first, and what is left pays the blind."""
    table = holdem(3, big_blind_ante=120, stacks=[1000, 150, 1000])
    assert [(e.kind, e.amount) for e in table.events if isinstance(e, BlindPosted)] == [
        ("ante", 120), ("small", 50), ("big", 30),
    ]  # fmt: skip
    table.act("call", "call", *["check"] * 6)
    assert [amount for amount, _ in table.pots()] == [3 * 30 + 120, 2 * 70]


@pytest.mark.parametrize(("burn", "board"), [(True, "5h 6h 7h 9h Jh"), (False, "4h 5h 6h 7h 8h")])
def test_a_card_is_burned_before_flop_turn_and_river(burn: bool, board: str) -> None:  # noqa: FBT001  # a parameter
    table = holdem(2, "2s 3s 2d 3d 4h 5h 6h 7h 8h 9h Th Jh", burn=burn)
    table.act("call", "check", *["check"] * 6)
    assert " ".join(table.hand.board) == board


def test_the_bets_of_a_limit_may_differ_from_the_blinds() -> None:
    table = holdem(3, structure="limit", small_bet=150, big_bet=400)
    assert table.legal()["raise"] == (250, 250)
    table.act("call", "call", "check", "bet 150", "call", "fold")
    assert table.legal()["bet"] == (400, 400)


def test_where_everybody_is_all_in_by_the_blinds_the_board_is_dealt_at_once() -> None:
    table = holdem(2, "As Ks Ah Kh . 2c 5d 8h . 9c . Td", stacks=[60, 40])
    assert table.turn is None
    assert table.pots() == [(80, [0])]
    assert table.fact("returned") == (20, 0)
    assert table.fact("match_over")


def test_a_viewer_is_told_the_positions() -> None:
    """texas_holdem, Positions: of ten seats, from left of the button."""
    table = holdem(10)
    positions = [place.facts["position"] for place in table.game.table(table.state).places]
    assert positions == ["early"] * 3 + ["middle"] * 4 + ["late"] * 2 + ["button"]
