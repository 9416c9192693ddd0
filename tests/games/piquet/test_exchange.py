"""Carte blanche, the exchange and time-outs (piquet §4.1, §9), refusals in their order (piquet §7)."""

from typing import Any

import pytest

from schemas.refusals import Code
from services.games.piquet.state import hand_of
from tests.games.scenes import Scene

ELDER, YOUNGER = 0, 1

BLANK = "As Ts 9s 8s 7s Th 9h 8h 7h Ac 9c 8c"
COURT = "Ks Qs Js Ah Kh Qh Jh Kc Qc Jc Kd Qd"
TALON = "7d 8d 9d Td Jd Ad 7c Tc"


def given(elder: str = COURT, younger: str = BLANK, talon: str = TALON, **options: Any) -> Scene:
    """Both hands and the talon; seat 0 is elder."""
    hands = [elder.split(), younger.split()]
    return Scene("piquet", {"hands": hands, "talon": talon.split(), "dealer": YOUNGER}, seats=2, **options)


def discards(cards: str) -> dict[str, Any]:
    """The action."""
    return {"type": "discard", "cards": cards.split()}


CARTE_BLANCHE = {"type": "declare", "what": "carte_blanche"}


@pytest.mark.parametrize("show", ["open", "flash"])
def test_the_younger_hand_may_show_carte_blanche_before_its_own_discard(show: str) -> None:
    table = given(carte_blanche_show=show)
    assert CARTE_BLANCHE not in table.choices(ELDER)
    table.act(ELDER, discards("Qd"))
    assert CARTE_BLANCHE in table.choices(YOUNGER)
    table.act(YOUNGER, CARTE_BLANCHE)
    assert (table.fact("running"), table.turn) == ([0, 10], YOUNGER)
    assert table.fact("open_hand") == [False, show == "open"]
    assert CARTE_BLANCHE not in table.choices(YOUNGER)
    assert table.refuses(YOUNGER, CARTE_BLANCHE) == Code.ALREADY_DECLARED


def test_carte_blanche_is_judged_on_the_dealt_hand_of_that_very_seat() -> None:
    table = given()
    assert table.refuses(ELDER, CARTE_BLANCHE) == Code.NO_CARTE_BLANCHE
    assert table.refuses(YOUNGER, CARTE_BLANCHE) == Code.NOT_YOUR_TURN


@pytest.mark.parametrize("number", [1, 2, 5])
def test_as_many_are_drawn_from_the_top_of_the_talon_and_younger_may_take_all_the_rest(number: int) -> None:
    table = given()
    gone = COURT.split()[:number]
    table.act(ELDER, {"type": "discard", "cards": gone})
    hand = hand_of(table.state)
    assert hand is not None
    assert sorted(hand.held[ELDER]) == sorted({*COURT.split(), *TALON.split()[:number]} - {*gone})
    assert {"type": "discard", "min": 0, "max": 8 - number} in table.choices(YOUNGER)
    table.act(YOUNGER, {"type": "discard", "cards": BLANK.split()[: 8 - number]})
    assert (table.fact("talon_left"), table.fact("hand_sizes"), table.fact("phase")) == (0, [12, 12], "declare")


def test_the_order_of_the_cards_in_a_list_is_free() -> None:
    one, two = given(), given()
    one.act(ELDER, discards("Qd Kd"))
    two.act(ELDER, discards("Kd Qd"))
    assert sorted(hand_of(one.state).held[0]) == sorted(hand_of(two.state).held[0])  # type: ignore[union-attr]  # dealt


def test_time_outs_exchange_least_and_lowest_declare_and_play_low() -> None:
    table = given(
        elder="Ks 7s Js Ah 7h Qh Jh Kc Ad Jc Kd Qd",
        younger="As Ts 9s 8s Qs Th 9h 8h Kh Ac 9c 8c",
        talon="7d 8d 9d Td Jd 7c Tc Qc",
    )
    assert table.stands_in() == discards("7h")
    assert table.stands_in() == discards("")
    assert [table.stands_in()["suit"] for _ in (ELDER, YOUNGER)] == ["d", "s"]
    for what in ("sequence", "sequence", "set", "set"):
        assert table.stands_in() == {"type": "declare", "what": what}
    assert table.stands_in() == {"type": "play", "cards": ["7d"]}
    assert table.stands_in() == {"type": "play", "cards": ["8c"]}


def test_a_time_out_of_younger_exchanges_a_card_where_one_must_be_and_passes_without_anything() -> None:
    table = given(younger_min_exchange=1, set_min_rank="T")
    table.stands_in()
    assert table.stands_in() == discards("7h")
    assert "suit" in table.stands_in()
    table.stands_in()
    table.stands_in()
    table.stands_in()
    table.stands_in()
    assert table.stands_in() == {"type": "pass"}


# --- refusals (piquet §7) ----------------------------------------------------------------------------------------

MALFORMED: list[Any] = [
    None,
    [],
    {},
    {"type": "dance"},
    {"type": "pass", "what": "point"},
    {"type": "discard"},
    {"type": "discard", "cards": "7s"},
    {"type": "discard", "cards": ["2s"]},
    {"type": "discard", "cards": ["Xr"]},
    {"type": "discard", "cards": ["7s\n"]},
    {"type": "declare", "what": "point"},
    {"type": "declare", "what": "point", "suit": "S"},
    {"type": "declare", "what": "sequence", "suit": "s"},
    {"type": "declare", "what": "carte_blanche", "suit": "s"},
    {"type": "declare", "what": "run"},
    {"type": "play", "cards": []},
    {"type": "play", "cards": ["Ks", "Qs"]},
    {"type": "play", "cards": ["Ks"], "auto": True},
]


@pytest.mark.parametrize("action", MALFORMED, ids=str)
def test_a_malformed_action_is_refused_before_anything_else(action: Any) -> None:
    over = given()
    over.play_by_time_outs()
    for seat in (ELDER, YOUNGER, None, 7, -1):
        assert given().refuses(seat, action) == Code.BAD_ACTION
        assert over.refuses(seat, action) == Code.BAD_ACTION


@pytest.mark.parametrize("seat", [ELDER, YOUNGER, None, 7])
def test_after_the_hand_nobody_may_do_anything(seat: int | None) -> None:
    over = given()
    over.play_by_time_outs()
    assert over.refuses(seat, {"type": "pass"}) == Code.HAND_OVER


@pytest.mark.parametrize("seat", [YOUNGER, None, 7, -1])
def test_whose_turn_it_is_not_is_told_so_before_the_phase_is_looked_at(seat: int | None) -> None:
    assert given().refuses(seat, {"type": "play", "cards": ["As"]}) == Code.NOT_YOUR_TURN


@pytest.mark.parametrize(
    "action",
    [
        {"type": "pass"},
        {"type": "play", "cards": ["Ks"]},
        {"type": "declare", "what": "sequence"},
        {"type": "declare", "what": "point", "suit": "d"},
    ],
    ids=str,
)
def test_the_phase_is_looked_at_before_the_cards(action: dict[str, Any]) -> None:
    assert given().refuses(ELDER, action) == Code.WRONG_PHASE


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("As As", Code.DUPLICATE_CARD),
        ("Ks As", Code.NOT_IN_HAND),
        ("Ks Qs Js Ah Kh As", Code.NOT_IN_HAND),
        ("Ks Qs Js Ah Kh Qh", Code.DISCARD_COUNT),
        ("", Code.DISCARD_COUNT),
    ],
)
def test_a_discard_is_refused_for_doubles_then_strange_cards_then_their_number(cards: str, code: Code) -> None:
    assert given().refuses(ELDER, discards(cards)) == code


def test_one_category_after_the_other_is_declared() -> None:
    table = given()
    table.does("discard", cards=["Qd"])
    table.does("discard", cards=[])
    assert table.refuses(ELDER, {"type": "declare", "what": "set"}) == Code.WRONG_PHASE
    assert table.refuses(ELDER, CARTE_BLANCHE) == Code.WRONG_PHASE
    assert table.refuses(ELDER, {"type": "declare", "what": "point", "suit": "d"}) == Code.NOT_BEST_SUIT
    assert table.refuses(YOUNGER, {"type": "declare", "what": "point", "suit": "s"}) == Code.NOT_YOUR_TURN


def test_who_can_follow_must() -> None:
    table = given()
    table.does("discard", cards=["Qd"])
    table.does("discard", cards=[])
    for _ in range(6):
        table.does("pass")
    table.does("play", cards=["Ks"])
    assert table.refuses(YOUNGER, {"type": "play", "cards": ["Qd"]}) == Code.NOT_IN_HAND
    assert table.refuses(YOUNGER, {"type": "play", "cards": ["Th"]}) == Code.MUST_FOLLOW
    assert {choice["cards"][0] for choice in table.choices(YOUNGER)} == {"As", "Ts", "9s", "8s", "7s"}
