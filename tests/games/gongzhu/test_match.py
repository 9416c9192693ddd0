"""From hand to hand, and the end of a match (gongzhu §9)."""

from typing import Any

import pytest

from schemas.refusals import Code
from services.games.shuffle import SHARES
from tests.games.gongzhu.hands import EAST, NORTH, SOUTH, WEST, GongzhuTable, given, given_tricks

PIG_AND_SHEEP = {NORTH: "Qs", WEST: "Jd"}


def after(*totals: int, hand_no: int = 9, penalties: tuple[int, ...] = (0, 0, 0, 0), **options: Any) -> GongzhuTable:
    """The match after a hand in which North took the pig and West the sheep, begun with these totals."""
    start = {"hand_no": hand_no, "totals": list(totals), "penalties": list(penalties)}
    return given_tricks(PIG_AND_SHEEP, start=start, **options)


# --- the next hand -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "leader", "dealer"),
    [("pig_taker", SOUTH, SOUTH), ("opening_card", None, SOUTH), ("rotate", EAST, EAST)],
)
def test_who_leads_and_deals_next(rule: str, leader: int | None, dealer: int) -> None:
    table = given_tricks({SOUTH: "Qs"}, start={"hand_no": 3}, leader_rule=rule)
    assert (table.fact("next_leader"), table.fact("next_dealer")) == (leader, dealer)


def test_a_void_hand_is_dealt_again_by_the_same_dealer() -> None:
    """gongzhu §3.3"""
    misdealt = ("AT632.K95.Q84.J73", "J7.AT62.K95.Q84", "Q84.J73.AT62.K95", "K95.Q84.J73.AT62")
    table = given(*misdealt, start={"hand_no": 4, "prev_pig_taker": SOUTH, "totals": [-10, 0, 0, 0]})
    assert (table.fact("void"), table.fact("phase")) == (True, "done")
    assert (table.fact("next_dealer"), table.fact("next_leader"), table.fact("leader")) == (SOUTH, None, None)
    assert table.fact("totals") == (-10, 0, 0, 0)
    assert table.state.phase.leader == SOUTH  # type: ignore[union-attr]  # between hands


# --- the end -----------------------------------------------------------------------------------------------------


def test_reaching_the_limit_ends_the_match() -> None:
    table = after(-900, 200, 0, 0)
    assert table.fact("match_over") is True
    assert (table.fact("pigs"), table.fact("winners")) == ((NORTH,), (WEST,))
    assert table.fact("ranking") == ((WEST,), (SOUTH, EAST), (NORTH,))
    assert (table.fact("next_leader"), table.fact("next_dealer")) == (None, NORTH)


def test_where_the_limit_must_be_passed_reaching_it_is_not_enough() -> None:
    table = after(-900, 200, 0, 0, threshold="pass")
    assert table.fact("match_over") is False
    assert (table.fact("pigs"), table.fact("winners"), table.fact("ranking")) == (None, None, None)
    assert after(-901, 200, 0, 0, threshold="pass").fact("match_over") is True


def test_the_victory_score_ends_the_match_and_the_last_is_the_pig() -> None:
    table = after(-100, 900, 0, -150)
    assert (table.fact("pigs"), table.fact("winners")) == ((NORTH,), (WEST,))


def test_without_a_victory_score_it_goes_on() -> None:
    assert after(-100, 900, 0, -150, win_at=None).fact("match_over") is False


def test_a_number_of_hands_ends_the_match() -> None:
    assert after(0, 0, 10, 0, hand_no=3, hands_limit=4).fact("match_over") is False
    table = after(0, 0, 10, 0, hand_no=4, hands_limit=4)
    assert (table.fact("pigs"), table.fact("winners")) == ((NORTH,), (WEST,))


@pytest.mark.parametrize("hands_limit", [None, SHARES + 1])
def test_a_match_ends_when_there_can_be_no_other_deal(hands_limit: int | None) -> None:
    assert after(0, 0, 10, 0, hand_no=SHARES - 1, hands_limit=hands_limit).fact("match_over") is False
    assert after(0, 0, 10, 0, hand_no=SHARES, hands_limit=hands_limit).fact("match_over") is True


def test_all_seats_beyond_the_limit_are_pigs() -> None:
    table = given_tricks({NORTH: "Qs", WEST: "Kh Ah"}, start={"totals": [-950, -950, 20, 30]})
    assert table.fact("pigs") == (NORTH, WEST)


def test_with_double_pig_the_best_loses_too() -> None:
    table = after(-950, 300, -40, 120, double_pig=True)
    assert (table.fact("pigs"), table.fact("winners")) == ((NORTH, WEST), (EAST,))


def test_with_double_pig_and_nobody_between_there_is_no_winner() -> None:
    table = after(-950, -150, -50, -50, double_pig=True)
    assert (table.fact("pigs"), table.fact("winners")) == ((NORTH, WEST, SOUTH, EAST), ())


def test_zero_sum_is_compared_by_raw_totals_or_by_finals() -> None:
    start = {"hand_no": 2, "raw_totals": [-150, 0, 0, 150], "totals": [-600, 0, 0, 600]}
    by_raw = given_tricks(PIG_AND_SHEEP, start=start, final_score="zero_sum")
    by_final = given_tricks(PIG_AND_SHEEP, start=start, final_score="zero_sum", threshold_on="final")
    assert (by_raw.fact("match_over"), by_final.fact("match_over")) == (False, True)
    assert by_final.fact("totals") == (-1000, 400, 0, 600)


def test_partners_win_and_lose_together_by_the_mean_of_their_totals() -> None:
    start = {"hand_no": 4, "raw_totals": [-700, -20, -700, -20], "totals": [-680, 680, -680, 680]}
    table = given_tricks(PIG_AND_SHEEP, start=start, preset="seed001_huapai_800")
    assert table.fact("raw_totals") == (-800, 80, -800, 80)
    assert (table.fact("pigs"), table.fact("winners")) == ((NORTH, SOUTH), (WEST, EAST))
    assert table.fact("ranking") == ((WEST, EAST), (NORTH, SOUTH))


# --- tie-breaks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "ranking"),
    [
        ({}, ((1, 2), (3,), (0,))),
        ({"event": "tournament"}, ((1,), (2,), (3,), (0,))),
        ({"event": "swiss", "registration": [2, 1, 0, 3]}, ((2,), (1,), (3,), (0,))),
    ],
)
def test_equal_seats_share_a_place_or_are_told_apart_by_the_event(options: dict[str, Any], ranking: object) -> None:
    assert after(-950, 0, 100, 0, **options).fact("ranking") == ranking


def test_registration_decides_where_the_last_hand_does_not() -> None:
    table = given_tricks(
        {NORTH: "Qs"}, start={"totals": [-950, 50, 50, 0]}, event="tournament", registration=[3, 2, 1, 0]
    )
    assert table.fact("ranking") == ((SOUTH,), (WEST,), (EAST,), (NORTH,))


def test_of_several_last_seats_the_last_pig_taker_shuffles_for_the_next_match() -> None:
    tied = {"totals": [0, 0, 0, 100], "hand_no": 2}
    assert given_tricks({SOUTH: "Qs Jd"}, start=tied, hands_limit=2).fact("next_dealer") == SOUTH
    assert given_tricks({EAST: "Qs Jd"}, start=tied, hands_limit=2).fact("next_dealer") == NORTH


# --- penalties ---------------------------------------------------------------------------------------------------


def penalty(seat: int, points: int) -> dict[str, Any]:
    """The house's action."""
    return {"type": "penalty", "seat": seat, "points": points}


def test_penalty_points_count_at_the_end_and_never_end_a_match() -> None:
    table = after(-800, 0, 0, 0, penalties=(-500, 0, 0, 0))
    assert table.fact("match_over") is False
    table = after(-950, 0, 50, 0, penalties=(0, -200, 0, 0))
    assert table.fact("totals") == (-1050, 100, 50, 0)
    assert table.fact("match_final") == (-1050, -100, 50, 0)
    assert table.fact("ranking") == ((SOUTH,), (EAST,), (WEST,), (NORTH,))


def test_penalty_points_may_make_a_pig() -> None:
    table = after(-850, 0, 50, 0, penalties=(-50, 0, 0, 0), hands_limit=9)
    assert table.fact("pigs") == (NORTH,)


def test_the_house_may_give_penalty_points_in_any_phase_and_after_the_last_hand() -> None:
    table = given()
    table.act(None, penalty(WEST, -30))
    table.passes(NORTH, WEST, SOUTH, EAST)
    table.act(None, penalty(WEST, -30))
    assert table.state.penalties == (0, -60, 0, 0)
    table = after(-900, 200, 0, 0)
    table.act(None, penalty(WEST, -500))
    assert table.fact("match_final") == (-1000, -200, 0, 0)
    assert (table.fact("ranking"), table.fact("winners")) == (((SOUTH, EAST), (WEST,), (NORTH,)), (SOUTH, EAST))


def test_no_seat_gives_penalty_points() -> None:
    table = given()
    assert table.refuses(NORTH, penalty(WEST, -30)) == Code.NOT_ALLOWED
    assert table.refuses(None, penalty(4, -30)) == Code.BAD_ACTION
