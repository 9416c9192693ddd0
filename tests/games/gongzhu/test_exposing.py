"""Exposing (gongzhu §4)."""

import pytest

from schemas.gongzhu import Exposed, Exposure, PlayBegan
from schemas.refusals import Code
from tests.games.gongzhu.hands import EAST, NORTH, SOUTH, WEST, given


def test_a_seat_may_expose_any_of_its_special_cards_or_pass() -> None:
    table = given()
    assert table.legal(EAST) == ["pass", "expose Jd", "expose Tc", "expose Jd Tc"]
    assert table.legal(NORTH) == ["pass"]


def test_answers_come_in_any_order_and_play_begins_with_the_fourth() -> None:
    table = given()
    table.does(SOUTH, "expose Qs")
    table.passes(EAST, NORTH)
    assert table.fact("phase") == "expose"
    assert table.fact("exposed") == []
    events = table.does(WEST, "expose Ah")
    exposures = (Exposure("Qs", SOUTH, "open"), Exposure("Ah", WEST, "open"))
    assert events[1:] == (PlayBegan(leader=EAST, exposures=exposures),)
    assert table.fact("turn") == EAST


def test_each_seat_answers_once() -> None:
    table = given()
    table.passes(SOUTH)
    assert table.refuses(SOUTH, "expose Qs") == Code.ALREADY_DECIDED
    assert table.legal(SOUTH) == []


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("Qs", Code.NOT_IN_HAND),
        ("Ah Ah", Code.NOT_IN_HAND),
        ("Kd Qs", Code.NOT_IN_HAND),
        ("Kd", Code.NOT_EXPOSABLE),
        ("Ah Kd", Code.NOT_EXPOSABLE),
    ],
)
def test_only_own_special_cards_may_be_exposed(cards: str, code: Code) -> None:
    assert given().refuses(WEST, f"expose {cards}") == code


def test_exposing_darkly_is_refused_where_it_is_off_but_only_after_all_else() -> None:
    table = given()
    assert table.refuses(WEST, {"type": "expose", "cards": ["Ah"], "dark": True}) == Code.DARK_NOT_ALLOWED
    assert table.refuses(WEST, {"type": "expose", "cards": ["Kd"], "dark": True}) == Code.NOT_EXPOSABLE


def test_in_turns_the_leader_begins_and_each_answer_is_open_at_once() -> None:
    table = given(expose_order="turns")
    assert table.refuses(NORTH, "pass") == Code.NOT_YOUR_TURN
    (answered,) = table.does(EAST, "expose Jd")
    assert isinstance(answered, Exposed)
    assert (answered.exposures, answered.next) == ((Exposure("Jd", EAST, "open"),), NORTH)
    assert table.fact("exposed") == [Exposure("Jd", EAST, "open")]
    assert table.refuses(EAST, "pass") == Code.ALREADY_DECIDED
    table.passes(NORTH, WEST, SOUTH)
    assert (table.fact("phase"), table.fact("turn")) == ("play", EAST)


@pytest.mark.parametrize("order", ["sealed", "turns"])
def test_three_exposed_cards_force_the_fourth(order: str) -> None:
    table = given(force_fourth=True, expose_order=order)
    table.does(EAST, "expose Jd Tc")
    table.passes(NORTH)
    table.does(WEST, "expose Ah")
    table.passes(SOUTH)
    assert table.fact("exposed") == [
        Exposure("Qs", SOUTH, "forced"),
        Exposure("Ah", WEST, "open"),
        Exposure("Jd", EAST, "open"),
        Exposure("Tc", EAST, "open"),
    ]


def test_two_exposed_cards_force_nothing() -> None:
    table = given(force_fourth=True)
    table.does(EAST, "expose Jd Tc")
    table.passes(NORTH, WEST, SOUTH)
    assert table.fact("exposed") == [Exposure("Jd", EAST, "open"), Exposure("Tc", EAST, "open")]


def test_all_four_may_be_exposed_at_the_deal() -> None:
    table = given(expose="all")
    assert table.fact("phase") == "play"
    assert table.fact("exposed") == [
        Exposure("Qs", SOUTH, "forced"),
        Exposure("Ah", WEST, "forced"),
        Exposure("Jd", EAST, "forced"),
        Exposure("Tc", EAST, "forced"),
    ]


def test_all_but_the_sheep_may_be_exposed_at_the_deal() -> None:
    table = given(expose="except_sheep")
    assert [e.card for e in table.hand.exposed] == ["Qs", "Ah", "Tc"]
    assert table.refuses(EAST, "expose Jd") == Code.WRONG_PHASE


def test_where_nobody_exposes_play_begins_at_once() -> None:
    table = given(expose="none")
    assert (table.fact("phase"), table.fact("turn"), table.fact("exposed")) == ("play", EAST, [])


def test_a_time_out_passes() -> None:
    table = given()
    table.times_out(SOUTH)
    table.passes(NORTH, WEST, EAST)
    assert table.fact("exposed") == []
    assert table.hand.managed == (False,) * 4
