"""Asking for cards, keeping one's word, the score and refusals (seven_qiao §4 to §6)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import JOKERS, PACK
from schemas.refusals import Code
from schemas.seven_qiao import Taken
from services.games.seven_qiao.state import hand_of
from tests.games.scenes import Scene, positions

DECK = (*PACK, *JOKERS)


def given_deck(
    top: str = "", *, seats: int = 3, dealer: int | None = None, totals: Any = None, **options: Any
) -> Scene:
    """These cards on top of the deck; the last seat deals."""
    first = top.split()
    deck = [*first, *(card for card in DECK if card not in first)]
    scenario: dict[str, Any] = {"deck": deck, "dealer": seats - 1 if dealer is None else dealer}
    return Scene("seven_qiao", scenario if totals is None else {**scenario, "totals": totals}, seats=seats, **options)


def held(table: Scene) -> list[list[str]]:
    """The cards in every hand."""
    hand = hand_of(table.state)
    assert hand is not None
    return [list(cards) for cards in hand.held]


# --- whose turn it is --------------------------------------------------------------------------------------------


def test_each_seat_is_asked_once_the_dealer_last_and_a_pass_is_not_final() -> None:
    table = given_deck(dealer=1, seats=4)
    for seat in (2, 3, 0, 1):
        assert (table.turn, table.fact("phase")) == (seat, "ask")
        table.does("pass")
    assert (table.turn, table.fact("phase")) == (2, "free")
    assert table.fact("done") == (False,) * 4


def test_in_rounds_one_card_is_drawn_a_turn_and_seats_that_are_done_are_left_out() -> None:
    table = given_deck()
    for _ in range(3):
        table.does("pass")
    table.does("stand")
    for seat in (1, 2, 1, 2):
        assert table.turn == seat
        table.does("draw")
        assert (table.turn, table.fact("pending")[seat]) == (seat, True)
        table.does("take")
    assert table.fact("hand_sizes") == [1, 3, 3]


def test_without_confirmation_the_card_comes_at_once_and_nothing_can_be_taken_or_declined() -> None:
    table = given_deck("5s 6s 8s 9s", confirm_draw=False)
    table.does("draw")
    assert held(table)[0] == ["5s", "9s"]
    assert table.turn == 1
    for verb in ("take", "decline"):
        assert table.refuses(1, {"type": verb}) == Code.WRONG_PHASE


def test_a_declined_card_stays_on_top_of_the_stock() -> None:
    table = given_deck("5s 6s 8s 9s")
    table.does("draw")
    table.does("decline")
    table.does("draw")
    table.does("take")
    assert held(table)[:2] == [["5s"], ["6s", "9s"]]
    assert (table.fact("reneges"), table.fact("done")) == ((1, 0, 0), (False, False, False))


def test_who_breaks_his_word_in_the_free_phase_is_done() -> None:
    table = given_deck()
    for _ in range(3):
        table.does("pass")
    table.does("draw")
    table.does("decline")
    assert (table.fact("done"), table.turn) == ((True, False, False), 1)


def free_for_all(*, seats: int = 3, **options: Any) -> Scene:
    """All have passed, and draw as they like."""
    table = given_deck(seats=seats, free_draw="any", **options)
    for _ in range(seats):
        table.does("pass")
    return table


def test_in_any_order_a_card_is_the_top_one_at_the_moment_it_is_taken() -> None:
    table = free_for_all()
    top = DECK[3:5]
    table.act(0, {"type": "draw"})
    table.act(2, {"type": "draw"})
    assert table.fact("pending") == (True, False, True)
    for seat, card in ((2, top[0]), (0, top[1])):
        (taken,) = table.act(seat, {"type": "take"})
        assert isinstance(taken, Taken)
        assert taken.cards.value == (card,)


def test_in_any_order_all_that_are_not_done_are_waited_for() -> None:
    table = free_for_all()
    assert table.fact("to_act") == (0, 1, 2)
    table.act(1, {"type": "stand"})
    assert (table.fact("to_act"), table.asked) == ((0, 2), (0, 2))
    table.act(0, {"type": "stand"})
    assert table.fact("to_act") == (2,)
    assert table.fact("timeout_action") == {"type": "stand"}
    assert table.refuses(1, {"type": "draw"}) == Code.FINISHED
    table.act(2, {"type": "draw"})
    table.act(2, {"type": "decline"})
    assert (table.fact("phase"), table.fact("to_act")) == ("done", None)


@pytest.mark.parametrize("free_draw", ["rounds", "any"])
def test_the_seventh_card_makes_a_seat_done(free_draw: str) -> None:
    table = given_deck(seats=2, free_draw=free_draw)
    table.does("draw")
    table.does("take")
    table.does("pass")
    if free_draw == "rounds":
        table.act(0, {"type": "draw"})
        table.act(0, {"type": "take"})
        table.act(1, {"type": "stand"})
    while not table.fact("done")[0]:
        table.act(0, {"type": "draw"})
        table.act(0, {"type": "take"})
    assert table.fact("hand_sizes")[0] == 7


def test_time_outs_take_what_is_offered_pass_and_stand() -> None:
    table = given_deck()
    assert table.stands_in() == {"type": "pass"}
    table.does("draw")
    assert table.stands_in() == {"type": "take"}
    table.does("pass")
    assert table.stands_in() == {"type": "stand"}
    table.does("draw")
    assert table.stands_in() == {"type": "take"}


# --- the score (seven_qiao §5) -----------------------------------------------------------------------------------

VALUES = {"7": 10, "A": 1, "X": 1, "T": 10, "J": 11, "Q": 12, "K": 13}
options = st.fixed_dictionaries(
    {},
    optional={
        "court_value": st.sampled_from(["rank", "ten"]),
        "free_draw": st.sampled_from(["rounds", "any"]),
        "confirm_draw": st.booleans(),
    },
)


@settings(max_examples=200)
@given(options, st.integers(2, 7), st.booleans(), st.binary(min_size=32, max_size=32))
def test_a_hand_scores_what_a_second_reading_of_the_rules_makes_of_it(
    option: dict[str, Any],
    seats: int,
    teams: bool,  # noqa: FBT001  # drawn
    seed: bytes,
) -> None:
    if teams and seats in (4, 6):
        option = {**option, "sides": [seat % 2 for seat in range(seats)]}
    *_, last = positions("seven_qiao", option, seats=seats, seed=seed)
    hand, result, own = hand_of(last.after), last.after.phase.result, []
    assert hand is not None
    for seat, cards in enumerate(hand.held):
        values = [VALUES.get(card[0]) or int(card[0]) for card in cards]
        if option.get("court_value") == "ten":
            values = [min(value, 10) for value in values]
        total, sevens = sum(values), [card[0] for card in cards].count("7")
        lucky = (len(cards) == 1 == sevens) + 2 * (len(cards) == 2 == sevens)
        lucky += (len(cards) == 2 and total == 14) + (len(cards) == 7 and total <= 14)
        own.append((10 * lucky if lucky else -total) - 10 * hand.reneges[seat])
        assert result.sums[seat] == total
        assert (result.kinds[seat] == "bust") == (total > 14 and not lucky)
    assert list(result.own_scores) == own
    sides = option.get("sides", range(seats))
    assert list(result.scores) == [sum(o for o, s in zip(own, sides, strict=True) if s == side) for side in sides]


@pytest.mark.parametrize(
    ("totals", "over", "winners", "losers"),
    [
        ([40, 0, 0], True, (0,), (2,)),
        ([39, 0, 0], False, None, None),
        ([0, 0, -41], True, (0,), (2,)),
        ([0, 0, -40], False, None, None),
        ([40, 55, 0], True, (0, 1), (2,)),
    ],
)
def test_the_match_ends_at_the_target_above_zero_or_below(
    totals: list[int],
    over: bool,  # noqa: FBT001  # of the table above
    winners: Any,
    losers: Any,
) -> None:
    """The hand makes 10, −5 and −9."""
    table = given_deck("7s 5h 9d", totals=totals)
    table.play_by_time_outs()
    assert table.fact("scores") == (10, -5, -9)
    assert (table.fact("match_over"), table.fact("winners"), table.fact("losers")) == (over, winners, losers)


@pytest.mark.parametrize(
    ("seats", "sides"),
    [
        (4, [0, 1, 0]),
        (4, [0, 0, 0, 1]),
        (4, [0, 0, 0, 0]),
        (2, [0, 1]),
        (4, [1, 1, 2, 2]),
        (5, [0, 0, 1, 1, 2]),
        (4, []),
    ],
)
def test_sides_that_are_not_equal_at_least_two_and_numbered_from_0_are_refused(seats: int, sides: list[int]) -> None:
    with pytest.raises(Exception, match=Code.BAD_OPTION):
        given_deck(seats=seats, sides=sides)
    assert given_deck(seats=6, sides=[0, 1, 2, 2, 1, 0]).turn == 0


# --- refusals (seven_qiao §6) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action", [None, {}, {"type": "bet"}, {"type": "draw", "n": 1}, {"type": "stand", "auto": True}]
)
def test_a_malformed_action_is_refused_before_anything_else(action: Any) -> None:
    over = given_deck()
    over.play_by_time_outs()
    for table in (given_deck(), over):
        for seat in (0, 1, None, 7):
            assert table.refuses(seat, action) == Code.BAD_ACTION


def test_refusals_come_in_their_order() -> None:
    over = given_deck()
    over.play_by_time_outs()
    assert over.refuses(0, {"type": "take"}) == Code.HAND_OVER
    table = given_deck()
    assert table.refuses(1, {"type": "stand"}) == Code.NOT_YOUR_TURN
    assert table.refuses(None, {"type": "draw"}) == Code.NOT_YOUR_TURN
    for verb in ("stand", "take", "decline"):
        assert table.refuses(0, {"type": verb}) == Code.WRONG_PHASE
    table.does("draw")
    for verb in ("draw", "pass", "stand"):
        assert table.refuses(0, {"type": verb}) == Code.WRONG_PHASE
    for _ in range(3):
        table.stands_in()
    table.does("stand")
    assert table.refuses(0, {"type": "pass"}) == Code.FINISHED
    assert table.refuses(2, {"type": "pass"}) == Code.NOT_YOUR_TURN
    assert table.refuses(1, {"type": "pass"}) == Code.WRONG_PHASE
