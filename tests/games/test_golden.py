"""Golden logs, found by folder: tests/games/<game>/golden has a match of each preset, and every version audits them."""

from pathlib import Path

import pytest

from replay.archive import SUFFIX, export, read
from replay.audit import audit
from services.games import GAMES
from tests.games.golden import folder

FILES = [path for game in GAMES for path in sorted(folder(game).glob(f"*{SUFFIX}"))]


@pytest.mark.parametrize("game", GAMES)
def test_every_preset_of_every_game_has_a_golden_log(game: str) -> None:
    assert {path.stem for path in FILES if path.parent == folder(game)} >= {*GAMES[game].presets}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_golden_log_is_decided_again_as_it_was(path: Path) -> None:
    report = audit(path.read_bytes())
    assert (report.ok, report.findings, report.undecided, report.ended) == (True, (), "", True)
    assert report.decided == report.commits
    assert (report.game, report.deal) == (path.parts[-3], "protocol")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_golden_log_is_written_again_byte_for_byte(path: Path) -> None:
    assert export(read(path.read_bytes()), "auditor") == path.read_bytes()


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_golden_log_with_another_byte_is_found_out(path: Path) -> None:
    """The audit of golden logs can fail."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    assert not audit(bytes(data)).ok
