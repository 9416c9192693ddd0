"""Which hands beat which (poker §2)."""

from itertools import combinations

import pytest

from schemas.cards import PACK, RANKS, Cards
from schemas.digest import digest
from services.games.shared.poker.ranking import CATEGORIES, Ranking, best_five, board_strength, strength
from services.games.show_hand.options import STRIPPED
from services.games.shuffle import shuffle

DOWNWARD = (
    ("straight_flush", "Ah Kh Qh Jh Th"),
    ("four_of_a_kind", "As Ah Ac Ad Ks"),
    ("four_of_a_kind", "2s 2h 2c 2d 3s"),
    ("full_house", "As Ah Ac 2s 2d"),
    ("full_house", "Ks Kh Kc As Ad"),
    ("flush", "Ac Qc 9c 5c 3c"),
    ("flush", "Ad Qd 9d 5d 2d"),
    ("straight", "Ac Kd Qh Js Tc"),
    ("three_of_a_kind", "7s 7h 7d 3c 2c"),
    ("two_pair", "As Ad 2h 2c Ks"),
    ("two_pair", "Kh Kd Qh Qc As"),
    ("pair", "Ah Ad 4h 3c 2s"),
    ("pair", "Ks Kd Ah Qc Jd"),
    ("high_card", "Ah Kd Qd Jc 9s"),
)
"""Hands from best to worst, where A2345 has no part."""

RANKINGS: tuple[Ranking, ...] = ("standard", "show_hand")


def cards(text: str) -> Cards:
    """Cards as they are written."""
    return tuple(text.split())


@pytest.mark.parametrize("ranking", RANKINGS)
def test_categories_and_then_ranks_decide(ranking: Ranking) -> None:
    """poker §2"""
    strengths = [strength(cards(text), ranking) for _, text in DOWNWARD]
    assert strengths == sorted(set(strengths), reverse=True)
    for category, text in DOWNWARD:
        best = best_five(tuple(sorted(cards(text))), ranking)
        assert (best.category, best.cards) == (category, cards(text))


def test_the_ace_is_low_in_one_straight_only() -> None:
    """poker §2: the lowest straight, and no straight goes round the ace."""
    wheel, six_high = strength(cards("As 2d 3c 4h 5s"), "standard"), strength(cards("2s 3d 4c 5h 6s"), "standard")
    assert wheel < six_high
    assert best_five(cards("Qs Kd Ac 2h 3s"), "standard").category == "high_card"
    assert best_five(cards("5s Ad 2c 4h 3s Ks Kd"), "standard").cards == cards("Ad 5s 4h 3s 2c")


def test_in_show_hand_the_ace_low_straight_is_the_second_largest() -> None:
    """poker §2, also as a straight flush."""
    for suits in ("shdcs", "hhhhh"):
        runs = [
            tuple(rank + suit for rank, suit in zip(ranks, suits, strict=True))
            for ranks in ("23456", "9TJQK", "A2345", "TJQKA")
        ]
        strengths = [strength(run, "show_hand") for run in runs]
        assert strengths == sorted(strengths)


def test_in_show_hand_the_ace_low_straight_is_taken_before_a_higher_top_card() -> None:
    """poker §2: of the seven cards A2345 is worth more than 34567, in one suit too."""
    held = cards("As 2d 3c 4h 5s 6d 7c")
    assert best_five(held, "show_hand").cards == cards("As 5s 4h 3c 2d")
    assert best_five(held, "standard").cards == cards("7c 6d 5s 4h 3c")
    flush = cards("Ad 2d 3d 4d 5d 6d 7d")
    assert best_five(flush, "show_hand").cards == cards("Ad 5d 4d 3d 2d")


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Kc 9d 7h 5s 3c", "Kd 9c 7s 5h 3d"),
        ("Ks Kd 9c 7s 5h", "Kh Kc 9d 7h 5s"),
        ("As 5d 4d 3d 2d", "Ah 5s 4s 3s 2s"),
        ("Ah Kc Qs Js Ts", "Ac Kh Qh Jh Th"),
        ("9h 8h 7h 6h 5h", "9c 8c 7c 6c 5c"),
    ],
)
def test_in_show_hand_suits_break_every_tie(better: str, worse: str) -> None:
    """poker §2: spades, hearts, clubs, diamonds, of the card that weighs most."""
    assert strength(cards(better), "show_hand") > strength(cards(worse), "show_hand")
    assert strength(cards(better), "standard") == strength(cards(worse), "standard")


def test_of_several_equal_fives_the_higher_suits_are_taken() -> None:
    """poker §2: s > h > d > c in the standard ranking, s > h > c > d in the other, and groups are written s h c d."""
    held = cards("Td Tc Th 9s 9c 9d 4h")
    assert best_five(held, "standard").cards == cards("Th Tc Td 9s 9d")
    assert best_five(held, "show_hand").cards == cards("Th Tc Td 9s 9c")
    straight = cards("Ts 9c 9d 8h 7c 7d 6s")
    assert best_five(straight, "standard").cards == cards("Ts 9d 8h 7d 6s")
    assert best_five(straight, "show_hand").cards == cards("Ts 9c 8h 7c 6s")


def test_the_fifth_card_of_two_pair_may_come_from_a_third_pair() -> None:
    held = cards("As Ad Ks Kd Qs Qc 2h")
    assert best_five(held, "standard").cards == cards("As Ad Ks Kd Qs")


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("pack", [PACK, STRIPPED], ids=["full", "stripped"])
def test_the_best_five_of_seven_are_the_best_of_all_fives(ranking: Ranking, pack: Cards) -> None:
    """The table of seven cards agrees with that of five, over all twenty-one choices."""
    for number in range(1000):
        held = shuffle(pack, digest("tests/seven", number))[:7]
        best = best_five(held, ranking)
        assert {*best.cards} <= {*held}
        assert strength(held, ranking) == strength(best.cards, ranking)
        assert strength(held, ranking) == max(strength(five, ranking) for five in combinations(held, 5))


def test_in_show_hand_no_two_hands_are_equal() -> None:
    for number in range(2000):
        ten = shuffle(PACK, digest("tests/ten", number))[:10]
        assert strength(ten[:5], "show_hand") != strength(ten[5:], "show_hand")


def test_every_category_is_met_as_often_as_it_is() -> None:
    """The 2,598,960 hands of five by suits that stand for all: each set of ranks in one suit, and in several."""
    counts = dict.fromkeys(CATEGORIES, 0)
    for ranks in combinations(RANKS, 5):
        suited = best_five(tuple(rank + "s" for rank in ranks), "standard").category
        mixed = best_five(tuple(rank + suit for rank, suit in zip(ranks, "ssssh", strict=True)), "standard").category
        counts[suited] += 4
        counts[mixed] += 4**5 - 4
    assert {name: count for name, count in counts.items() if count} == {
        "high_card": 1_302_540,
        "straight": 10_200,
        "flush": 5_108,
        "straight_flush": 40,
    }


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2s 2h 2c 2d", "As Ah Ac Kd"),
        ("2s 2h 2c 3d", "As Ah Kc Kd"),
        ("As Ad 2h 2c", "As Kd Qh Jc"),
        ("Ks 7h 6d", "Kh Qs Jd"),
        ("Ah 7c", "Ks Kd"),
    ],
)
def test_boards_compare_by_groups_ranks_and_suits(better: str, worse: str) -> None:
    """seven_card_stud, Best board; the last two show the order of ranks and groups the other way round."""
    suits = {"s": 3, "h": 2, "d": 1, "c": 0}
    first, second = board_strength(cards(better), suits), board_strength(cards(worse), suits)
    assert (first > second) == (better[:2] not in ("Ks", "Ah"))
