"""Battles: what beats what, who throws in, empty hands, refill, the end of a hand (durak §2, §4 to §9)."""

from functools import reduce
from typing import Any

import pytest

from schemas.durak import BattleEnded
from schemas.refusals import Code
from services.games import GAMES
from services.games.durak.battle import IDLE_LIMIT
from tests.tables import HandTable, bad_option, whole_match


def given(*hands: str, stock: str = "6d 6h 6c 6s Tc Td Th 3s", start: Any = None, **options: Any) -> HandTable:
    """Spades are trump; seat 0 attacks."""
    start = {"stock": stock.split(), "trump": "s", **(start or {})}
    return HandTable("durak", *hands, start=start, **{"refill_to": 3, **options})


def attack(table: HandTable, seat: int, card: str) -> None:
    """A seat attacks or throws in."""
    table.act(seat, {"type": "attack", "card": card})


def defend(table: HandTable, seat: int, card: str) -> None:
    """The defender beats."""
    table.act(seat, {"type": "defend", "card": card})


def picks_up(table: HandTable, seat: int) -> None:
    """The defender takes the table."""
    table.act(seat, {"type": "pick_up"})


def passes(table: HandTable, *seats: int) -> None:
    """Seats throw nothing in."""
    for seat in seats:
        table.act(seat, {"type": "pass"})


# --- the deal ----------------------------------------------------------------------------------------------------


def test_the_turn_up_is_laid_under_the_stock() -> None:
    """durak §2"""
    game = GAMES["durak"]
    state = game.begin(game.open({"jokers": True}, 3), 3)
    deck = (*[f"{rank}{suit}" for suit in "shd" for rank in "23456789TJ"], "Xr", "7c", "8c")
    state = reduce(game.evolve, game.deal(state, lambda _: deck), state)
    facts = game.scenarios.facts
    assert [facts[key](state) for key in ("turn_up", "trump", "stock_count")] == ["7c", "c", 3]
    assert deck[0] in game.table(state).places[1].hand.value  # the seat after the dealer is dealt the first card
    assert state.phase.hand.stock == ("Xr", "8c", "7c")


@pytest.mark.parametrize(("option", "main"), [("dealer", 2), ("lowest_two", 1), ("lowest_trump", 0)])
def test_who_attacks_first(option: str, main: int) -> None:
    """durak §2"""
    table = given("3s 7d", "4s 2h", "9c 2d", start={"dealer": 2}, stock="8d 2s", first_attacker=option)
    assert table.fact("main") == main


# --- beating -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacking", "hand", "beating"),
    [
        ("7h", "9h 6h 2c", ["9h"]),
        ("7h", "2s 6h 3d", ["2s"]),
        ("7h", "2s Ah 3d", ["Ah"]),
        ("7h", "Xb Xr Ah", ["Ah"]),
        ("7h", "Xb Xr 6h", ["Xb", "Xr"]),
        ("7s", "8s 6s Xb", ["8s"]),
        ("7s", "6s Xb Ah", ["Xb"]),
        ("Xb", "As Xr 2s", ["Xr"]),
        ("Xr", "As Xb 2s", []),
    ],
)
def test_what_beats(attacking: str, hand: str, beating: list[str]) -> None:
    """durak §5: a cover only with no higher card of the suit in hand"""
    table = given(f"{attacking} 4c", hand, "Jc Jd", stock="8d Th 3s", jokers=True)
    attack(table, 0, attacking)
    held = hand.split()
    accepted = [card for card in held if {"type": "defend", "card": card} in table.game.legal(table.state, 1).choices]
    assert sorted(accepted) == sorted(beating)


def test_covers_are_free_where_the_option_says_so() -> None:
    """durak §5"""
    table = given("7h 4c", "2s Ah 3d", "Jc Jd", trump_when="free")
    attack(table, 0, "7h")
    defend(table, 1, "2s")
    assert table.fact("main") == 1


# --- throwing in -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "asked"), [("all", [0, 2, 3]), ("neighbours", [0, 2]), ("main_only", [0])])
def test_throw_ins_are_asked_in_order_from_the_main_attacker(option: str, asked: list[int]) -> None:
    """durak §4"""
    table = given("7h 4c 4d", "9h 3d 3h", "Jc Jd Qd", "Kc Kd Kh", throw_in=option)
    attack(table, 0, "7h")
    defend(table, 1, "9h")
    order: list[int] = []
    while table.fact("phase") == "throw":
        order.append(table.turn)
        passes(table, table.turn)
    assert order == asked
    assert table.facts("main", "defender", "discarded") == (1, 2, 2)


def test_every_beaten_attack_starts_the_asking_again() -> None:
    """durak §11 D6"""
    table = given("7h 7d Kc", "8h 9c 3h", "8c 9s Qd", "Jc Jd Jh", stock="3s")
    attack(table, 0, "7h")
    defend(table, 1, "8h")
    passes(table, 0)
    attack(table, 2, "8c")
    defend(table, 1, "9c")
    assert table.turn == 0


def test_a_thrown_in_card_has_a_rank_of_the_table() -> None:
    """durak §10"""
    table = given("7h 4c 4d", "9h 3d 3h", "Jc 9d Qd")
    attack(table, 0, "7h")
    defend(table, 1, "9h")
    assert table.refuses(0, {"type": "attack", "card": "4c"}) == Code.RANK_NOT_ON_TABLE
    passes(table, 0)
    assert table.legal(2) == ["attack", "pass"]


def test_no_more_attacks_than_allowed() -> None:
    """durak §4"""
    table = given("7h 7d Kc", "8h 9d 3h", "Jc Jd Qd", max_attacks=2, seal_ends=False)
    attack(table, 0, "7h")
    defend(table, 1, "8h")
    attack(table, 0, "7d")
    defend(table, 1, "9d")
    assert table.facts("phase", "main", "discarded") == ("attack", 1, 4)


# --- empty hands, refill -----------------------------------------------------------------------------------------


def test_an_emptied_attacker_refills_and_attacks_next_unless_the_defender_did_too() -> None:
    """durak §7"""
    table = given("7h", "9h 5c", "9c 7c Qh", stock="8d 8h 8c 9d 3d Td Th 3s")
    attack(table, 0, "7h")
    assert table.facts("counts", "out") == ([3, 2, 3], ())
    defend(table, 1, "9h")
    assert table.fact("main") == 0
    table = given("7h", "9h", "9c 7c Qh", stock="8d 8h 8c 9d 3d Td Th 3s")
    attack(table, 0, "7h")
    defend(table, 1, "9h")
    assert table.facts("main", "counts") == (1, [3, 3, 3])


def test_an_emptied_attacker_attacks_next_after_a_pick_up_as_well() -> None:
    """durak §7"""
    table = given("7h", "9d 5c 4c", "9c 7c Qh")
    attack(table, 0, "7h")
    picks_up(table, 1)
    assert table.facts("main", "defender") == (0, 1)


@pytest.mark.parametrize(
    ("order", "hands"),
    [
        ("next_attacker", [("7d", "Kc", "3s"), ("8d", "8h", "5c"), ("9c", "7c", "Qh")]),
        ("attacker_first", [("8d", "7d", "Kc"), ("3s", "8h", "5c"), ("9c", "7c", "Qh")]),
    ],
)
def test_who_draws_first(order: str, hands: list[tuple[str, ...]]) -> None:
    """durak §7"""
    table = given("7h 7d Kc", "9h 5c", "9c 7c Qh", stock="8d 8h 3s", refill_order=order, trump_when="free")
    attack(table, 0, "7h")
    defend(table, 1, "9h")
    passes(table, 0, 2)
    assert [set(cards) for cards in table.fact("hands")] == [set(cards) for cards in hands]


def test_without_a_stock_the_last_card_puts_a_seat_out_and_the_hand_ends_at_once() -> None:
    """durak §6: even with an unanswered card on the table"""
    table = given("7h", "9h 4c", "5c Ac", stock="")
    attack(table, 0, "7h")
    defend(table, 1, "9h")
    attack(table, 1, "4c")
    assert table.facts("hand_over", "finish_order", "duraks", "scores") == (True, (0, 1), (2,), (3, 2, -3))


def test_without_stop_on_empty_a_battle_goes_on() -> None:
    """durak §6"""
    table = given("7h", "9h 4c Kd", "7c 9d", "2d 3d", stock="", stop_on_empty=False)
    attack(table, 0, "7h")
    defend(table, 1, "9h")
    assert table.facts("phase", "turn", "out") == ("throw", 2, (0,))


# --- stalled hands -----------------------------------------------------------------------------------------------


def test_pick_ups_without_a_stock_end_the_hand_and_rank_who_is_left() -> None:
    """durak §8"""
    table = given("7h 8h 9h", "3d 4d", "5d 6d Td", stock="", stall_limit=2)
    attack(table, 0, "7h")
    picks_up(table, 1)
    assert table.fact("stalled") is None
    attack(table, 1, "3d")
    picks_up(table, 2)
    assert table.facts("stalled", "finish_order", "duraks") == (True, (0, 1), (2,))


def test_a_battle_in_which_a_seat_goes_out_is_not_counted() -> None:
    """durak §8"""
    table = given("7h", "3d 4d", "5d 6d Td", "2d 8d", stock="", stall_limit=2)
    attack(table, 0, "7h")
    picks_up(table, 1)
    attack(table, 1, "3d")
    picks_up(table, 2)
    assert table.fact("stalled") is None
    attack(table, 2, "5d")
    picks_up(table, 3)
    assert table.fact("stalled") is True


def test_a_match_in_which_nobody_answers_ends() -> None:
    """durak §8: also where a stock is left that nobody draws from, since all keep picking up"""
    rules = GAMES["durak"]
    state, happened = whole_match("durak", {"match_hands": 1, "stall_limit": 4}, 4, rules.timeout)
    assert rules.scenarios.facts["stalled"](state) is True
    battles = sum(isinstance(event, BattleEnded) for event in happened)
    assert IDLE_LIMIT <= battles < 2 * IDLE_LIMIT


# --- scores, refusals, options -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "dealer"), [("durak", 2), ("rotate", 1), ("winner", 0)])
def test_who_deals_next(rule: str, dealer: int) -> None:
    """durak §9"""
    table = given("7h", "9h 4c", "5c Ac", stock="", next_dealer=rule)
    attack(table, 0, "7h")
    defend(table, 1, "9h")
    attack(table, 1, "4c")
    assert table.fact("next_dealer") == dealer


@pytest.mark.parametrize(
    ("hand", "card"), [("7s Xb 9h 3d", "3d"), ("7s Xb 3s Xr", "3s"), ("Xr Xb", "Xb"), ("3c 3d 3h", "3h")]
)
def test_a_time_out_attacks_with_the_lowest_card(hand: str, card: str) -> None:
    """durak §10: plain before trump before joker"""
    table = given(hand, "9d 5c", "9c 7c Qh", stock="8d 8h 8c", jokers=True, start={"trump": "s", "stock": ["2s"]})
    assert table.game.timeout(table.state, 0) == {"type": "attack", "card": card}


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"type": "play", "card": "7h"},
        {"type": "attack"},
        {"type": "attack", "card": "1d"},
        {"type": "attack", "card": ["7h"]},
        {"type": "pass", "card": "7h"},
        {"type": "pick_up", "all": True},
    ],
)
def test_a_malformed_action_is_refused_first(action: dict[str, Any]) -> None:
    """durak §10"""
    table = given("7h 7d", "9d 5c", "9c 7c")
    assert {table.refuses(seat, action) for seat in (0, 1, None)} == {Code.BAD_ACTION}


def test_refusals_come_in_their_order() -> None:
    """durak §10"""
    table = given("7h 7d", "9d 5h 2s Kh", "9c 7c")
    assert table.refuses(1, {"type": "exchange"}) == Code.NOT_YOUR_TURN
    assert table.refuses(0, {"type": "exchange"}) == Code.CANNOT_EXCHANGE
    assert table.refuses(0, {"type": "pass"}) == Code.MUST_ATTACK
    assert table.refuses(0, {"type": "defend", "card": "7h"}) == Code.WRONG_PHASE
    assert table.refuses(0, {"type": "attack", "card": "Xr"}) == Code.NOT_IN_HAND
    attack(table, 0, "7h")
    assert table.refuses(1, {"type": "exchange"}) == Code.CANNOT_EXCHANGE
    assert table.refuses(1, {"type": "pass"}) == Code.WRONG_PHASE
    assert table.refuses(1, {"type": "defend", "card": "Ah"}) == Code.NOT_IN_HAND
    assert table.refuses(1, {"type": "defend", "card": "2s"}) == Code.MUST_FOLLOW
    assert table.refuses(1, {"type": "defend", "card": "9d"}) == Code.DOES_NOT_BEAT


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({}, 2),
        ({}, 7),
        ({"preset": "usual"}, 4),
        ({"colour": "red"}, 4),
        ({"hand_size": 13}, 4),
        ({"hand_size": 0}, 4),
        ({"hand_size": True}, 4),
        ({"refill_to": "auto"}, 4),
        ({"max_attacks": 14}, 4),
        ({"match_hands": 1001}, 4),
        ({"stall_limit": 0}, 4),
        ({"seal_ends": 1}, 4),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], seats: int) -> None:
    """durak §1"""
    assert bad_option("durak", options, seats)
    assert not bad_option("durak", {"hand_size": 12}, 4)


def test_auto_sizes_go_by_the_number_of_seats() -> None:
    """durak §1"""
    opened = [GAMES["durak"].open({}, seats) for seats in (3, 4, 5, 6)]
    assert [(options.hand_size, options.refill_to) for options in opened] == [(10, 10), (8, 8), (6, 6), (5, 5)]
