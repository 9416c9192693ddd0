"""Bring-in, openers, bet sizes and short decks of seven-card stud."""

import pytest

from schemas.poker import StreetDealt
from schemas.refusals import Code
from tests.games.shared.poker.tables import PokerTable, stud

LOW_CLUB = "As Ks Qs Ah Kh Qh 2d 2c 2h"
"""Three seats; the door cards are deuces, seat 1 has the club."""


def test_the_lowest_door_card_brings_in_clubs_lowest() -> None:
    table = stud(3, LOW_CLUB)
    assert (table.turn, table.round.bring_in) == (1, 10)
    assert table.legal() == {"bring_in": 10, "complete": (20, 20)}
    for verb in ("fold", "check", "call"):
        assert table.refuses(1, verb) == Code.BRING_IN_REQUIRED
    for action in ("bet 20", "raise 20"):
        assert table.refuses(1, action) == Code.NOT_AVAILABLE


def test_a_completion_is_the_bet_and_no_raise() -> None:
    """seven_card_stud, Bring-in: three raises follow it."""
    table = stud(3, LOW_CLUB)
    table.act("bring_in", "complete 20", "raise 40", "raise 60", "raise 80")
    assert table.refuses(0, "raise 100") == Code.RAISE_CAP


def test_the_bring_in_seat_gets_no_second_turn_when_all_call() -> None:
    table = stud(3, LOW_CLUB)
    table.act("bring_in", "call", "call")
    assert table.game.phase(table.state) == "fourth"


def test_a_bring_in_of_a_whole_small_bet_is_the_bet() -> None:
    table = stud(3, LOW_CLUB, bring_in=20)
    table.act("bring_in")
    assert table.legal() == {"fold": None, "call": 20, "raise": (40, 40)}
    assert table.refuses(2, "complete 20") == Code.NOT_AVAILABLE


@pytest.mark.parametrize(
    ("stack", "verb", "amount"), [(20, "raise", (35, 35)), (14, "complete", (20, 20))], ids=["half", "less"]
)
def test_an_all_in_over_the_bring_in_counts_from_half_a_bet_on(stack: int, verb: str, amount: tuple[int, int]) -> None:
    """seven_card_stud, Bring-in: 5 go for the ante; bring-in 5, bet 20, an all-in of 15 is the bet, one of 9 not."""
    table = stud(3, LOW_CLUB, bring_in=5, stacks=[1000, 1000, stack])
    table.act("bring_in", "all_in")
    assert table.legal()[verb] == amount


def test_without_a_limit_a_short_all_in_is_completed_by_a_full_bet_more() -> None:
    """seven_card_stud, Bring-in: all-in of 15, complete to 35 or more."""
    table = stud(3, LOW_CLUB, structure="no_limit", stacks=[1000, 1000, 20])
    table.act("bring_in", "all_in")
    assert table.legal()["complete"] == (35, 995)


def test_without_a_limit_the_next_raise_is_as_large_as_the_completion() -> None:
    """seven_card_stud, Bring-in: 10 to 60 is 50; completed at once, it is the whole amount."""
    table = stud(3, LOW_CLUB, structure="no_limit")
    table.act("bring_in", "complete 60")
    assert table.legal()["raise"] == (110, 995)
    at_once = stud(3, LOW_CLUB, structure="no_limit")
    at_once.act("complete 60")
    assert at_once.legal()["raise"] == (120, 995)


def test_who_must_bring_in_may_go_all_in_for_more_than_that() -> None:
    table = stud(3, LOW_CLUB, stacks=[1000, 20, 1000])
    assert table.legal() == {"bring_in": 10, "all_in": 15}
    assert table.refuses(1, "complete 20") == Code.STACK_TOO_SMALL
    short = stud(3, LOW_CLUB, stacks=[1000, 15, 1000])
    assert short.legal() == {"bring_in": 10}
    assert short.refuses(1, "all_in") == Code.NOT_AVAILABLE


def test_who_has_no_chips_left_for_the_bring_in_passes_it_on() -> None:
    table = stud(3, LOW_CLUB, stacks=[1000, 5, 1000])
    assert table.turn == 2


def test_where_fewer_than_two_have_chips_nothing_is_posted() -> None:
    table = stud(3, LOW_CLUB, stacks=[1000, 5, 5])
    assert table.turn is None
    assert sum(amount for amount, _ in table.pots()) == 15


def boards(options: dict[str, object]) -> PokerTable:
    """Fourth street, seats 0 and 2 with king and seven, seat 1 with nothing."""
    table = stud(3, "As Ts Qs Ah Th Qh Kd 2c Kh . 7s 3d 7d", **options)
    table.act("bring_in", "call", "call")
    return table


def test_equal_boards_open_by_suit_or_by_position() -> None:
    """seven_card_stud, Best board: the heart king beats the diamond; by position it is the first left of the dealer."""
    assert boards({}).turn == 2
    assert boards({"board_tie": "position"}).turn == 0


def test_an_open_pair_on_fourth_street_may_allow_a_big_bet() -> None:
    table = stud(2, "As Ts Ah Th Kd 2c . Ks 3d", open_pair_big_bet=True)
    table.act("bring_in", "call")
    assert table.legal()["bet"] == (20, 40, 20)
    table.act("bet 20")
    assert table.legal()["raise"] == (40, 60, 20)
    assert table.refuses(1, "raise 50") == Code.AMOUNT_NOT_ALLOWED
    table.act("raise 60")
    assert table.legal()["raise"] == (100, 100)


def dealt_to_the_end(seats: int, **options: object) -> list[tuple[int, int, int, int]]:
    """Street, burned, cards for seats, cards for the board, with everybody in to the end."""
    table = stud(seats, "", **options)
    table.act("bring_in", *["call"] * (seats - 1), *["check"] * (4 * seats))
    streets = [event for event in table.events if isinstance(event, StreetDealt)]
    return [(event.street, event.burned, len(event.seats), len(event.board)) for event in streets]


def test_a_short_deck_is_dealt_without_burning_and_then_as_one_card_for_all() -> None:
    """seven_card_stud, When the deck runs short."""
    assert dealt_to_the_end(6) == [(1, 1, 6, 0), (2, 1, 6, 0), (3, 1, 6, 0), (4, 1, 6, 0)]
    assert dealt_to_the_end(7) == [(1, 1, 7, 0), (2, 1, 7, 0), (3, 1, 7, 0), (4, 0, 7, 0)]
    assert dealt_to_the_end(8) == [(1, 1, 8, 0), (2, 1, 8, 0), (3, 1, 8, 0), (4, 0, 0, 1)]
    assert dealt_to_the_end(9) == [(1, 1, 9, 0), (2, 1, 9, 0), (3, 0, 0, 1), (4, 0, 0, 1)]
    assert dealt_to_the_end(7, burn=False)[-1] == (4, 0, 7, 0)


def test_equal_hands_split_in_the_standard_ranking_alone() -> None:
    """seven_card_stud, comparison of hands: the odd chip goes to the higher suit of the highest card."""
    deck = "3c 4c As Ah Kd Kc . Qc Qd . Jh Js . Td Th . 2s 2h"
    split = stud(2, deck, ranking="standard", ante=5)
    split.act("bring_in", "complete 20", "call", *["check"] * 8)
    assert split.pots() == [(50, [0, 1])]
    suits = stud(2, deck)
    suits.act("bring_in", "complete 20", "call", *["check"] * 8)
    assert suits.pots() == [(50, [0])]
