"""Commands on files, without a server: scenario, simulate, audit, replay, export, games, and the help of all."""

import json
import os
import shutil
from pathlib import Path

import pytest
import typer.main
from typer.testing import CliRunner, Result

from replay.archive import load, viewer_text
from replay.audit import audit
from schemas.codec import Viewer
from services.cli.app import app
from services.games import GAMES

SCENARIOS = Path(__file__).parents[1] / "games" / "gongzhu" / "scenarios"
COMMANDS = sorted(typer.main.get_group(app).commands)
VIEWERS: tuple[Viewer, ...] = ("auditor", "rail", 0, 3)


def run(*arguments: object) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a simulated match."""
    folder = tmp_path_factory.mktemp("simulated")
    assert run("simulate", "gongzhu", "--seed", "7", "--out", folder).exit_code == 0
    [path] = folder.iterdir()
    return path


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory of its own, and no server."""
    monkeypatch.chdir(tmp_path)
    for key in os.environ:
        if key.startswith("FAIRDEAL_"):
            monkeypatch.delenv(key)
    monkeypatch.setenv("FAIRDEAL_STORE", str(tmp_path / "nothing"))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_shows_an_example(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "Example:" in result.stdout
    assert f"fairdeal {command}" in " ".join(result.stdout.split())


def test_games_are_listed_for_people_and_for_scripts() -> None:
    listed = json.loads(run("games", "--json").stdout)
    assert [game["name"] for game in listed] == list(GAMES)
    assert all(game["seats"] and game["presets"] for game in listed)
    for game in listed:
        assert game["name"] in run("games").stdout


def test_scenarios_of_a_folder_pass_and_are_counted() -> None:
    count = len(list(SCENARIOS.iterdir()))
    result = run("scenario", SCENARIOS)
    assert (result.exit_code, result.stdout) == (0, f"{count} passed, 0 failed\n")
    assert [each["failures"] for each in json.loads(run("scenario", SCENARIOS, "--json").stdout)] == [[]] * count


def test_a_scenario_that_fails_is_named_with_what_came_out_instead() -> None:
    path = next(path for path in sorted(SCENARIOS.iterdir()) if '"totals"' in path.read_text())
    broken = json.loads(path.read_text())
    broken["expect"]["totals"] = [123_456, 0, 0, 0]
    Path("broken.json").write_text(json.dumps(broken))
    result = run("scenario", "broken.json", SCENARIOS)
    assert result.exit_code == 1
    assert "broken" in result.stdout
    assert "123456" in result.stdout
    assert "1 failed" in result.stdout
    first, *others = json.loads(run("scenario", "broken.json", SCENARIOS, "--json").stdout)
    assert first["failures"]
    assert not any(each["failures"] for each in others)


def test_a_folder_without_scenarios_is_no_pass() -> None:
    Path("empty").mkdir()
    assert run("scenario", "empty").exit_code == 1
    assert run("scenario", "not-there").exit_code == 2


def test_the_same_seed_simulates_the_same_bytes_and_another_seed_others() -> None:
    logs: dict[str, list[bytes]] = {}
    for folder, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        result = run("simulate", "gongzhu", "--matches", 2, "--seed", seed, "--out", folder)
        assert (result.exit_code, result.stdout) == (0, "")
        logs[folder] = [path.read_bytes() for path in sorted(Path(folder).iterdir())]
    assert len(set(logs["a"])) == 2
    assert logs["a"] == logs["b"]
    assert not set(logs["a"]) & set(logs["c"])
    assert run("audit", *Path("a").iterdir(), *Path("c").iterdir()).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "chess is no game here"),
        (["gongzhu", "--preset", "nonsense"], "bad_option"),
        (["gongzhu", "--seats", "3"], "bad_option"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_words(arguments: list[str], words: str) -> None:
    result = run("simulate", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def test_the_audit_names_the_commit_of_a_flipped_byte_and_fails(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    Path("flipped").write_bytes(data)
    good, bad = run("audit", file), run("audit", file, "flipped")
    assert (good.exit_code, bad.exit_code) == (0, 1)
    assert good.stdout.splitlines()[-1] == "ok"
    [sound, broken] = json.loads(run("audit", file, "flipped", "--json").stdout)
    assert sound["ok"]
    assert not broken["ok"]
    assert f"commit {broken['findings'][0]['index']}: " in bad.stdout


def test_what_is_no_log_is_said_to_be_none() -> None:
    Path("garbage").write_bytes(b"no log")
    assert run("audit", "garbage").exit_code == 1
    for command in ("replay", "export"):
        result = run(command, "garbage")
        assert result.exit_code == 1
        assert "garbage: " in result.stderr
    for command in ("replay", "export", "audit"):
        assert run(command, "not-there").exit_code == 2


def test_replay_tells_each_commit_up_to_the_one_asked_for(file: Path) -> None:
    lines = run("replay", file).stdout.splitlines()
    assert len(lines) == len(load(file).messages)
    assert run("replay", file, "--to", 20).stdout.splitlines() == lines[:20]
    told = json.loads(run("replay", file, "--to", 20, "--json").stdout)
    assert [each["text"] for each in told] == lines[:20]
    [event] = told[15].pop("events")
    assert told[15] == {"index": 16, "by": "referee", "at": 0, "seat": 1, "auto": False, "text": lines[15]}
    assert event | {"type": "gongzhu.played", "seat": 1, "cards": ["2c"], "next": 2} == event


def test_replay_shows_a_viewer_what_he_could_read_at_the_time(file: Path) -> None:
    """A seat is dealt its own hand in the open and the others sealed; a spectator sees none."""
    dealt = [
        next(line for line in run("replay", file, "--to", 11, *eyes).stdout.splitlines() if "dealt" in line)
        for eyes in ([], ["--seat", 2], ["--rail"])
    ]
    assert [line.count("[") for line in dealt] == [7, 1, 0]
    assert [line.count("13 sealed") for line in dealt] == [0, 3, 4]


def test_eyes_that_a_match_or_a_file_does_not_have_are_refused(file: Path) -> None:
    assert run("export", file, "--viewer", "seat.1", "--out", "one").exit_code == 0
    for arguments, words in (
        (("replay", file, "--seat", 4), "the seats of this match are 0 to 3"),
        (("replay", file, "--seat", 1, "--rail"), "choose one"),
        (("replay", "one", "--seat", 2), "cannot tell what seat.2 may see"),
        (("export", "one", "--viewer", "auditor"), "cannot tell what auditor may see"),
        (("export", file, "--viewer", "nobody"), "no viewer 'nobody'"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2
        assert words in result.stderr
    assert run("replay", "one").exit_code == 0


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_file_of_each_viewer_is_written_and_audited(file: Path, viewer: Viewer) -> None:
    text = viewer_text(viewer)
    result = run("export", file, "--viewer", text)
    match = load(file).messages[0].commit.match
    assert (result.exit_code, result.stdout) == (0, f"{match}.{text}.fairdeal\n")
    written = Path(result.stdout.strip())
    assert load(written).viewer == viewer
    assert audit(written.read_bytes()).ok


def test_a_file_that_cannot_be_written_is_told_of(file: Path) -> None:
    result = run("export", file, "--out", "no/such/folder")
    assert result.exit_code == 1
    assert "no/such/folder" in result.stderr
    assert not Path("no").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "referee", "--match", "M" * 26], "--match, --seat, --bots and --pace are for bots"),
        (["run", "gallery", "--seat", "0"], "gallery serves every match"),
        (["matches", "--live", "--ended"], "choose --live or --ended"),
        (["matches", "--ended", "--live"], "choose --live or --ended"),
    ],
)
def test_options_that_would_not_be_heeded_are_refused(arguments: list[str], words: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_files_of_the_user_are_left_as_they_are(file: Path) -> None:
    shutil.copy(file, "log")
    before = Path("log").read_bytes()
    for command in ("replay", "audit", "export"):
        assert run(command, "log").exit_code == 0
    assert Path("log").read_bytes() == before
