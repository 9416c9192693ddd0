"""Tricks, passing, the end of a hand, scores, time-outs and refusals (fifty_k §2, §5 to §11)."""

from functools import reduce
from typing import Any

import pytest
from msgspec.structs import replace

from schemas.fifty_k import HandScored, MatchEnded
from schemas.refusals import Code
from services.games import GAMES
from services.games.shared.state import Unscored
from services.games.shuffle import SHARES
from tests.tables import HandTable, bad_option, whole_match


def given(*hands: str, **options: Any) -> HandTable:
    """Hands in order of receipt."""
    return HandTable("fifty_k", *hands, **options)


def play(table: HandTable, seat: int, cards: str, kind: str = "") -> None:
    """A seat plays."""
    action = {"type": "play", "cards": cards.split()}
    table.act(seat, {**action, "as": kind} if kind else action)


def passes(table: HandTable, *seats: int) -> None:
    """Seats pass, one after the other."""
    for seat in seats:
        table.act(seat, {"type": "pass"})


# --- who leads, who answers --------------------------------------------------------------------------------------


def test_who_was_dealt_a_3s_first_leads_the_first_hand() -> None:
    """fifty_k §2: of two 3s the earlier counts; seat 2 is dealt the second card of a round before seat 1 its third."""
    assert given("4h 5h", "6h 7h 3s", "6d 3s", "6c 7c").turn == 2


def test_a_match_deals_on_from_the_first_finisher() -> None:
    """fifty_k §2"""
    table = given("As", "3c 5c", "2d", "Kc 4c", start={"leader": 0})
    play(table, 0, "As")
    passes(table, 1)
    play(table, 2, "2d")
    state = reduce(table.game.evolve, table.game.deal(table.state, lambda deck: deck), table.state)
    assert table.game.due(state) == (0,)
    assert [place.hand.n for place in table.game.table(state).places] == [26] * 4


def test_a_seat_that_passed_may_play_again_when_somebody_else_has() -> None:
    """fifty_k §12 F8"""
    table = given("5s 6s", "2d 3d", "Ks 3c", "6h 7h", start={"leader": 0})
    play(table, 0, "5s")
    passes(table, 1)
    play(table, 2, "Ks")
    passes(table, 3, 0)
    play(table, 1, "2d")
    assert table.facts("current", "pile_points") == ({"seat": 1, "combo": "single/2"}, 15)


def test_a_final_pass_puts_a_seat_out_of_the_trick() -> None:
    """fifty_k §5"""
    table = given("5s 6s", "2d 3d", "Ks 3c", "6h 7h", start={"leader": 0}, pass_is_final=True)
    play(table, 0, "5s")
    passes(table, 1)
    play(table, 2, "Ks")
    passes(table, 3, 0)
    assert table.facts("captured", "turn", "current") == ((0, 0, 15, 0), 2, None)


@pytest.mark.parametrize(("option", "leader"), [("partner", 2), ("next", 1)])
def test_for_a_winner_without_cards_his_partner_leads_or_the_next_seat(option: str, leader: int) -> None:
    """fifty_k §12 F9"""
    table = given("As", "3d 4d", "6c 7c", "6h 7h", start={"leader": 0}, lead_after_out=option)
    play(table, 0, "As")
    passes(table, 1, 2, 3)
    assert table.facts("turn", "finish_order") == (leader, (0,))


def test_a_finished_seat_is_beaten_by_who_still_can() -> None:
    """fifty_k §5: the trick goes on"""
    table = given("As", "2d 4d", "6c 7c", "6h 7h", start={"leader": 0})
    play(table, 0, "As")
    play(table, 1, "2d")
    passes(table, 2, 3)
    assert table.facts("turn", "captured") == (1, (0, 0, 0, 0))


def test_the_first_reading_that_beats_is_taken_where_none_is_named() -> None:
    """fifty_k §3: following, the first kind in the order of attachments that beats"""
    low = "3s 3h 3d 4s 4h 4d 5s 5h 5d 9c Tc Jc"
    high = "6s 6h 6d 7s 7h 7d 8s 8h 8d 9s 9h 9d"
    table = given(f"{low} Ac", f"{high} Ah", "Kc", "Kd", start={"leader": 0})
    play(table, 0, low)
    play(table, 1, high)
    assert table.fact("current") == {"seat": 1, "combo": "triple_run_with_1/666777888999"}


# --- passing -----------------------------------------------------------------------------------------------------


def test_where_one_must_beat_a_pass_is_for_those_who_cannot() -> None:
    """fifty_k §12 F11"""
    table = given("5s 6s", "2d 3d", "4s 4c", "6h 7h", start={"leader": 0}, must_beat=True)
    play(table, 0, "5s")
    assert table.refuses(1, {"type": "pass"}) == Code.MUST_BEAT
    assert table.refuses(1, {"type": "pass", "auto": True}) == Code.MUST_BEAT
    assert table.legal(1) == ["single/2"]
    table.times_out()
    assert table.legal(2) == ["pass"]


def test_a_time_out_leads_the_lowest_single_and_else_passes() -> None:
    """fifty_k §10: lowest rank, then d c h s"""
    table = given("3c 3d 2s", "2d 4d", "4s 4c", "6h 7h", start={"leader": 0})
    assert table.game.timeout(table.state, 0) == {"type": "play", "cards": ["3d"]}
    table.times_out()
    assert table.game.timeout(table.state, 1) == {"type": "pass", "auto": True}
    table.times_out()
    assert table.fact("turn") == 2


# --- the first lead ----------------------------------------------------------------------------------------------


def test_the_first_lead_may_have_to_hold_the_3s() -> None:
    """fifty_k §12 F3"""
    table = given("3h 3s 4h 5h 6h 7h 8d", "6d", "6c", "7c", first_lead_3s=True)
    assert table.refuses(0, {"type": "play", "cards": ["3h"]}) == Code.MUST_INCLUDE_3S
    assert table.refuses(0, {"type": "play", "cards": ["3h", "4h"]}) == Code.BAD_COMBINATION
    assert table.legal(0) == ["pair/33", "single/3", "straight/34567", "straight/345678"]
    table.times_out()
    assert table.fact("current") == {"seat": 0, "combo": "single/3"}


def test_a_later_hand_has_no_such_first_lead() -> None:
    """fifty_k §2"""
    table = given("3h 3s 4h", "6d", "6c", "7c", start={"first_hand": False}, first_lead_3s=True)
    assert "single/4" in table.legal(0)


# --- the end and the scores --------------------------------------------------------------------------------------


def finished(last: str, **options: Any) -> HandTable:
    """Seats 0, 1 and 2 finish in this order; seat 3 has captured a king and still holds these cards."""
    table = given("5s", "6s 4s", "8s", f"Kh 3h {last}", start={"leader": 3}, **options)
    play(table, 3, "Kh")
    passes(table, 0, 1, 2)
    play(table, 3, "3h")
    play(table, 0, "5s")
    play(table, 1, "6s")
    passes(table, 2, 3)
    play(table, 1, "4s")
    play(table, 2, "8s")
    return table


@pytest.mark.parametrize(
    ("options", "sides"),
    [
        ({}, [25, 5]),  # captured 0 5 0 10, unplayed 15: his 10 to side 0, 15 to the ender
        ({"last_captured": "own_side"}, [15, 15]),
        ({"last_captured": "void"}, [15, 5]),
        ({"unplayed": "deduct"}, [10, -10]),
        ({"unplayed": "void"}, [10, 5]),
        ({"single_transfer": 15}, [40, -10]),
        ({"preset": "one_deck"}, [15, -15]),
    ],
)
def test_a_single_catch_is_scored_step_by_step(options: dict[str, Any], sides: list[int]) -> None:
    """fifty_k §8"""
    table = finished("Td 5h", **options)
    assert table.facts("hand_over", "result", "captured", "unplayed") == (
        True,
        "single_catch",
        (0, 5, 0, 10),
        (0, 0, 0, 15),
    )
    assert list(table.fact("side_scores")) == sides


def test_the_terminating_play_cannot_be_answered_and_turns_up_the_other_hands() -> None:
    """fifty_k §6, §10"""
    table = given("As", "3c 5c", "2d", "Kc 4c 2h", start={"leader": 0})
    play(table, 0, "As")
    passes(table, 1)
    before = [place.hand.is_open for place in table.seen("rail").places]
    play(table, 2, "2d")
    assert before == [False] * 4
    assert [place.hand.value for place in table.seen("rail").places] == [(), ("3c", "5c"), (), ("2h", "4c", "Kc")]
    assert table.refuses(3, {"type": "play", "cards": ["2h"]}) == Code.HAND_OVER
    assert table.facts("result", "side_scores", "scores") == ("double_catch", (200, 0), (200, 0, 200, 0))


@pytest.mark.parametrize(
    ("options", "played", "over"),
    [
        ({"target": 200}, 0, True),
        ({"target": 201}, 0, False),
        ({"max_hands": 3}, 2, True),
        ({"max_hands": 3}, 1, False),
        ({"target": 1000}, SHARES - 1, True),
        ({"target": 1000}, SHARES - 2, False),
    ],
)
def test_a_match_ends_by_its_target_or_its_hands(options: dict[str, Any], played: int, over: bool) -> None:  # noqa: FBT001
    """fifty_k §9"""
    table = given("As", "3c 5c", "2d", "Kc 4c 2h", start={"leader": 0, "hands_played": played}, **options)
    play(table, 0, "As")
    passes(table, 1)
    play(table, 2, "2d")
    assert table.facts("match_over", "winner_side") == ((True, 0) if over else (False, None))


def test_a_tie_is_a_draw_where_there_can_be_no_other_deal() -> None:
    """fifty_k §9"""
    game = GAMES["fifty_k"]
    table = given("As", "3c", "2d", "4c", start={"leader": 0, "hands_played": SHARES - 1})
    state = replace(table.state, phase=Unscored(hand=replace(table.state.phase.hand, finished=(0, 1, 3))))
    scored, ended = game.score(state)
    assert isinstance(scored, HandScored)
    assert scored.totals == (0, 0, 0, 0)
    assert ended == MatchEnded(winners=(0, 1, 2, 3))


# --- refusals and options ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"type": "draw"},
        {"type": "play"},
        {"type": "play", "cards": []},
        {"type": "play", "cards": "4h"},
        {"type": "play", "cards": ["Xr"]},
        {"type": "play", "cards": ["4h"], "as": None},
        {"type": "play", "cards": ["4h"], "auto": True},
        {"type": "pass", "auto": 1},
        {"type": "pass", "cards": ["4h"]},
    ],
)
def test_a_malformed_action_is_refused_first(action: dict[str, Any]) -> None:
    """fifty_k §11"""
    table = given("4h 5h", "6h", "6d", "6c", start={"leader": 0})
    assert {table.refuses(seat, action) for seat in (0, 1, None)} == {Code.BAD_ACTION}


def test_refusals_come_in_their_order() -> None:
    """fifty_k §11"""
    table = given("7h 7s 8h", "6h 9d 9h", "6d", "6c", start={"leader": 0})
    assert table.refuses(1, {"type": "pass"}) == Code.NOT_YOUR_TURN
    assert table.refuses(None, {"type": "pass"}) == Code.NOT_YOUR_TURN
    assert table.refuses(0, {"type": "pass"}) == Code.CANNOT_PASS
    assert table.refuses(0, {"type": "play", "cards": ["7h", "7h"]}) == Code.NOT_IN_HAND
    assert table.refuses(0, {"type": "play", "cards": ["7h", "8h"]}) == Code.BAD_COMBINATION
    assert table.refuses(0, {"type": "play", "cards": ["7h"], "as": "pair"}) == Code.BAD_COMBINATION
    play(table, 0, "7h")
    assert table.refuses(1, {"type": "play", "cards": ["6h"]}) == Code.TOO_LOW
    assert table.refuses(1, {"type": "play", "cards": ["9d", "9h"]}) == Code.WRONG_KIND


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({}, 3),
        ({"preset": "three_deck"}, 4),
        ({"colour": "red"}, 4),
        ({"decks": 3}, 4),
        ({"decks": True}, 4),
        ({"target": 49}, 4),
        ({"target": 100_001}, 4),
        ({"max_hands": -1}, 4),
        ({"single_transfer": 201}, 4),
        ({"must_beat": 1}, 4),
        ({"unplayed": None}, 4),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], seats: int) -> None:
    """fifty_k §1"""
    assert bad_option("fifty_k", options, seats)
    assert not bad_option("fifty_k", {}, 4)


def test_every_hand_of_two_decks_shares_out_200() -> None:
    """fifty_k §8: with the defaults the side scores always sum to 200"""
    rules = GAMES["fifty_k"]
    _, happened = whole_match("fifty_k", {"max_hands": 3}, 4, lambda state, seat: rules.legal(state, seat).choices[0])
    totals = [sum(event.side_scores) for event in happened if isinstance(event, HandScored)]
    assert totals
    assert set(totals) == {200}
