"""The page "Add an eleventh game": its files, added to a copy of the packages, are a game that can be played."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "services" / "games" / "README.md").read_text(encoding="utf-8")
FILES = re.findall(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
EDITS = re.findall(r"^<!-- edit: (\S+) -->\n```diff\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
CHANGE = re.compile(r"((?:^-.*\n)+)((?:^\+.*\n)+)", re.MULTILINE)
SECONDS = 60


def unmarked(lines: str) -> str:
    """Lines of a diff without the sign before each."""
    return re.sub(r"^[-+]", "", lines, flags=re.MULTILINE)


def apply(file: Path, diff: str) -> None:
    """Change the file as the diff shows; each place that it names must be there exactly once."""
    text = file.read_text(encoding="utf-8")
    for old, new in CHANGE.findall(diff):
        assert text.count(unmarked(old)) == 1, old
        text = text.replace(unmarked(old), unmarked(new))
    file.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages with the game of the page, added as the page says."""
    folder = tmp_path_factory.mktemp("eleven")
    for package in ("schemas", "services", "replay"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in FILES:
        file = folder / name
        assert not file.exists(), name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for name, diff in EDITS:
        apply(folder / name, diff)
    return folder


def run(folder: Path, *arguments: str) -> str:
    """What the command line prints in the copy, where it must succeed."""
    done = subprocess.run(
        (sys.executable, "-m", "services.cli", *arguments),
        cwd=folder,
        env={"PYTHONPATH": str(folder), "PATH": "", "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_game_is_found_by_its_folder(copy: Path) -> None:
    assert re.search(r"^ *high_card +High card ", run(copy, "games"), re.MULTILINE)


def test_its_rules_and_options_are_printed(copy: Path) -> None:
    """As those of every game: rules under headings, and what each option means."""
    facts = json.loads(run(copy, "games", "high_card", "--json"))
    assert re.search(r"^## ", facts["rules_text"], re.MULTILINE)
    assert [option["meaning"] for option in facts["options"]] == ["the match ends after so many."]
    assert "wins a point" in " ".join(run(copy, "games", "high_card").split())


def test_its_scenario_passes(copy: Path) -> None:
    run(copy, "scenario", "tests/games/high_card/scenarios")


def test_its_scenario_can_fail(copy: Path, tmp_path: Path) -> None:
    """With another king in the place of an ace, the points that are expected do not come out."""
    (scenario,) = (copy / "tests/games/high_card/scenarios").iterdir()
    changed = tmp_path / "changed.json"
    changed.write_text(scenario.read_text(encoding="utf-8").replace('"Ah"', '"Kh"'), encoding="utf-8")
    with pytest.raises(AssertionError, match="winners"):
        run(copy, "scenario", str(changed))


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_match_of_it_is_played_and_audited(copy: Path, tmp_path: Path, seats: int) -> None:
    run(copy, "simulate", "high_card", "--seats", str(seats), "--out", str(tmp_path))
    (log,) = tmp_path.iterdir()
    assert "ok" in run(copy, "audit", str(log))


def test_the_game_is_of_the_copy_alone() -> None:
    """No part of the packages knows the page's game, so that the tests above play what the page adds."""
    assert not (ROOT / "services" / "games" / "high_card").exists()
    assert not (ROOT / "schemas" / "high_card.py").exists()
