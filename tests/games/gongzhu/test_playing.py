"""Play to the tricks (gongzhu §5, §6, §8)."""

from typing import Any

import pytest

from schemas.refusals import Code
from tests.games.gongzhu.hands import EAST, NORTH, SOUTH, WEST, GongzhuTable, given

VOID_IN_CLUBS = ("AT6.K95.Q84.J753", "J7.AT62.K95.Q984", "Q85432.J73.AT62.", "K9.Q84.J73.AKT62")
"""South has no clubs, and the pig; East leads the 2c."""


def playing(*hands: str, exposed: str = "", **options: Any) -> GongzhuTable:
    """A hand in which everybody has passed, but for those who exposed these cards."""
    table = given(*hands, **options)
    for seat in range(4):
        own = [card for card in exposed.split() if f"expose {card}" in table.legal(seat)]
        table.does(seat, " ".join(["expose", *own]) if own else "pass")
    return table


# --- §5.1 who leads ----------------------------------------------------------------------------------------------


def test_the_holder_of_the_opening_card_leads_it_in_the_first_hand() -> None:
    table = playing()
    assert table.refuses(NORTH, "play 2s") == Code.NOT_YOUR_TURN
    assert table.refuses(EAST, "play Ac") == Code.MUST_PLAY_OPENING
    assert table.legal(EAST) == ["play 2c"]
    table.play("2c")
    assert table.fact("turn") == NORTH


def test_the_duty_to_lead_the_opening_card_is_for_the_first_trick_only() -> None:
    table = playing()
    table.play("2c Jc Qc Kc")
    assert table.fact("turn") == SOUTH
    assert len(table.legal(SOUTH)) == 12


def test_without_the_duty_the_holder_may_lead_any_card() -> None:
    assert len(playing(opening_must_play=False).legal(EAST)) == 13


def test_later_hands_are_led_by_the_pig_taker_with_any_card() -> None:
    table = playing(start={"hand_no": 2, "prev_pig_taker": WEST})
    assert (table.fact("leader"), table.fact("dealer")) == (WEST, WEST)
    assert len(table.legal(WEST)) == 13


def test_where_the_opening_card_decides_every_hand_it_must_be_led_in_every_hand() -> None:
    table = playing(leader_rule="opening_card", start={"hand_no": 5, "prev_pig_taker": WEST})
    assert (table.fact("leader"), table.fact("dealer")) == (EAST, WEST)
    assert table.legal(EAST) == ["play 2c"]


def test_the_lead_may_rotate_from_the_first_dealer_on() -> None:
    table = playing(leader_rule="rotate", first_dealer=3, start={"hand_no": 3})
    assert (table.fact("leader"), table.fact("dealer")) == (WEST, WEST)
    assert len(table.legal(WEST)) == 13


def test_an_exposed_opening_card_is_led_all_the_same() -> None:
    table = playing(exposed="Qs", opening_card="Qs")
    assert table.legal(SOUTH) == ["play Qs"]
    table.play("Qs 5s 2s 3s")
    assert table.fact("trick_winners") == (SOUTH,)


# --- §5.2 following and winning ----------------------------------------------------------------------------------


def test_the_led_suit_must_be_followed() -> None:
    table = playing()
    table.play("2c")
    assert table.refuses(NORTH, "play 2s") == Code.MUST_FOLLOW
    assert table.legal(NORTH) == ["play 3c", "play 7c", "play Jc"]


def test_without_the_led_suit_any_card_may_be_thrown_and_never_wins() -> None:
    table = playing(*VOID_IN_CLUBS)
    table.play("2c 3c 4c")
    assert len(table.legal(SOUTH)) == 13
    table.play("Ad")
    assert table.fact("trick_winners") == (WEST,)


def test_the_winner_takes_the_point_cards_and_leads() -> None:
    table = playing(*VOID_IN_CLUBS)
    table.play("2c 3c 4c Qs")
    assert table.fact("captured") == [(), ("Qs",), (), ()]
    assert table.fact("turn") == WEST


@pytest.mark.parametrize("cards", ["2d", "2c 2c", "2h"])
def test_what_is_not_in_the_hand_cannot_be_played(cards: str) -> None:
    assert playing().refuses(EAST, f"play {cards}") == Code.NOT_IN_HAND


def test_one_card_is_played_at_a_time() -> None:
    table = playing()
    assert table.refuses(EAST, "play 2c 6c") == Code.WRONG_COUNT
    table.play("2c")
    assert table.refuses(NORTH, "play 3c 7c") == Code.WRONG_COUNT


# --- §5.3 the ban on exposed cards -------------------------------------------------------------------------------


def test_an_exposed_card_may_not_follow_in_the_first_trick_of_its_suit() -> None:
    table = playing(exposed="Qs", leader_rule="rotate")
    table.play("As 3s")
    assert table.refuses(SOUTH, "play Qs") == Code.EXPOSED_BANNED
    assert table.legal(SOUTH) == ["play 4s", "play 8s"]


def test_the_ban_ends_with_the_first_complete_trick_of_the_suit() -> None:
    table = playing(exposed="Qs", leader_rule="rotate")
    table.play("As 3s 4s 5s 2s 7s")
    assert table.legal(SOUTH) == ["play 8s", "play Qs"]


def test_an_exposed_card_may_not_be_led_while_its_suit_is_unopened() -> None:
    table = playing(exposed="Qs", leader_rule="rotate", start={"hand_no": 3})
    assert table.refuses(SOUTH, "play Qs") == Code.EXPOSED_BANNED
    assert "play Qs" not in table.legal(SOUTH)
    assert len(table.legal(SOUTH)) == 12


def test_the_only_card_of_a_suit_is_led_and_followed_with_exposed_or_not() -> None:
    alone = ("AT862.K9.Q84.J73", "J743.AT62.95.Q84", "Q.J753.KAT62.K95", "K95.Q84.J73.AT62")
    table = playing(*alone, exposed="Qs", leader_rule="rotate")
    table.play("As 3s")
    assert table.legal(SOUTH) == ["play Qs"]
    leading = playing(*alone, exposed="Qs", leader_rule="rotate", start={"hand_no": 3})
    assert "play Qs" in leading.legal(SOUTH)


def test_a_banned_card_may_be_thrown_on_another_suit_which_opens_nothing() -> None:
    table = playing(*VOID_IN_CLUBS, exposed="Qs Ah")
    table.play("2c 3c 4c")
    assert "play Qs" in table.legal(SOUTH)
    table.play("Qs")
    assert table.refuses(WEST, "play Ah") == Code.EXPOSED_BANNED
    table.play("7s")
    assert table.refuses(SOUTH, "play 2d") == Code.MUST_FOLLOW


def test_a_forced_card_is_banned_too() -> None:
    table = given(expose="all", leader_rule="rotate")
    table.play("As 3s")
    assert table.refuses(SOUTH, "play Qs") == Code.EXPOSED_BANNED


# --- §5.5 the colour of discards ---------------------------------------------------------------------------------


def test_strictly_a_discard_must_be_of_the_led_colour() -> None:
    table = playing(*VOID_IN_CLUBS, discard_colour="strict")
    table.play("2c 3c 4c")
    assert table.refuses(SOUTH, "play Jh") == Code.WRONG_COLOUR
    assert table.legal(SOUTH) == [f"play {rank}s" for rank in "23458Q"]


def test_without_a_card_of_the_colour_any_discard_is_right() -> None:
    red = ("AT6542.95.Q8.J73", "J987.A62.J.Q9842", ".KQJT73.AKT6542.", "KQ3.84.973.AKT65")
    table = playing(*red, discard_colour="strict", leader_rule="rotate")
    table.play("As 7s")
    assert len(table.legal(SOUTH)) == 13


def test_with_penalty_the_first_offender_takes_the_point_cards_and_the_high_card_the_lead() -> None:
    table = playing(*VOID_IN_CLUBS, discard_colour="penalty", opening_card="Tc")
    table.play("Tc 3c Qc")
    assert "play Jh" in table.legal(SOUTH)
    table.play("Jh")
    assert table.fact("captured") == [(), (), ("Jh", "Tc"), ()]
    assert table.fact("breaches") == ((1, SOUTH),)
    assert table.fact("trick_winners") == (WEST,)
    assert table.fact("turn") == WEST


def test_a_time_out_commits_no_breach() -> None:
    table = playing(*VOID_IN_CLUBS, discard_colour="penalty")
    table.play("2c 3c 4c")
    table.times_out(SOUTH)
    assert table.fact("breaches") == ()
    assert table.fact("hand_sizes") == [12, 12, 12, 12]


# --- §6 the end of a hand, §8 managed seats, §10.1 time-outs -----------------------------------------------------


def test_a_hand_ends_with_the_last_card() -> None:
    table = playing()
    while table.fact("phase") == "play":
        table.times_out(table.turn)
    assert table.fact("hand_sizes") == [0, 0, 0, 0]
    assert table.refuses(NORTH, "pass") == Code.HAND_OVER


ALL_POINTS_FIRST = ("23456789T.AKQJ..", "QJKA.T74.765432.", ".963.AKQJT98.432", ".852..AKQJT98765")


@pytest.mark.parametrize(("options", "phase"), [({"early_end": True}, "done"), ({}, "play")])
def test_early_end_stops_when_the_last_point_card_is_taken(options: dict[str, Any], phase: str) -> None:
    table = playing(*ALL_POINTS_FIRST, leader_rule="rotate", **options)
    table.play("Ah 4h 3h 2h Kh 7h 6h 5h Qh Th 9h 8h Jh Qs Jd Tc")
    assert table.fact("phase") == phase


def test_a_time_out_plays_the_smallest_card_by_rank_and_then_by_suit() -> None:
    table = playing(leader_rule="rotate")
    table.times_out(NORTH)
    assert table.fact("turn") == WEST
    table.times_out(WEST)
    table.times_out(SOUTH)
    table.times_out(EAST)
    assert table.fact("trick_winners") == (EAST,)  # 2s, 3s, 4s, 5s


def test_time_outs_with_two_or_more_cards_make_a_seat_managed_in_this_hand() -> None:
    table = playing()
    table.times_out(EAST)
    table.play("3c 4c 5c")
    assert table.hand.managed == (False, False, False, True)


def test_a_time_out_on_the_last_card_makes_nobody_managed() -> None:
    table = playing()
    while table.fact("hand_sizes") != [1, 1, 1, 1]:
        table.does(table.turn, table.legal(table.turn)[0])
    for _ in range(4):
        table.times_out(table.turn)
    assert table.hand.managed == (False,) * 4
