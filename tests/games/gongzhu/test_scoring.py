"""The score of a hand (gongzhu §7, §8)."""

from typing import Any

import pytest

from tests.games.gongzhu.hands import NORTH, SOUTH, WEST, given_tricks

HEARTS = "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"
ALL = f"Qs {HEARTS} Jd Tc"
OPEN = dict.fromkeys(("Qs", "Ah", "Jd", "Tc"), "open")
FIRST = dict.fromkeys(OPEN, "first")
WHOLE = {"slam_exposed": "whole"}
PUBLIC = {"preset": "public"}
FACE = {"heart_values": "face"}
OWN = {"self_capture": True}


@pytest.mark.parametrize(
    ("taken", "exposed", "options", "score"),
    [
        # §7.1 values
        ("Ah", {}, {}, -50),
        ("Kh", {}, {}, -40),
        ("Qh", {}, {}, -30),
        ("Jh", {}, {}, -20),
        ("5h 6h 7h 8h 9h Th", {}, {}, -60),
        ("2h 3h 4h", {}, {}, 0),
        ("2h 3h 4h", {}, FACE, -15),
        ("5h 6h 7h 8h 9h Th", {}, FACE, -45),
        # §7.2 the table, line by line
        ("Qs", {}, {}, -100),
        ("Qs", {"Qs": "open"}, {}, -200),
        ("Qs", {"Qs": "forced"}, {}, -200),
        ("Qs", {"Qs": "dark"}, {}, -200),
        ("Qs", {"Qs": "first"}, {}, -400),
        ("Jd", {}, {}, 100),
        ("Jd", {"Jd": "open"}, {}, 200),
        ("Jd", {"Jd": "first"}, {}, 400),
        ("Tc", {}, {}, 50),
        ("Tc", {"Tc": "open"}, {}, 100),
        ("Tc", {"Tc": "first"}, {}, 200),
        ("Jd Tc", {}, {}, 200),
        ("Jd Tc", {"Tc": "open"}, {}, 400),
        ("Jd Tc", {"Tc": "first"}, {}, 800),
        (HEARTS, {}, {}, 200),
        (HEARTS, {"Ah": "open"}, {}, 400),
        (HEARTS, {"Ah": "first"}, {}, 800),
        (f"{HEARTS} Tc", {}, {}, 400),
        (f"{HEARTS} Tc", {"Tc": "open"}, {}, 800),
        (f"{HEARTS} Tc", {"Tc": "first"}, {}, 1600),
        (ALL, {}, {}, 800),
        (ALL, OPEN, {}, 3200),
        (ALL, FIRST, {}, 12800),
        (ALL, {}, WHOLE, 800),
        (ALL, {"Jd": "open"}, WHOLE, 1600),
        (ALL, OPEN, WHOLE, 12800),
        (f"{HEARTS} Qs", {}, {}, 100),
        (f"{HEARTS} Qs", {}, PUBLIC, 300),
        (f"{HEARTS} Qs", OPEN, WHOLE, 200),
        # §7.2 worthless company, cancelling company
        ("Tc 3h", {}, {}, 0),
        ("Tc Qs Jd", {}, {}, 0),
        # an exposed ace doubles every heart, wherever it lands
        ("5h Kh", {"Ah": "open"}, {}, -100),
        # §7.3 the first seed's example
        ("Qs 6h 8h Th Jh Tc", {"Ah": "open"}, {}, -400),
        # self-capture, `@`: taken by the seat that was dealt it
        ("Qs@", {}, OWN, -200),
        ("Qs", {}, OWN, -100),
        ("Qs@", {}, {}, -100),
        ("Jd@", {"Jd": "open"}, OWN, 400),
        ("Ah@ 5h@", {}, OWN, -110),
        ("Tc@", {}, OWN, 100),
        ("Tc@ Jd", {}, OWN, 400),
    ],
)
def test_what_a_seat_scores(taken: str, exposed: dict[str, str], options: dict[str, Any], score: int) -> None:
    assert given_tricks({NORTH: taken}, exposed=exposed, **options).fact("scores") == (score, 0, 0, 0)


def test_every_point_card_once() -> None:
    table = given_tricks({0: "Jh Qh Kh Ah", 1: "5h 6h 7h 8h 9h Th", 2: "2h 3h 4h Qs", 3: "Jd Tc"})
    assert table.fact("scores") == (-140, -60, -100, 200)


def test_zero_sum_is_three_times_the_own_score_less_the_others() -> None:
    """gongzhu §7.3: the second seed's example."""
    table = given_tricks(
        {0: "9h Th Jh Qh Ah", 1: "5h 6h 7h 8h Qs Tc", 2: "2h 3h 4h", 3: "Kh Jd"},
        exposed={"Jd": "open"},
        final_score="zero_sum",
    )
    assert table.fact("scores") == (-120, -280, 0, 160)
    assert table.fact("final") == (-240, -880, 240, 880)


PARTNERS: dict[str, Any] = {"partnership": "opposite"}
SIDE: dict[str, Any] = {**PARTNERS, "all_red_unit": "side"}
SEED000_PARTNERS = {WEST: "2h 3h 4h 5h 8h Jh Qh Kh Tc", 3: "Ah 6h 9h 7h Th"}


def test_partners_are_credited_with_what_their_side_scores() -> None:
    """gongzhu §7.3: the partners' example of the first seed, 90 + 220, not 200 · 2."""
    table = given_tricks(SEED000_PARTNERS, **SIDE)
    assert table.fact("scores") == (0, 220, 0, 90)
    assert table.fact("sides") == ((0, 2), (1, 3))
    assert table.fact("side_scores") == (0, 310)
    assert table.fact("final") == (0, 310, 0, 310)


def test_where_a_seat_is_the_unit_its_partner_does_not_help_it_to_all_red() -> None:
    assert given_tricks(SEED000_PARTNERS, **PARTNERS).fact("scores") == (0, -220, 0, -90)


def test_all_red_of_a_side_leaves_a_lone_transformer_its_50() -> None:
    """gongzhu §13.4"""
    assert given_tricks({NORTH: HEARTS, SOUTH: "Tc"}, **SIDE).fact("scores") == (200, 0, 50, 0)


def test_a_slam_of_a_side_turns_the_pig_for_whoever_took_it() -> None:
    """gongzhu §13.5"""
    assert given_tricks({NORTH: HEARTS + " Jd", SOUTH: "Qs Tc"}, **SIDE).fact("scores") == (300, 0, 200, 0)


def test_zero_sum_between_sides_is_the_difference() -> None:
    """gongzhu §7.3: raw −190 50 −10 0 gives −250 and 250."""
    hearts = "2h 3h 4h 5h 6h 7h 8h 9h Jh Qh Jd"
    table = given_tricks({0: "Qs Kh Ah", 1: "Tc", 2: "Th", 3: hearts}, preset="seed001_huapai")
    assert table.fact("scores") == (-190, 50, -10, 0)
    assert table.fact("final") == (-250, 250, -250, 250)


@pytest.mark.parametrize(
    ("managed", "final"),
    [
        ([False, False, True, False], (0, 200, -400, 200)),
        ([True, False, False, False], (-400, 200, 0, 200)),
        ([True, False, True, False], (-200, 200, -200, 200)),
        ([False, True, False, False], (-200, 200, -200, 200)),
    ],
)
def test_on_the_island_the_one_managed_seat_of_a_losing_side_pays_for_both(
    managed: list[bool], final: tuple[int, ...]
) -> None:
    """gongzhu §8"""
    table = given_tricks({0: "Qs", 1: "Jd"}, managed=managed, preset="seed001_island")
    assert table.fact("final") == final


def test_elsewhere_managed_play_changes_nothing() -> None:
    table = given_tricks({0: "Qs", 1: "Jd"}, managed=[False, False, True, False], preset="seed001_tournament")
    assert table.fact("final") == (-200, 200, -200, 200)
