"""The betting round: who acts, what may be done and what it does (poker §3 to §5)."""

import pytest

from schemas.refusals import Code
from tests.games.shared.poker.tables import holdem, stud


def test_a_raise_is_at_least_as_large_as_the_one_before() -> None:
    """poker §4, no-limit: blinds 50/100, a raise to 300 is one of 200, so the next is to 500."""
    table = holdem(3)
    table.act("raise 300")
    assert table.refuses(0, "raise 499") == Code.AMOUNT_TOO_SMALL
    assert table.legal()["raise"] == (500, 10_000)


def test_a_short_all_in_does_not_reopen_the_betting() -> None:
    """poker §4, rule 3: bet 400, all-in 550; who has not acted may raise to 950, the bettor may not."""
    table = holdem(3, stacks=[5000, 650, 5000])
    table.act("call", "call", "check", "bet 400", "all_in")
    assert table.turn == 2
    assert table.legal()["raise"] == (950, 4900)
    table.act("call")
    assert table.legal() == {"fold": None, "call": 150}
    assert table.refuses(0, "raise 950") == Code.RAISING_CLOSED


def test_short_all_ins_that_add_up_to_a_full_raise_reopen_it_for_that_seat() -> None:
    """poker §4, rule 3: 1000, then 1300 and 1600, is 600 more for the bettor of 400 before, though each was short."""
    table = holdem(4, stacks=[5000, 800, 1100, 5000])
    table.act("call", "call", "call", "check", "bet 400", "all_in", "all_in")
    assert (table.round.to_match, table.round.step) == (1000, 400)
    assert table.turn == 3
    table.act("call")
    assert table.turn == 0
    assert table.legal()["raise"] == (1400, 4900)


def test_an_opening_all_in_below_the_minimum_is_completed_by_a_full_raise() -> None:
    """poker §4: an all-in of 30 with minimum 100, raise to 130 or more; a seat that had checked may not."""
    table = holdem(3, stacks=[5000, 130, 5000])
    table.act("call", "call", "check", "check", "all_in")
    assert table.legal()["raise"] == (130, 4900)
    table.act("call")
    assert table.turn == 0
    assert table.refuses(0, "raise 130") == Code.RAISING_CLOSED


def test_nobody_pays_more_than_an_opponent_can_match() -> None:
    """poker §4, cost: heads-up the big blind has 30; the small blind, with 50 in, has nothing to decide."""
    table = holdem(2, stacks=[30, 1000])
    assert table.turn is None
    assert table.fact("returned") == (0, 20)


def test_a_seat_may_not_raise_opponents_without_chips() -> None:
    """poker §4, rule 4."""
    table = holdem(2, stacks=[300, 1000])
    table.act("call", "all_in")
    assert table.legal() == {"fold": None, "call": 200}
    assert table.refuses(1, "raise 500") == Code.NO_ONE_TO_CALL
    assert table.refuses(1, "all_in") == Code.NO_ONE_TO_CALL


def test_the_big_blind_may_raise_when_only_called() -> None:
    """texas_holdem, Openers: the option."""
    table = holdem(3)
    table.act("call", "call")
    assert table.legal() == {"check": None, "raise": (200, 10_000), "all_in": 10_000}


def test_a_fold_is_refused_where_it_costs_nothing_to_stay() -> None:
    """poker §4, and the option that allows it."""
    table = holdem(3)
    table.act("call", "call")
    assert table.refuses(1, "fold") == Code.FOLD_NOT_NEEDED
    free = holdem(3, free_fold=True)
    free.act("call", "call", "fold")
    assert free.hand.live == (0, 2)


def test_raises_end_at_the_cap() -> None:
    """poker §4: three raises in a limit round, the big blind is none of them; in no-limit an option."""
    limit = holdem(3, structure="limit")
    limit.act("raise 200", "raise 300", "raise 400")
    assert limit.refuses(2, "raise 500") == Code.RAISE_CAP
    capped = holdem(3, max_raises=1)
    capped.act("raise 200")
    assert capped.refuses(0, "all_in") == Code.RAISE_CAP
    assert capped.legal() == {"fold": None, "call": 150}


def test_with_a_limit_amounts_are_fixed() -> None:
    """poker §4, limit: bets of 100 before the turn, of 200 from it on."""
    table = holdem(2, structure="limit")
    assert table.legal()["raise"] == (200, 200)
    table.act("call", "check", "bet 100", "call")
    assert table.refuses(0, "bet 100") == Code.AMOUNT_TOO_SMALL
    assert table.refuses(0, "all_in") == Code.ALL_IN_NOT_ALLOWED
    assert table.legal()["bet"] == (200, 200)


@pytest.mark.parametrize(("stack", "verb", "amount"), [(109, "raise", 100), (150, "raise", 150)])
def test_half_a_bet_counts_and_less_is_completed(stack: int, verb: str, amount: int) -> None:
    """poker §4, limit, bet size 100: an all-in of 9 on the flop is completed to 100, one of 50 is raised to 150."""
    table = holdem(3, structure="limit", stacks=[stack, 1000, 1000])
    table.act("call", "call", "check", "all_in")
    assert table.turn == 1
    assert table.legal()[verb] == (amount, amount)


def test_the_round_ends_when_all_have_answered_the_last_raise() -> None:
    """poker §4, who acts: after a raise everybody else with chips gets a turn again."""
    table = holdem(3)
    table.act("call", "raise 300")
    assert table.turn == 1
    table.act("fold")
    assert table.turn == 2
    table.act("call")
    assert (table.game.phase(table.state), table.turn) == ("flop", 0)


def test_no_round_is_opened_when_only_one_seat_has_chips() -> None:
    """poker §4: the remaining cards are dealt out, and the hands were shown before (poker §8)."""
    table = holdem(2, stacks=[500, 1000])
    table.act("all_in", "call")
    assert len(table.hand.board) == 5
    kinds = [type(event).__name__ for event in table.events]
    assert kinds.index("HandsShown") < kinds.index("StreetDealt")


def test_the_level_tells_a_re_raise_from_a_raise() -> None:
    """texas_holdem, The seven decisions."""
    table = holdem(3)
    assert [table.acts(2, "raise 300").level, table.acts(0, "raise 700").level, table.acts(1, "call").level] == [
        1,
        2,
        None,
    ]


def test_an_all_in_of_no_more_than_the_call_is_a_call() -> None:
    """poker §3, all_in: offered when the cost is the whole stack."""
    table = holdem(3, stacks=[250, 1000, 1000])
    table.act("raise 300")
    assert table.legal() == {"fold": None, "call": 200, "all_in": 250}
    acted = table.acts(0, "all_in")
    assert (acted.paid, acted.level, acted.all_in) == (200, None, True)


def test_a_time_out_checks_where_it_may_and_else_folds() -> None:
    """poker §10"""
    table = holdem(2)
    table.act("call")
    table.times_out()
    assert table.game.phase(table.state) == "flop"
    table.act("bet 100")
    table.times_out()
    assert table.fact("hand_scores") == ((100, -100),)


def test_a_time_out_brings_in() -> None:
    """poker §10"""
    table = stud(3)
    table.times_out()
    assert table.round.to_match == 10


REFUSALS = [
    (2, {}, Code.BAD_ACTION),
    (2, {"type": ["fold"]}, Code.BAD_ACTION),
    (2, {"type": "stand"}, Code.BAD_ACTION),
    (0, {"type": "call", "amount": 100}, Code.BAD_ACTION),
    (2, {"type": "raise", "amount": 300, "all": True}, Code.BAD_ACTION),
    (0, {"type": "raise"}, Code.BAD_AMOUNT),
    (2, {"type": "raise", "amount": None}, Code.BAD_AMOUNT),
    (2, {"type": "raise", "amount": "300"}, Code.BAD_AMOUNT),
    (2, {"type": "raise", "amount": 300.0}, Code.BAD_AMOUNT),
    (2, {"type": "raise", "amount": True}, Code.BAD_AMOUNT),
    (2, {"type": "bet", "amount": 0}, Code.BAD_AMOUNT),
    (None, {"type": "call"}, Code.NOT_ALLOWED),
    (3, {"type": "call"}, Code.NOT_ALLOWED),
    (0, {"type": "raise", "amount": 300}, Code.NOT_YOUR_TURN),
    (2, {"type": "bring_in"}, Code.NOT_AVAILABLE),
    (2, {"type": "complete", "amount": 300}, Code.NOT_AVAILABLE),
    (2, {"type": "check"}, Code.CANNOT_CHECK),
    (2, {"type": "bet", "amount": 300}, Code.MUST_RAISE),
    (2, {"type": "raise", "amount": 199}, Code.AMOUNT_TOO_SMALL),
    (2, {"type": "raise", "amount": 10_001}, Code.AMOUNT_TOO_LARGE),
    (2, {"type": "raise", "amount": 2**60}, Code.AMOUNT_TOO_LARGE),
]


@pytest.mark.parametrize(("seat", "action", "code"), REFUSALS, ids=str)
def test_a_refusal_names_the_first_thing_that_is_wrong(seat: int | None, action: dict[str, object], code: Code) -> None:
    """poker §11; malformed actions are refused to anybody, before it is asked whose turn it is."""
    assert holdem(3).refuses(seat, action) == code


def test_between_hands_all_is_refused_with_hand_over() -> None:
    """poker §11"""
    table = holdem(2)
    table.act("fold")
    assert table.refuses(0, "check") == Code.HAND_OVER
    assert table.refuses(0, {"type": "bet"}) == Code.BAD_AMOUNT
