"""Openers and the table limit of show hand."""

from schemas.refusals import Code
from tests.games.shared.poker.tables import show_hand

DEAL = "As Ad Ah Kh Ks Kd"
"""Three seats, an ace in the hole each; seat 1 shows the king of spades."""


def test_the_best_face_up_cards_open_every_round() -> None:
    """show_hand, Opener: suits break the tie, then the pair that comes."""
    table = show_hand(3, f"{DEAL} 2c 3c Kc")
    assert table.turn == 1
    table.act("check", "check", "check")
    assert table.turn == 2


def test_before_the_last_round_everybody_keeps_a_minimum_bet() -> None:
    """show_hand, Betting: the limit is what the shortest stack can follow, less one bet."""
    table = show_hand(3, DEAL, stacks=[1000, 300, 1000])
    assert table.legal() == {"check": None, "bet": (10, 280)}
    assert table.refuses(1, "bet 281") == Code.AMOUNT_TOO_LARGE
    assert table.refuses(1, "all_in") == Code.ALL_IN_NOT_ALLOWED


def test_the_limit_grows_when_the_shortest_seat_folds() -> None:
    table = show_hand(3, DEAL, stacks=[1000, 100, 600])
    table.act("bet 20", "raise 40", "raise 60")
    assert table.legal() == {"fold": None, "call": 40, "raise": (80, 80)}
    table.act("fold")
    assert table.legal()["raise"] == (80, 580)


def test_a_round_is_skipped_where_the_limit_is_below_the_minimum() -> None:
    table = show_hand(3, DEAL, stacks=[1000, 30, 1000])
    table.act("bet 10", "call", "call")
    assert table.game.phase(table.state) == "fifth"


def test_show_hand_is_what_all_can_follow_and_closes_the_round() -> None:
    """show_hand, Betting: the others call or fold, even if the shortest seat folds."""
    table = show_hand(3, DEAL, show_hand_from=3, stacks=[1000, 200, 1000])
    table.act("check", "check", "check")
    assert table.legal()["all_in"] == 190
    assert table.turn is not None
    table.acts(table.turn, "bet 190")
    assert table.round.closed
    assert table.legal() == {"fold": None, "call": 190}
    assert table.refuses(table.turn, "all_in") == Code.RAISING_CLOSED


def test_after_a_show_hand_that_is_called_the_rest_is_dealt_without_betting() -> None:
    table = show_hand(3, DEAL, show_hand_from=3, stacks=[1000, 200, 1000])
    table.act("check", "check", "check", "all_in", "call", "call")
    assert table.turn is None
    assert [amount for amount, _ in table.pots()] == [600]


def test_betting_goes_on_where_the_shortest_seat_did_not_follow() -> None:
    """show_hand, Betting: in the next round, as far as the limit allows it."""
    table = show_hand(3, f"{DEAL} 2c 4c 3c", show_hand_from=3, stacks=[1000, 1000, 200])
    table.act("check", "check", "check")
    assert table.turn == 1
    table.act("all_in", "fold", "call")
    assert table.game.phase(table.state) == "fourth"
    assert table.legal()["all_in"] == 800


def test_a_show_hand_that_would_be_a_raise_counts_against_the_cap() -> None:
    """show_hand, Options: and the cap is named before the round being closed."""
    table = show_hand(2, "As Ad Kh Ks 2c 3c 4c 5c 6c 7c", max_raises=1, show_hand_from=3)
    table.act("check", "check", "bet 10", "raise 20")
    assert table.turn is not None
    assert table.refuses(table.turn, "all_in") == Code.RAISE_CAP
    assert table.legal() == {"fold": None, "call": 10}


def test_too_early_is_said_before_the_cap() -> None:
    """show_hand, Betting: the order of errors."""
    table = show_hand(2, max_raises=1)
    table.act("bet 10", "raise 20")
    assert table.turn is not None
    assert table.refuses(table.turn, "all_in") == Code.ALL_IN_NOT_ALLOWED


def test_a_raise_above_the_limit_is_not_offered() -> None:
    table = show_hand(2, stacks=[100, 100])
    table.act("bet 50")
    assert table.legal() == {"fold": None, "call": 50}
    assert table.turn is not None
    assert table.refuses(table.turn, "raise 100") == Code.LIMIT_REACHED


def test_the_opener_may_have_to_bet() -> None:
    """show_hand, Options and poker §10: a time-out bets the minimum."""
    table = show_hand(2, opener_must_bet=True)
    assert table.turn is not None
    assert table.refuses(table.turn, "check") == Code.MUST_BET
    assert table.legal() == {"bet": (10, 980)}
    table.times_out()
    assert table.round.to_match == 10


def test_no_pot_is_ever_split() -> None:
    """show_hand: suits decide."""
    table = show_hand(2, "Kc Kd 9d 9c 7h 7s 5s 5h 3c 3d")
    table.act(*["check"] * 8)
    assert table.pots() == [(20, [0])]
