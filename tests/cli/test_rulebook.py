"""`fairdeal games` and `fairdeal games NAME`: what is told of every game, for people and for scripts."""

import json
import re
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from schemas.cards import PACK
from services.cli.app import app
from services.cli.rulebook import options_of, rules_of
from services.games import GAMES
from services.games.game import Refused

WIDE = {"COLUMNS": "200"}


def told(*arguments: str, **env: str) -> str:
    """What a command prints; it must end well."""
    result = CliRunner().invoke(app, ["games", *arguments], env={**WIDE, **env})
    assert result.exit_code == 0, result.output
    return result.stdout


def document(game: str) -> dict[str, Any]:
    """What scripts are told of a game."""
    facts: dict[str, Any] = json.loads(told(game, "--json"))
    return facts


def test_the_list_has_each_game_with_both_names_its_seats_and_presets() -> None:
    """Also in a narrow terminal nothing is cut off."""
    wide, narrow = told(), told(COLUMNS="80")
    for game in GAMES.values():
        row = next(line for line in wide.splitlines() if line.strip().startswith(f"{game.name} "))
        assert all(title in row for title in game.title)
        assert str(game.seats[0]) in row
        assert all(preset in "".join(wide.split()) for preset in game.presets)
    assert "…" not in narrow


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_a_meaning_a_default_and_what_is_allowed(game: str) -> None:
    """The default is among what is allowed, by the form too."""
    options = options_of(GAMES[game])
    assert [option.name for option in options] == list(GAMES[game].options.__struct_fields__)
    for option in options:
        assert option.meaning.endswith(".")
        assert "None" not in option.meaning
        assert "any" not in option.allowed.split() or "any" in option.form.get("enum", ())
        assert option.form


@pytest.mark.parametrize("game", GAMES)
def test_a_page_shows_presets_options_and_rules(game: str) -> None:
    page = told(game)
    assert all(title in page for title in GAMES[game].title)
    words = set(page.split())
    assert {*GAMES[game].presets, *(option.name for option in options_of(GAMES[game]))} <= words
    headings = [line.lstrip("# ") for line in rules_of(GAMES[game]).splitlines() if line.startswith("## ")]
    assert headings
    for heading in headings:
        assert heading.replace("`", "") in page


@pytest.mark.parametrize("game", GAMES)
def test_the_items_of_a_list_have_the_numbers_that_are_written(game: str) -> None:
    """A terminal counts them anew, so that one within the line of another would be miscounted."""
    before = 0
    for line in rules_of(GAMES[game]).splitlines():
        if item := re.match(r"(\d+)\. ", line):
            assert int(item[1]) in (1, before + 1), line
            before = int(item[1])


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_told_in_english_and_in_chinese(game: str) -> None:
    rules = rules_of(GAMES[game])
    assert any("一" <= letter <= "鿿" for letter in rules)
    assert " the " in rules


@pytest.mark.parametrize("game", GAMES)
def test_the_document_says_the_same_for_scripts(game: str) -> None:
    facts = document(game)
    assert facts["title"] == dict(zip(("en", "zh"), GAMES[game].title, strict=True))
    assert facts["presets"] == json.loads(msgspec.json.encode(GAMES[game].presets))
    assert [option["name"] for option in facts["options"]] == list(GAMES[game].options.__struct_fields__)
    assert facts["rules_text"] == rules_of(GAMES[game])


@pytest.mark.parametrize("game", GAMES)
def test_a_value_that_a_list_of_values_does_not_name_is_refused(game: str) -> None:
    """What the page says is allowed is what `open` allows."""
    for option in document(game)["options"]:
        for value in option["form"].get("enum", ()):
            assert str(value) in option["allowed"] or (value in PACK and option["allowed"] == "a card")
        if "enum" in option["form"]:
            with pytest.raises(Refused):
                GAMES[game].open({option["name"]: "no such value"}, GAMES[game].seats[0])


@pytest.mark.parametrize("arguments", [("whist",), ("whist", "--json")])
def test_a_game_that_is_not_there_is_a_wrong_usage(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, ["games", *arguments])
    assert result.exit_code == 2
    assert "whist is no game here" in result.stderr


def test_ranges_lists_and_nothing_are_told_in_words() -> None:
    allowed = {option.name: option.allowed for option in options_of(GAMES["seven_qiao"])}
    assert allowed["match_target"] == "10 or more"
    assert allowed["sides"] == "a list: 0 to 2 or null"
    assert allowed["court_value"] == "rank, ten"
    assert allowed["first_dealer"] == "0 to 6"
    assert {option.name: option.allowed for option in options_of(GAMES["gongzhu"])} | {
        "opening_card": "a card",
        "lose_at": "-1 or less or null",
        "first_dealer": "0 to 3",
        "cut": "none, player",
    } == {option.name: option.allowed for option in options_of(GAMES["gongzhu"])}
