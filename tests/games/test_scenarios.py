"""Every game's scenarios, found by folder: tests/games/<game>/scenarios holds files and JSONL with one a line."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from replay.scenario import run, run_paths
from services.games import GAMES

FOLDERS = {name: Path(__file__).parent / name / "scenarios" for name in GAMES}
FILES = [path for folder in FOLDERS.values() for path in sorted(folder.rglob("*.json*"))]

PASSES: dict[str, Any] = {
    "game": "gongzhu",
    "seats": 4,
    "captured": [["Qs"], ["Jd"], [], []],
    "expect": {"scores": [-100, 100, 0, 0]},
}
DEALT: dict[str, Any] = {
    "game": "gongzhu",
    "seats": 4,
    "deck": [rank + suit for suit in "shdc" for rank in "23456789TJQKA"],
}


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_scenarios(name: str) -> None:
    assert [path for path in FILES if path.is_relative_to(FOLDERS[name])] != []


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_scenario(path: Path) -> None:
    assert [f"{source}: {failure}" for source, failures in run_paths([path]) for failure in failures] == []


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"expect": {"scores": [-100, 100, 0, 1]}}, "scores"),
        ({"expect": {"match_over": 0}}, "match_over"),
        ({"expect": {"no_such_fact": None}}, "no_such_fact"),
        ({"setup_error": "bad_option"}, "setup_error"),
        ({"options": {"colour": "red"}}, "setup_error"),
        ({"captured": [["Qs"], ["Qs"], [], []]}, "setup_error"),
        ({"captured": "Qs"}, "setup_error"),
        ({"seats": 3}, "setup_error"),
        ({"game": "whist"}, "game"),
        ({"seats": "four"}, "file"),
        ({"steps": [{"seat": 0, "action": {"type": "pass"}}]}, "action"),
        ({"steps": [{"seat": 0, "action": {"type": "pass"}, "error": "wrong_phase"}]}, "action"),
        ({"steps": [{"seat": 0, "action": "pass", "eror": "bad_action"}]}, "file"),
    ],
)
def test_what_comes_out_otherwise_is_named(change: dict[str, Any], what: str) -> None:
    assert run(PASSES) == []
    assert [failure.what for failure in run(PASSES | change)] == [what]


@pytest.mark.parametrize(
    ("step", "what"),
    [
        ({"seat": 0, "action": {"type": "pass"}, "error": "hand_over"}, "action"),
        ({"seat": 0, "action": {"type": "play", "cards": ["2s"]}}, "action"),
        ({"seat": 0, "action": {"type": "pass"}, "legal": []}, "legal"),
        ({"seat": 0, "action": {"type": "pass"}, "timeout": {"type": "play", "cards": ["2s"]}}, "timeout"),
        ({"seat": 0, "action": {"type": "pass"}, "then": {"phase": "play"}}, "phase"),
        ({"seat": 0, "action": {"type": "pass"}, "after": {"turn": 1}}, "turn"),
    ],
)
def test_a_failing_step_is_named_by_its_number(step: dict[str, Any], what: str) -> None:
    first = {"seat": 3, "action": {"type": "pass"}, "timeout": {"type": "pass"}, "then": {"turn": None}}
    assert run(DEALT | {"steps": [first]}) == []
    assert [(failure.step, failure.what) for failure in run(DEALT | {"steps": [first, step]})] == [(2, what)]


LED: dict[str, Any] = {"seat": 0, "action": {"type": "play", "cards": ["2c"], "rank": "9"}}
BLUFF: dict[str, Any] = {
    "game": "bluff",
    "seats": 4,
    "hands": [["2c", "3c"], ["4c"], ["5c"], ["6c"]],
    "steps": [LED | {"secret": [{"seat": 1, "cards": ["2c", "3c"]}, {"seat": None, "cards": ["2c"]}]}],
    "expect": {"hands": [["3c"], ["4c"], ["5c"], ["6c"]]},
}
FIFTY_K: dict[str, Any] = {
    "game": "fifty_k",
    "seats": 4,
    "hands": [["4s", "5s"], ["6s"], ["7s"], ["8s"]],
    "start": {"leader": 0},
}
LEAD: dict[str, Any] = {"seat": 0, "action": {"type": "play", "cards": ["4s"]}}


@pytest.mark.parametrize(
    ("scenario", "what"),
    [
        (BLUFF | {"steps": [LED | {"secret": [{"seat": 0, "cards": ["3c", "2c"]}]}]}, "secret from seat 0"),
        (BLUFF | {"steps": [LED, {"seat": 1, "action": {"type": "challenge"}, "secret": [
            {"seat": None, "cards": ["2c"]}]}], "expect": {}}, "secret from the rail"),
        (BLUFF | {"expect": {"hands": [["4c"], ["3c"], ["5c"], ["6c"]]}}, "hands"),
        (FIFTY_K | {"steps": [LEAD | {"legal_n": 3}]}, "legal_n"),
        (FIFTY_K | {"steps": [LEAD | {"legal_sha": "0" * 16}]}, "legal_sha"),
    ],
)  # fmt: skip
def test_a_secret_that_is_shown_and_a_list_of_another_length_or_hash_are_named(
    scenario: dict[str, Any], what: str
) -> None:
    assert run(BLUFF) == run(FIFTY_K | {"steps": [LEAD | {"legal_n": 2}]}) == []
    assert [failure.what for failure in run(scenario)] == [what]


def test_the_hash_of_a_list_tells_what_is_named_not_only_the_verbs() -> None:
    """Where a game does not say how, entries are hashed as JSON."""
    cards = [rank + suit for suit in "shdc" for rank in "A23456789T"]
    lines = "\n".join(f'{{"card":"{card}","type":"trail"}}' for card in ("6s", "7s", "8s", "9s", "Ts"))
    scenario: dict[str, Any] = {
        "game": "cassino",
        "seats": 2,
        "hands": [[], ["6s", "7s", "8s", "9s"]],
        "table": [],
        "stock": ["Ts", *(card for card in cards if card not in ("6s", "7s", "8s", "9s", "Ts"))],
        "steps": [
            {"seat": 1, "action": {"type": "pass"}},
            {
                "seat": 1,
                "action": {"type": "trail", "card": "6s"},
                "legal_n": 5,
                "legal_sha": hashlib.sha256(lines.encode()).hexdigest()[:16],
            },
        ],
    }
    assert run(scenario) == []


def test_files_folders_and_lines_are_read_in_order(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text('{"game": "whist", "seats": 4}', encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"seats": 4}\n\n[\n', encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no scenario", encoding="utf-8")
    sources = [Path(source).name for source, failures in run_paths([tmp_path]) if failures]
    assert sources == ["a.jsonl:1", "a.jsonl:3", "b.json"]
