"""Who shows, in which order, and who keeps his hand closed (poker §8)."""

from schemas.poker import HandsShown
from tests.games.shared.poker.tables import holdem, show_hand, stud

CHECKED = ("call", "call", "check", *["check"] * 9)
"""Three seats check a hand of hold'em to its end."""

# Seats 0, 1, 2 hold aces, kings, queens on a board of nothing.
ACES_KINGS_QUEENS = "As Ks Qs Ah Kh Qh . 2c 5d 8h . 9c . Td"
QUEENS_KINGS_ACES = "Qs Ks As Qh Kh Ah . 2c 5d 8h . 9c . Td"


def test_without_a_bet_the_seat_that_opened_shows_first_and_losers_keep_closed() -> None:
    table = holdem(3, ACES_KINGS_QUEENS)
    table.act(*CHECKED)
    assert (table.fact("shown"), table.fact("mucked")) == ((0,), (1, 2))


def test_a_hand_that_beats_what_was_shown_is_shown_too() -> None:
    table = holdem(3, QUEENS_KINGS_ACES)
    table.act(*CHECKED)
    assert (table.fact("shown"), table.fact("mucked")) == ((0, 1, 2), ())


def test_the_last_to_bet_in_the_last_round_shows_first() -> None:
    table = holdem(3, QUEENS_KINGS_ACES)
    table.act("call", "call", "check", *["check"] * 6, "check", "bet 100", "call", "call")
    assert (table.fact("shown"), table.fact("mucked")) == ((1, 2), (0,))


def test_all_show_where_the_option_says_so() -> None:
    table = holdem(3, ACES_KINGS_QUEENS, showdown="all")
    table.act(*CHECKED)
    assert table.fact("shown") == (0, 1, 2)


def test_a_hand_is_shown_for_a_side_pot_that_it_can_win() -> None:
    """The short stack shows the best hand; the winner of the side pot shows his, the third does not."""
    table = holdem(3, ACES_KINGS_QUEENS, stacks=[100, 1000, 1000])
    table.act("call", "call", "check", "bet 100", "call", "check", "check", "check", "check")
    assert table.pots() == [(300, [0]), (200, [1])]
    assert (table.fact("shown"), table.fact("mucked")) == ((0, 1), (2,))


def test_once_all_ins_close_the_betting_all_show_before_the_next_card() -> None:
    table = holdem(3, ACES_KINGS_QUEENS, stacks=[500, 500, 500])
    table.act("all_in", "all_in", "all_in")
    shown = [event for event in table.events if isinstance(event, HandsShown)]
    assert [[each.seat for each in event.hands] for event in shown] == [[2, 0, 1]] * 2
    assert table.fact("mucked") == ()


def test_without_the_option_nothing_is_shown_before_the_end() -> None:
    table = holdem(3, ACES_KINGS_QUEENS, stacks=[500, 500, 500], all_in_reveal=False)
    table.act("all_in", "all_in", "all_in")
    assert len([event for event in table.events if isinstance(event, HandsShown)]) == 1
    assert (table.fact("shown"), table.fact("mucked")) == ((2, 0), (1,))


def test_a_seventh_card_that_comes_after_the_hands_were_shown_is_shown_at_the_end() -> None:
    table = stud(2, stacks=[100, 100], structure="no_limit")
    table.act("all_in", "call")
    early, late = [event for event in table.events if isinstance(event, HandsShown)]
    assert [len(each.cards) for each in early.hands] == [2, 2]
    assert [len(each.cards) for each in late.hands] == [3, 3]


def test_who_is_left_alone_shows_nothing() -> None:
    table = show_hand(3)
    table.act("bet 10", "fold", "fold")
    assert (table.fact("shown"), table.fact("mucked"), table.fact("best")) == ((), (), [None, None, None])
