"""Which kind cards are, and which beats which (fifty_k §3, §4, §13)."""

from typing import Any

import pytest

from services.games.fifty_k import GAME
from services.games.fifty_k.combos import Combo, combo_text, compare, readings
from services.games.fifty_k.options import Options

DEFAULTS = Options()


def kinds(cards: str, options: Options = DEFAULTS) -> list[str]:
    """The kinds that cards are."""
    return [combo.kind for combo in readings(options, tuple(cards.split()))]


def combo(cards: str, options: Options = DEFAULTS, kind: str = "") -> Combo:
    """The combination that cards are, or are as a kind."""
    return next(c for c in readings(options, tuple(cards.split())) if kind in ("", c.kind))


def beats(higher: str, lower: str, options: Options = DEFAULTS) -> bool:
    """Whether the one beats the other, and not the other way round as well."""
    one, two = combo(higher, options), combo(lower, options)
    assert not (compare(one, two) == "beats" and compare(two, one) == "beats")
    return compare(one, two) == "beats"


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("7s", ["single"]),
        ("7s 7h", ["pair"]),
        ("7s 8h", []),
        ("7s 7h 7d", ["triple"]),
        ("7s 7h 7d 8c", ["triple_with_1"]),
        ("7s 7h 7d 8c 8d", ["triple_with_2"]),
        ("7s 7h 7d 8c 9d", ["triple_with_2"]),
        ("4s 4h 4d 4c 5s", ["triple_with_2"]),
        ("7s 7h 7d 7c", ["bomb"]),
        ("7s 7h 7d 7c 7s", ["bomb"]),
        ("5s Th Kd", ["bomb_510k"]),
        ("5s 5h Kd", []),
        ("As 2h 3d 4c 5s", ["straight"]),
        ("Ts Jh Qd Kc As", ["straight"]),
        ("Qs Kh Ad 2c 3s", []),
        ("As 2s 3s 4s 5s", ["straight_flush"]),
        ("3s 4s 5h 6s", []),
        ("3s 3h 4s 4h", ["pair_run"]),
        ("Ks Kh As Ah", ["pair_run"]),
        ("As Ah 2s 2h", []),
        ("2s 2h 3s 3h", []),
        ("3s 3h 4s 4h 5s", []),
        ("3s 3h 3d 4s 4h 4d", ["triple_run"]),
        ("Ks Kh Kd As Ah Ad", ["triple_run"]),
        ("As Ah Ad 2s 2h 2d", []),
        ("3s 3h 3d 4s 4h 4d 4c 7s", ["triple_run_with_1"]),
        ("3s 3h 3d 4s 4h 4d 9c 9s 2d 3c", ["triple_run_with_2"]),
        ("3s 3h 3d 4s 4h 4d 5s 5h 5d 6s 6h 6d", ["triple_run", "triple_run_with_1"]),
        (
            "3s 3h 3d 4s 4h 4d 5s 5h 5d 6s 6h 6d 7s 7h 7d",
            ["triple_run", "triple_run_with_2"],
        ),
    ],
)
def test_cards_are_of_these_kinds_fewest_attachments_first(cards: str, expected: list[str]) -> None:
    """fifty_k §3"""
    assert kinds(cards) == expected


def test_without_twos_straights_begin_at_three() -> None:
    """fifty_k §12 F4"""
    options = Options(low_straights="no_two")
    assert [kinds(cards, options) for cards in ("As 2h 3d 4c 5s", "2h 3d 4c 5s 6s", "3d 4c 5s 6s 7h")] == [
        [],
        [],
        ["straight"],
    ]


def test_of_all_thirteen_ranks_the_ace_is_high() -> None:
    """fifty_k §3"""
    whole = "As 2h 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"
    assert combo(whole).level == 2 * 14


def test_the_core_is_the_highest_row_of_triples() -> None:
    """fifty_k §3: 333444555666 with one each counts as 444555666 with 333"""
    run = "3s 3h 3d 4s 4h 4d 5s 5h 5d 6s 6h 6d"
    assert combo(run, kind="triple_run_with_1").level == combo("6s").level


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2s", "As"),
        ("As", "Ks"),
        ("4s", "3s"),
        ("2s 2h 2d", "As Ah Ad"),
        ("2s 2h 2d 3c", "As Ah Ad Kc"),
        ("4s 4h 5s 5h", "3s 3h 4d 4c"),
        ("6d 2c 3s 4h 5s", "As 2h 3d 4c 5d"),
        ("Ts Jh Qd Kc As", "9s Th Jd Qc Ks"),
        ("3s 4s 5s 6s 7s", "3h 4d 5d 6d 7d"),
        ("5d Td Kd", "5s Th Kd"),
        ("5c Tc Kc", "5d Td Kd"),
        ("5h Th Kh", "5c Tc Kc"),
        ("5s Ts Ks", "5h Th Kh"),
        ("3s 3h 3d 3c", "5s Ts Ks"),
        ("4s 4h 4d 4c", "3s 3h 3d 3c"),
        ("3s 3h 3d 3c 3s", "2s 2h 2d 2c"),
        ("5s Th Kd", "2s"),
        ("3s 3h 3d 3c", "Ts Js Qs Ks As"),
    ],
)
def test_the_first_beats_the_second(higher: str, lower: str) -> None:
    """fifty_k §4"""
    assert beats(higher, lower)
    assert not beats(lower, higher)


@pytest.mark.parametrize(
    ("one", "two", "verdict"),
    [
        ("7s", "7h", "low"),
        ("5s Th Kd", "5h Tc Kd", "low"),
        ("5s Ts Ks", "5s Ts Ks", "low"),
        ("3s 4s 5s 6s 7s", "3h 4h 5h 6h 7h", "low"),
        ("3s 4s 5s 6s 7h", "4h 5h 6h 7h 8h", "low"),
        ("8s 8h", "7s", "other"),
        ("3s 4s 5s 6s 7s 8h", "3h 4h 5h 6h 7s", "other"),
        ("5s Ts Ks", "4s 4h 4d 4c", "low"),
    ],
)
def test_what_does_not_beat_is_too_low_or_of_another_kind(one: str, two: str, verdict: str) -> None:
    """fifty_k §4, §11"""
    assert compare(combo(one), combo(two)) == verdict


def test_straight_flushes_may_stand_above_all_straights_of_their_length() -> None:
    """fifty_k §12 F6"""
    low_flush, high_straight = "3s 4s 5s 6s 7s", "Ts Jh Qd Kc As"
    above = Options(straight_flush="above")
    assert beats(high_straight, low_flush)
    assert beats(low_flush, high_straight, above)
    assert beats("4h 5h 6h 7h 8h", low_flush, above)


@pytest.mark.parametrize(
    ("kind", "cards", "text"),
    [
        ("straight", "As 2h 3d 4c 5s", "straight/345A2"),
        ("triple_with_2", "3s 7h 7d 9c 7s", "triple_with_2/37779"),
        ("bomb_510k", "Ks 5s Ts", "bomb_510k/s"),
        ("bomb_510k", "Ks 5h Ts", "bomb_510k/mixed"),
    ],
)
def test_a_combination_is_written_without_suits(kind: str, cards: str, text: str) -> None:
    """fifty_k §13"""
    assert combo_text(kind, cards.split()) == text


def test_the_options_of_all_presets_are_as_the_table_has_them() -> None:
    """fifty_k §1"""

    def shown(preset: str) -> list[Any]:
        options = GAME.open({"preset": preset}, 4)
        return [
            options.decks,
            options.last_captured,
            options.unplayed,
            options.one_two,
            options.single_transfer,
        ]

    assert shown("two_deck") == [2, "first_side", "to_ender", "sweep", 0]
    assert shown("one_deck") == [1, "own_side", "deduct", "transfer", 15]
    assert shown("two_deck_catch") == [2, "own_side", "deduct", "transfer", 15]
