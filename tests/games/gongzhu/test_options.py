"""Options and presets (gongzhu §2)."""

from typing import Any

import pytest

from schemas.refusals import Code
from services.games.game import Refused
from services.games.gongzhu import GAME
from services.games.gongzhu.options import Options


def refused(raw: dict[str, Any], seats: int = 4) -> Refused:
    """The refusal of these options."""
    with pytest.raises(Refused) as caught:
        GAME.open(raw, seats)
    assert caught.value.code == Code.BAD_OPTION
    return caught.value


def test_no_options_are_the_standard_game() -> None:
    assert GAME.open({}, 4) == GAME.open({"preset": "standard"}, 4) == Options()


@pytest.mark.parametrize("name", GAME.presets)
def test_a_preset_is_its_differences_from_the_default(name: str) -> None:
    assert GAME.open({"preset": name}, 4) == GAME.open(dict(GAME.presets[name]), 4)


def test_other_keys_override_the_preset() -> None:
    options = GAME.open({"preset": "seed001_ordinary", "force_fourth": False}, 4)
    assert (options.force_fourth, options.final_score) == (False, "zero_sum")


@pytest.mark.parametrize(
    "raw",
    [
        {"colour": "red"},
        {"preset": "house"},
        {"preset": None},
        {"preset": ["standard"]},
        {"decks": True},
        {"decks": 3},
        {"claim": 1},
        {"lose_at": 0},
        {"lose_at": -100.0},
        {"win_at": -1},
        {"hands_limit": 0},
        {"hands_limit": True},
        {"first_dealer": 4},
        {"first_dealer": -1},
        {"opening_card": "Xr"},
        {"opening_card": "2c\n"},
        {"expose": None},
        {"registration": [0, 1, 2]},
        {"registration": [0, 1, 2, 2]},
        {"registration": [0, 1, 2, True]},
        {"lose_at": None, "win_at": None},
        {"partnership": "pig_sheep"},
        {"partnership": "pig_sheep", "expose": "none", "decks": 2},
        {"partnership": "pig_sheep", "expose": "none", "final_score": "zero_sum"},
        {"first_expose": True, "expose": "none"},
        {"dark_expose": "always", "expose": "all"},
        {"all_red_unit": "side"},
        {"double_pig": True, "partnership": "opposite"},
    ],
)
def test_bad_options_are_refused(raw: dict[str, Any]) -> None:
    assert refused(raw).detail


@pytest.mark.parametrize(
    "raw",
    [
        {"decks": 2},
        {"decks": 2, "partnership": "opposite", "all_red_unit": "side"},
        {"partnership": "pig_sheep", "expose": "none", "all_red_unit": "side"},
        {"cut": "player", "misdeal": "consent"},
        {"first_expose": True, "dark_expose": "allowed", "expose_order": "turns"},
        {"dark_expose": "always"},
        {"claim_dispute": "referee", "claim_grace": True},
        {"opening_card": "Qs", "decks": 2, "force_fourth": True},
        {"lose_at": None, "win_at": None, "hands_limit": 1},
    ],
)
def test_options_that_go_together_are_taken(raw: dict[str, Any]) -> None:
    options = GAME.open(raw, 4)
    assert all(getattr(options, name) == value for name, value in raw.items())


def test_there_are_the_presets_of_the_rules() -> None:
    """gongzhu §2.2"""
    assert sorted(GAME.presets) == [
        "public",
        "seed000",
        "seed000_all_exposed",
        "seed000_colour",
        "seed000_dark",
        "seed000_double",
        "seed000_double_partners",
        "seed000_double_pig",
        "seed000_except_sheep",
        "seed000_force_fourth",
        "seed000_partners",
        "seed000_pig_sheep",
        "seed001_huapai",
        "seed001_huapai_800",
        "seed001_island",
        "seed001_ordinary",
        "seed001_tournament",
        "standard",
    ]


@pytest.mark.parametrize("seats", [0, 1, 3, 5])
def test_four_play(seats: int) -> None:
    refused({}, seats)


def test_a_match_may_end_by_a_number_of_hands_alone() -> None:
    assert GAME.open({"lose_at": None, "win_at": None, "hands_limit": 4}, 4).hands_limit == 4
