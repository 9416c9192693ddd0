"""Plays, claims, challenges, passes, going out, the end of a hand and of a match (bluff §2 to §6, §8, §9)."""

from functools import reduce
from typing import Any

import pytest
from msgspec.structs import replace

from schemas.bluff import HandDealt, MatchEnded
from schemas.refusals import Code
from services.games import GAMES
from services.games.bluff.options import Options
from services.games.bluff.rules import is_true
from services.games.bluff.state import Hand, State
from services.games.shared.state import Unscored
from services.games.shuffle import SHARES
from tests.tables import HandTable, bad_option

HANDS = ("9s 9h 2c", "7d 6d 5d", "8h 8d 3d", "5c 4c 2d")


def given(*hands: str, **options: Any) -> HandTable:
    """Four hands, seat 0 leads; the usual ones unless others are given."""
    return HandTable("bluff", *(hands or HANDS), **options)


def play(table: HandTable, seat: int, cards: str, rank: str | None = "9") -> None:
    """A seat plays and claims."""
    action: dict[str, Any] = {"type": "play", "cards": cards.split()}
    table.act(seat, action if rank is None else {**action, "rank": rank})


def challenges(table: HandTable, seat: int) -> None:
    """A seat doubts the last play."""
    table.act(seat, {"type": "challenge"})


def passes(table: HandTable, *seats: int) -> None:
    """Seats leave the last play to the next one."""
    for seat in seats:
        table.act(seat, {"type": "pass"})


# --- what is true ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("jokers", "cards", "rank", "true"),
    [
        ("wild", "9s 9h", "9", True),
        ("wild", "9s Xr", "9", True),
        ("wild", "Xb Xr", "9", True),
        ("wild", "9s 8h", "9", False),
        ("own_rank", "9s Xr", "9", False),
        ("own_rank", "Xb Xr", "X", True),
        ("wild", "9s 9h", None, True),
        ("wild", "9s Xr", None, True),
        ("wild", "Xb Xr", None, True),
        ("wild", "9s 8h Xr", None, False),
        ("wild", "8h", None, True),
        ("own_rank", "9s Xr", None, False),
    ],
)
def test_when_a_play_is_true(jokers: Any, cards: str, rank: str | None, true: bool) -> None:  # noqa: FBT001
    """bluff §3"""
    assert is_true(Options(jokers=jokers), tuple(cards.split()), rank) == true


# --- claims ------------------------------------------------------------------------------------------------------


def test_followers_play_as_many_and_claim_the_leaders_rank() -> None:
    """bluff §3"""
    table = given()
    play(table, 0, "9s 2c", "9")
    assert table.refuses(1, {"type": "play", "cards": ["7d"], "rank": "9"}) == Code.WRONG_COUNT
    assert table.refuses(1, {"type": "play", "cards": ["7d", "6d"], "rank": "7"}) == Code.WRONG_RANK
    play(table, 1, "7d 6d", "9")
    assert table.facts("need", "claimed_rank", "pile_count") == (2, "9", 4)


def test_in_a_sequence_each_play_claims_the_next_rank_whatever_happens() -> None:
    """bluff §3: rounds and challenges do not reset it"""
    table = given(claim="sequence", start={"sequence_rank": "Q"})
    play(table, 0, "9s", "Q")
    play(table, 1, "7d", "K")
    play(table, 2, "8h", "A")
    challenges(table, 3)
    assert table.refuses(3, {"type": "play", "cards": ["5c"], "rank": "A"}) == Code.WRONG_RANK
    play(table, 3, "5c", "2")


def test_jokers_may_be_a_rank_of_their_own() -> None:
    """bluff §1"""
    assert given().refuses(0, {"type": "play", "cards": ["9s"], "rank": "X"}) == Code.BAD_RANK
    table = given(jokers="own_rank")
    play(table, 0, "9s", "X")
    assert table.fact("claimed_rank") == "X"


def test_where_no_rank_is_named_naming_one_is_refused() -> None:
    """bluff §9"""
    table = given(claim="of_a_kind")
    assert table.refuses(0, {"type": "play", "cards": ["9s"], "rank": "9"}) == Code.BAD_RANK
    table.act(0, {"type": "play", "cards": ["9s"], "rank": None})
    assert table.fact("last_play") == {"seat": 0, "count": 1, "rank": None}


# --- challenges --------------------------------------------------------------------------------------------------


def test_a_liar_takes_the_pile_and_the_challenger_leads() -> None:
    """bluff §4"""
    table = given()
    play(table, 0, "9s")
    play(table, 1, "7d")
    challenges(table, 2)
    assert table.facts("counts", "turn", "removed") == ([2, 4, 3, 3], 2, 0)


def test_a_liar_may_take_his_own_cards_alone() -> None:
    """bluff §4: the others leave the hand unseen"""
    table = given(liar_takes="own")
    play(table, 0, "9s")
    play(table, 1, "7d")
    challenges(table, 2)
    assert table.facts("counts", "turn", "removed", "pile_count") == ([2, 3, 3, 3], 2, 1, 0)


def test_a_challenger_who_was_wrong_takes_the_pile_and_the_challenged_leads() -> None:
    """bluff §4"""
    table = given(liar_takes="own")
    play(table, 0, "9s")
    challenges(table, 1)
    assert table.facts("counts", "turn", "removed") == ([2, 4, 3, 3], 0, 0)
    assert table.fact("reveal") == {
        "seat": 0,
        "by": 1,
        "cards": ["9s"],
        "rank": "9",
        "true": True,
        "taker": 1,
        "taken": 1,
    }
    play(table, 0, "9h")
    assert table.fact("reveal") is None


# --- passing -----------------------------------------------------------------------------------------------------


def test_a_pass_leaves_the_play_to_be_doubted_by_the_next_seat() -> None:
    """bluff §4"""
    table = given(allow_pass=True)
    play(table, 0, "2c")
    passes(table, 1)
    challenges(table, 2)
    assert table.facts("counts", "turn") == ([3, 3, 3, 3], 2)


def test_where_all_pass_the_pile_is_gone_and_the_last_player_leads() -> None:
    """bluff §4: a play wipes out earlier passes"""
    table = given(allow_pass=True)
    play(table, 0, "9s")
    passes(table, 1)
    play(table, 2, "8h")
    passes(table, 3, 0, 1)
    assert table.facts("turn", "removed", "pile_count", "counts") == (2, 2, 0, [2, 3, 2, 3])


# --- out ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "out"),
    [("play", (0,)), ("true", (0,)), ("false", ()), ("pass", (0,))],
)
def test_who_has_played_his_last_card_is_out_when_it_stands(how: str, out: tuple[int, ...]) -> None:
    """bluff §5"""
    table = given("9s", *HANDS[1:], allow_pass=True)
    play(table, 0, "9s", "8" if how == "false" else "9")
    assert table.fact("out") == ()
    match how:
        case "play":
            play(table, 1, "7d")
        case "pass":
            passes(table, 1, 2, 3)
        case _:
            challenges(table, 1)
    assert table.fact("out") == out


def test_after_a_true_last_play_the_next_seat_leads() -> None:
    """bluff §4"""
    table = given("9s", *HANDS[1:])
    play(table, 0, "9s")
    challenges(table, 1)
    assert table.facts("turn", "counts") == (1, [0, 4, 3, 3])


def test_the_hand_is_over_when_one_is_left_and_his_play_is_not_carried_out() -> None:
    """bluff §5, §10 B10"""
    table = given("9s", "7d", "8h", "5c 4c")
    play(table, 0, "9s")
    play(table, 1, "7d")
    play(table, 2, "8h")
    play(table, 3, "5c")
    assert table.facts("hand_over", "counts", "finish_order") == (True, [0, 0, 0, 2], (0, 1, 2, 3))
    assert table.facts("scores", "next_head") == ((4, 3, 2, -8), 3)


@pytest.mark.parametrize(
    ("limit", "order"),
    [
        (1, (2, 0, 1, 3)),  # counts 2 3 1 3
        (2, (2, 0, 3, 1)),  # counts 2 4 1 3
    ],
)
def test_a_hand_is_stopped_after_so_many_actions(limit: int, order: tuple[int, ...]) -> None:
    """bluff §5: who holds fewest comes first, ties from the head on"""
    table = given(HANDS[0], HANDS[1], "8h", HANDS[3], turn_limit=limit)
    play(table, 0, "9s")
    if limit == 2:
        challenges(table, 1)
    assert table.facts("hand_over", "finish_order") == (True, order)


@pytest.mark.parametrize(
    ("options", "scores", "winner"),
    [
        ({}, [46, 40, -12, 17], 0),
        ({}, [45, 40, -12, 17], None),
        ({}, [48, 49, 0, 0], None),
        ({"target_mode": "absolute"}, [0, 0, 0, -42], 0),
        ({"target_mode": "absolute"}, [0, 1, 0, -42], None),
        ({"target": 10}, [6, 0, 0, 0], 0),
    ],
)
def test_a_match_ends_at_the_target_unless_there_is_a_tie(
    options: dict[str, Any], scores: list[int], winner: int | None
) -> None:
    """bluff §6"""
    table = given("9s", "7d", "8h", "5c 4c", start={"match_scores": scores}, **options)
    for seat, cards in enumerate(("9s", "7d", "8h", "5c")):
        play(table, seat, cards)
    assert table.facts("winner", "match_over") == (winner, winner is not None)


@pytest.mark.parametrize(("totals", "winners"), [((0, 0, 0, 0), (0,)), ((0, 0, 1, 0), (0, 2))])
def test_a_match_ends_when_there_can_be_no_other_deal(totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """bluff §6: without a target reached, and with a tie too"""
    game = GAMES["bluff"]
    hand = Hand(hand_no=SHARES, head=0, held=((),) * 4, finish_order=(0, 2, 3, 1))
    state = State(options=Options(), phase=Unscored(hand=hand), totals=totals)
    scored, ended = game.score(state)
    assert ended == MatchEnded(winners=winners)
    assert game.due(reduce(game.evolve, (scored, ended), state)) == "none"
    [scored] = game.score(replace(state, phase=Unscored(hand=replace(hand, hand_no=SHARES - 1))))


# --- time-outs, refusals, options --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "hand", "action"),
    [
        ({}, "9s Ah Xr", {"type": "play", "cards": ["Ah"], "rank": "A"}),
        ({}, "Xr Xb", {"type": "play", "cards": ["Xb"], "rank": "A"}),
        ({}, "9c 9s", {"type": "play", "cards": ["9s"], "rank": "9"}),
        ({"jokers": "own_rank"}, "Xr", {"type": "play", "cards": ["Xr"], "rank": "X"}),
        ({"claim": "sequence"}, "9s", {"type": "play", "cards": ["9s"], "rank": "A"}),
        ({"claim": "of_a_kind"}, "9s", {"type": "play", "cards": ["9s"]}),
    ],
)
def test_a_time_out_leads_the_lowest_card_with_its_true_rank(
    options: dict[str, Any], hand: str, action: dict[str, Any]
) -> None:
    """bluff §8"""
    table = given(hand, *HANDS[1:3], "4c", **options)
    assert table.game.timeout(table.state, 0) == action
    table.times_out()
    assert table.game.timeout(table.state, 1) == {"type": "challenge"}


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"type": "claim"},
        {"type": "play", "rank": "9"},
        {"type": "play", "cards": "9s", "rank": "9"},
        {"type": "play", "cards": ["1s"], "rank": "9"},
        {"type": "play", "cards": ["9s"], "rank": "9", "auto": True},
        {"type": "challenge", "seat": 0},
    ],
)
def test_a_malformed_action_is_refused_first(action: dict[str, Any]) -> None:
    """bluff §9"""
    assert {given().refuses(seat, action) for seat in (0, 1, None)} == {Code.BAD_ACTION}


def test_refusals_come_in_their_order() -> None:
    """bluff §9"""
    table = given()
    assert table.refuses(1, {"type": "play", "cards": [], "rank": 7}) == Code.NOT_YOUR_TURN
    assert table.refuses(0, {"type": "challenge"}) == Code.NOTHING_TO_CHALLENGE
    assert table.refuses(0, {"type": "pass"}) == Code.CANNOT_PASS
    assert table.refuses(0, {"type": "play", "cards": [], "rank": 7}) == Code.BAD_COUNT
    assert table.refuses(0, {"type": "play", "cards": ["Ks"], "rank": 7}) == Code.NOT_IN_HAND
    for rank in (7, None, "", "10", "23", "X", ["9"]):
        assert table.refuses(0, {"type": "play", "cards": ["9s"], "rank": rank}) == Code.BAD_RANK
    assert table.refuses(0, {"type": "play", "cards": ["9s"]}) == Code.BAD_RANK


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({}, 3),
        ({}, 9),
        ({"preset": "liar"}, 4),
        ({"colour": "red"}, 4),
        ({"decks": 3}, 4),
        ({"max_cards": 0}, 4),
        ({"max_cards": 13}, 4),
        ({"target": 9}, 4),
        ({"turn_limit": -1}, 4),
        ({"allow_pass": 0}, 4),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], seats: int) -> None:
    """bluff §1"""
    assert bad_option("bluff", options, seats)


def test_auto_goes_by_the_number_of_seats() -> None:
    """bluff §1, §2: all cards are dealt, to some one more than to others"""
    game = GAMES["bluff"]
    opened = {seats: game.open({}, seats) for seats in game.seats}
    assert [(options.decks, options.max_cards) for options in opened.values()] == [(1, 6)] * 3 + [(2, 12)] * 2
    (dealt,) = game.deal(game.begin(opened[7], 7), lambda deck: deck)
    assert isinstance(dealt, HandDealt)
    assert [hand.n for hand in dealt.hands] == [16, 16, 16, 15, 15, 15, 15]
