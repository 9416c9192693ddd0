"""`fairdeal import` and `fairdeal export --format phh` on files."""

import json
import shutil
from pathlib import Path

import pytest
from pokerkit import HandHistory
from typer.testing import CliRunner, Result

from replay.archive import load
from replay.audit import audit
from services.cli.app import app

SAMPLES = Path(__file__).parents[1] / "replay" / "phh"


def run(*arguments: object) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory of its own."""
    monkeypatch.chdir(tmp_path)


def test_a_hand_becomes_a_log_file_that_audits() -> None:
    result = run("import", SAMPLES / "wsop-11-stud.phh")
    assert result.exit_code == 0
    file = Path(result.stdout.strip())
    assert file == Path("imported/wsop-11-stud.fairdeal")
    report = audit(file.read_bytes())
    assert (report.ok, report.deal, report.game) == (True, "given", "seven_card_stud")
    assert [facts["stack"] for facts in report.standing] == [4750000, 9500000, 4175000, 6675000, 4600000]


def test_each_hand_of_a_file_becomes_a_log() -> None:
    assert run("import", SAMPLES / "handhq-excerpt.phhs", "--out", "logs").exit_code == 0
    assert sorted(path.name for path in Path("logs").iterdir()) == [f"handhq-excerpt.{n}.fairdeal" for n in range(1, 5)]


def test_a_folder_is_imported_as_it_is_laid_out_and_what_is_refused_is_named() -> None:
    Path("hands/deep").mkdir(parents=True)
    shutil.copy(SAMPLES / "pluribus-100-0.phh", "hands/deep/one.phh")
    shutil.copy(SAMPLES / "unsupported-draw.phh", "hands/two.phh")
    Path("hands/three.phh").write_text("variant = ", encoding="utf-8")
    result = run("import", "hands", "--json")
    assert result.exit_code == 1
    told = {Path(each["source"]).name: each for each in json.loads(result.stdout)}
    assert told["one.phh"]["file"] == "imported/deep/one.fairdeal"
    assert Path("imported/deep/one.fairdeal").is_file()
    assert (told["two.phh"]["code"], told["three.phh"]["code"]) == ("unsupported_variant", "bad_message")
    plain = run("import", "hands")
    assert "unsupported_variant: variant F2L3D" in plain.stderr
    assert "imported/deep/one.fairdeal" in plain.stdout


def test_two_imports_of_a_hand_hide_their_cards_by_different_salts() -> None:
    for folder in ("a", "b"):
        assert run("import", SAMPLES / "pluribus-100-0.phh", "--out", folder).exit_code == 0
    first, second = (load(Path(folder, "pluribus-100-0.fairdeal")) for folder in "ab")
    assert first.messages[0].commit.match == second.messages[0].commit.match
    assert first.messages[1].public != second.messages[1].public


def test_files_that_would_become_the_same_log_are_not_imported() -> None:
    for folder in ("a", "b"):
        Path(folder).mkdir()
        shutil.copy(SAMPLES / "pluribus-100-0.phh", folder)
    assert run("import", "a/pluribus-100-0.phh", "b/pluribus-100-0.phh").exit_code == 2
    assert not Path("imported").exists()


def test_where_there_is_nothing_to_import_that_is_said() -> None:
    Path("empty").mkdir()
    assert run("import", "empty").exit_code == 2
    assert run("import", "nowhere.phh").exit_code == 1


def test_a_log_is_exported_as_a_hand_that_pokerkit_reads() -> None:
    run("import", SAMPLES / "pluribus-100-0.phh")
    result = run("export", "imported/pluribus-100-0.fairdeal", "--format", "phh", "--viewer", "auditor")
    assert result.exit_code == 0
    history = HandHistory.loads(Path(result.stdout.strip()).read_text(encoding="utf-8"))
    *_, state = history
    assert [*state.stacks] == [10310, 9900, 10000, 9790, 10000, 10000]


def test_several_hands_are_one_phhs_file_and_other_games_are_refused() -> None:
    run("simulate", "texas_holdem", "--seats", "6", "--out", "logs")
    (log,) = Path("logs").iterdir()
    result = run("export", log, "--format", "phh")
    assert result.exit_code == 0
    assert result.stdout.strip().endswith((".rail.phh", ".rail.phhs"))
    run("simulate", "show_hand", "--out", "others")
    (other,) = Path("others").iterdir()
    refused = run("export", other, "--format", "phh")
    assert refused.exit_code == 2
    assert "unsupported_variant" in refused.stderr
