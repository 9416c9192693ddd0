"""Refusals and the order of the checks (gongzhu §10.2)."""

from typing import Any

import pytest

from schemas.refusals import Code
from tests.games.gongzhu.hands import EAST, NORTH, SOUTH, WEST, given, given_tricks

MALFORMED: list[Any] = [
    None,
    [],
    7,
    {},
    {"type": 3},
    {"type": "dance"},
    {"type": "pass", "cards": ["2s"]},
    {"type": "play"},
    {"type": "play", "cards": []},
    {"type": "play", "cards": "2c"},
    {"type": "play", "cards": ["1c"]},
    {"type": "play", "cards": ["Xr"]},
    {"type": "play", "cards": ["2c\n"]},
    {"type": "play", "cards": [2]},
    {"type": "expose", "cards": ["Qs"], "dark": 1},
    {"type": "cut", "at": True},
    {"type": "cut", "at": 5.0},
    {"type": "consent", "accept": 1},
    {"type": "claim", "to": "0"},
    {"type": "claim", "to": None},
    {"type": "claim", "assign": [["Qs"]]},
    {"type": "rule", "ruling": "maybe"},
    {"type": "rule", "ruling": "adjust"},
    {"type": "rule", "ruling": "adjust", "to": 1, "assign": []},
    {"type": "rule", "ruling": "uphold", "to": 1},
    {"type": "draw_back", "moves": [{"from": 0, "to": 4, "card": "Kh"}]},
    {"type": "draw_back", "moves": [{"from": 0, "card": "Kh"}]},
    {"type": "penalty", "seat": 4, "points": -10},
    {"type": "penalty", "seat": True, "points": -10},
    {"type": "penalty", "seat": 0, "points": -10, "reason": None},
]


@pytest.mark.parametrize("action", MALFORMED, ids=str)
def test_a_malformed_action_is_refused_before_anything_else(action: Any) -> None:
    over = given_tricks({NORTH: "Qs"})
    for seat in (NORTH, None, 7, -1):
        assert given().refuses(seat, action) == Code.BAD_ACTION
        assert over.refuses(seat, action) == Code.BAD_ACTION


@pytest.mark.parametrize("seat", [None, 4, 7, -1])
def test_only_a_seat_does_what_seats_do(seat: int | None) -> None:
    assert given().refuses(seat, "pass") == Code.NOT_ALLOWED
    assert given_tricks({NORTH: "Qs"}).refuses(seat, "pass") == Code.NOT_ALLOWED


@pytest.mark.parametrize("action", [{"type": "rule", "ruling": "uphold"}, {"type": "draw_back", "moves": []}])
def test_only_the_house_does_what_the_house_does(action: dict[str, Any]) -> None:
    assert given().refuses(NORTH, action) == Code.NOT_ALLOWED
    assert given().refuses(None, action) == Code.WRONG_PHASE
    assert given_tricks({NORTH: "Qs"}).refuses(None, action) == Code.HAND_OVER


@pytest.mark.parametrize(
    "action",
    ["pass", "expose Qs", "play 2c", "accept", "challenge", {"type": "cut", "at": 5}, {"type": "claim"}],
)
def test_after_a_hand_all_is_refused_with_hand_over(action: Any) -> None:
    assert given_tricks({NORTH: "Qs"}).refuses(SOUTH, action) == Code.HAND_OVER


@pytest.mark.parametrize(
    "action", ["play 2c", "accept", "challenge", {"type": "cut", "at": 5}, {"type": "consent", "accept": True}]
)
def test_in_the_expose_phase_one_exposes_or_passes(action: Any) -> None:
    assert given().refuses(EAST, action) == Code.WRONG_PHASE


@pytest.mark.parametrize("action", ["pass", "expose Jd", "accept", {"type": "cut", "at": 5}])
def test_in_the_play_phase_one_plays(action: Any) -> None:
    table = given()
    table.passes(NORTH, WEST, SOUTH, EAST)
    assert table.refuses(EAST, action) == Code.WRONG_PHASE


def test_a_play_out_of_turn_is_refused_before_its_cards_are_looked_at() -> None:
    table = given(expose="none")
    assert table.refuses(NORTH, "play 2c 2d") == Code.NOT_YOUR_TURN
    assert table.refuses(EAST, "play 2c 2d") == Code.NOT_IN_HAND
    assert table.refuses(EAST, "play 2c 6c") == Code.WRONG_COUNT


def test_a_claim_is_refused_as_off_before_its_form_is_judged() -> None:
    table = given(expose="none", claim=False)
    table.play("2c")
    assert table.refuses(SOUTH, {"type": "claim"}) == Code.CLAIM_OFF
