"""Matches: stacks carry over, the button moves, who has no chips is out (poker §12)."""

from typing import Any

import pytest

from schemas.poker import MatchEnded
from schemas.refusals import Code
from services.games import GAMES
from services.games.game import Refused
from services.games.shuffle import SHARES
from tests.games.shared.poker.tables import PokerTable, holdem, show_hand

ACES_FIRST = "As Ks Qs Ah Kh Qh . 2c 5d 8h . 9c . Td"
"""With three seats: the seat left of the button holds aces, the next kings, the button queens."""


def ended(table: PokerTable) -> MatchEnded:
    """How the match ended."""
    *_, last = table.events
    assert isinstance(last, MatchEnded)
    return last


def test_the_dealer_of_the_first_hand_is_the_last_seat_or_the_option_says() -> None:
    assert holdem(4).hand.positions.dealer == 3
    assert holdem(4, dealer=1).hand.positions.dealer == 1


def test_the_button_moves_to_the_next_seat_and_the_blinds_follow() -> None:
    table = holdem(3, "", "")
    table.act("fold", "fold")
    positions = table.hand.positions
    assert (positions.dealer, positions.small, positions.big) == (0, 1, 2)
    assert table.fact("hand_scores") == ((-50, 50, 0),)


def test_who_has_no_chips_is_out_and_the_better_stack_before_the_hand_ranks_higher() -> None:
    """Two seats bust in one hand."""
    table = holdem(4, "As Ks Qs Js Ah Kh Qh Jh . 2c 5d 8h . 9c . Td", stacks=[5000, 300, 700, 5000], max_hands=1)
    table.act("all_in", "fold", "call", "call")
    assert table.fact("busted") == [1, 2]
    assert ended(table).ranking == ((0,), (3,), (2,), (1,))


def test_seats_that_bust_together_with_equal_stacks_share_the_place() -> None:
    table = holdem(3, ACES_FIRST, stacks=[500, 500, 500])
    table.act("all_in", "all_in", "all_in")
    assert ended(table).ranking == ((0,), (1, 2))
    assert ended(table).scores == (1000, -500, -500)


def test_a_busted_seat_gets_no_cards_and_does_not_come_back() -> None:
    table = holdem(3, ACES_FIRST, "", stacks=[1000, 400, 1000])
    table.act("fold", "all_in", "all_in")
    assert table.fact("busted") == [1]
    assert table.hand.seats == (2, 0)
    assert table.hand.down[1] == ()


def test_nobody_is_big_blind_twice_in_a_row_when_two_are_left() -> None:
    """texas_holdem, Button: seat 2 was big blind; the button would go to seat 1, so that seat 2 were it again."""
    table = holdem(3, "As Ks Qs Ah Kh Qh . 2c 5d 8h . 9c . Td", "", stacks=[400, 1000, 1000], dealer=0)
    # left of the button is seat 1 (aces), big blind seat 2 (kings), button seat 0 (queens)
    table.act("all_in", "call", "fold")
    assert table.fact("busted") == [0]
    positions = table.hand.positions
    assert (positions.dealer, positions.small, positions.big) == (2, 2, 1)


def test_with_a_dead_button_first_the_small_blind_is_empty_and_then_the_button() -> None:
    """texas_holdem, Button: the big blind goes on; the places behind it are those of the last hand."""
    table = holdem(
        4, "Ks Qs As Js Kh Qh Ah Jh . 2c 5d 8h . 9c . Td", "", "", stacks=[1000, 300, 1000, 1000], button_rule="dead"
    )
    table.act("call", "fold", "fold", "all_in", "call")  # seat 1, the big blind, loses to the aces of seat 2
    assert table.fact("busted") == [1]
    second = table.hand.positions
    assert (second.dealer, second.small, second.big) == (0, 1, 2)
    assert [event.kind for event in table.events if type(event).__name__ == "BlindPosted"] == ["small", "big", "big"]
    table.act("fold", "fold")
    third = table.hand.positions
    assert (third.dealer, third.small, third.big) == (1, 2, 3)
    assert table.hand.seats == (2, 3, 0)


def test_in_show_hand_who_cannot_pay_ante_and_bet_is_out_and_keeps_its_chips() -> None:
    table = show_hand(3, stacks=[1000, 19, 1000])
    assert table.hand.seats == (0, 2)
    assert table.state.stacks[1] == 19


def test_the_match_ends_after_its_last_hand() -> None:
    table = holdem(3, "", "", max_hands=2)
    table.act("fold", "fold")
    assert not table.fact("match_over")
    table.act("fold", "fold")
    assert table.fact("match_over")
    assert table.fact("scores") == [-50, 0, 50]
    assert table.fact("next_dealer") is None


def test_a_match_ends_before_the_deals_run_out() -> None:
    """No match has more hands than a dealer has shares."""
    with pytest.raises(Refused) as refused:
        GAMES["texas_holdem"].open({"max_hands": SHARES + 1}, 2)
    assert refused.value.code == Code.BAD_OPTION


BAD_OPTIONS: list[tuple[str, dict[str, Any], int]] = [
    ("texas_holdem", {}, 1),
    ("texas_holdem", {}, 11),
    ("texas_holdem", {"colour": "red"}, 3),
    ("texas_holdem", {"preset": "none"}, 3),
    ("texas_holdem", {"preset": 7}, 3),
    ("texas_holdem", {"small_blind": 200}, 3),
    ("texas_holdem", {"small_blind": 0}, 3),
    ("texas_holdem", {"big_blind": 100.0}, 3),
    ("texas_holdem", {"stacks": [100, 100]}, 3),
    ("texas_holdem", {"stacks": [100, 0, 100]}, 3),
    ("texas_holdem", {"dealer": 3}, 3),
    ("texas_holdem", {"max_hands": 0}, 3),
    ("texas_holdem", {"starting_stack": 2**53}, 3),
    ("texas_holdem", {"starting_stack": 2**53 - 1}, 3),
    ("texas_holdem", {"structure": "pot_limit"}, 3),
    ("texas_holdem", {"small_bet": 200, "big_bet": 100}, 3),
    ("seven_card_stud", {}, 10),
    ("seven_card_stud", {"bring_in": 21}, 3),
    ("seven_card_stud", {"bring_in": 0}, 3),
    ("seven_card_stud", {"big_bet": 10}, 3),
    ("seven_card_stud", {"ranking": "low"}, 3),
    ("seven_card_stud", {"structure": "no_limit", "open_pair_big_bet": True}, 3),
    ("show_hand", {"deck": "stripped"}, 6),
    ("show_hand", {"show_hand_from": 2}, 3),
    ("show_hand", {"ante": -1}, 3),
    ("show_hand", {"starting_stack": 19}, 3),
    ("show_hand", {"max_raises": -1}, 3),
]


@pytest.mark.parametrize(("game", "options", "seats"), BAD_OPTIONS, ids=str)
def test_options_that_are_unknown_or_do_not_go_together_are_refused(
    game: str, options: dict[str, Any], seats: int
) -> None:
    """poker §11, set-up."""
    with pytest.raises(Refused) as refused:
        GAMES[game].open(options, seats)
    assert refused.value.code == Code.BAD_OPTION
