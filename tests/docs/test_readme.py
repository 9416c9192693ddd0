"""The README is true: what it shows is run and compared, and what it lists is what there is.

Of its blocks the ones marked `console` are run, a folder for each part of the file. A line of them that begins with
`$` is a command; the lines below it are all that it prints, where `...` stands for whatever was cut: any text within a
line, any lines where it stands alone. A match id stands for the one that came in its place. A command ends with exit
code 0, unless `echo $?` behind it shows another; one whose output ends with `^C` runs beside those that follow, and
Ctrl-C then ends it.
"""

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import typer
from rich.console import Console

from replay.archive import load
from replay.fold import fold
from schemas.codec import Covered, from_service
from schemas.views import Table
from services.cli.app import app
from services.cli.rulebook import numbers
from services.games import GAMES
from services.games.view import table
from services.runtime.settings import CONFIG, PREFIX, Settings
from services.screen import table_panel

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PARTS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL))
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # an app of several commands is a group

MATCH_ID = re.compile(r"\b[A-Z2-7]{26}\b")
GROUP = "id_"
SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command of the README and what it prints."""

    line: str
    output: list[str] = field(default_factory=list[str])


def blocks(text: str, kind: str) -> list[str]:
    """The contents of the blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[Command]:
    """The commands of the console blocks."""
    found: list[Command] = []
    for line in "".join(blocks(text, "console")).splitlines():
        if line.startswith("$ "):
            found.append(Command(line=line[2:]))
        else:
            found[-1].output.append(line)
    return found


def pattern(lines: list[str], ids: dict[str, str]) -> str:
    """What the output must match, a group for each new match id; `ids` are those met so far, by those of the README."""
    named: set[str] = set()

    def theirs(ours: re.Match[str]) -> str:
        name = GROUP + ours[0]
        if ours[0] in ids:
            return ids[ours[0]]
        if name in named:
            return f"(?P={name})"
        named.add(name)
        return f"(?P<{name}>{MATCH_ID.pattern})"

    texts = ("(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*?") + "\n" for line in lines)
    return "".join(MATCH_ID.sub(theirs, text) for text in texts)


class Shell:
    """Runs commands in a folder, with `fairdeal` on the path and nothing of the caller's settings."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "work"
        self._folder.mkdir()
        (self._folder / "tests").symlink_to(ROOT / "tests")
        program = folder / "bin" / "fairdeal"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m services.cli "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
        own = {"HOME": str(folder), "PATH": path, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
        self._environ = {k: v for k, v in os.environ.items() if not k.startswith((PREFIX, "XDG_", "COLUMNS"))} | own
        self._ids: dict[str, str] = {}
        self._beside: list[tuple[Command, subprocess.Popen[str]]] = []
        self._code = 0

    def run(self, command: Command, *, fails: bool) -> None:
        """Run a command and compare; `fails` says that its exit code is shown by the next."""
        if command.output[-1:] == ["^C"]:
            self._start(command)
            return
        line = command.line
        for ours, theirs in self._ids.items():
            line = line.replace(ours, theirs)
        with self._popen(f"(exit {self._code}); {line}") as process:
            said, _ = process.communicate(timeout=SECONDS)
        self._code = process.returncode
        self._compare(command.output, said)
        assert fails or self._code == 0, said

    def end(self) -> None:
        """Press Ctrl-C on what runs beside."""
        for command, process in self._beside:
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=SECONDS)
            assert (command.line, process.returncode, rest) == (command.line, 0, "")
        self._beside = []

    def kill(self) -> None:
        """Let nothing run on, whatever happened."""
        for _, process in self._beside:
            process.kill()
            process.communicate()

    def _start(self, command: Command) -> None:
        process = self._popen(f"exec {command.line}")
        self._beside.append((command, process))
        shown = command.output[:-1]
        assert process.stdout is not None
        self._compare(shown, "".join(process.stdout.readline() for _ in shown))

    def _popen(self, line: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["/bin/sh", "-c", line],
            cwd=self._folder,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _compare(self, shown: list[str], said: str) -> None:
        said = "".join(line.rstrip() + "\n" for line in said.splitlines())
        match = re.fullmatch(pattern(shown, self._ids), said)
        assert match is not None, "\n".join(("the README shows", *shown, "and it is", said))
        self._ids |= {name.removeprefix(GROUP): found for name, found in match.groupdict().items()}


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """A shell in an empty folder."""
    shell = Shell(tmp_path)
    yield shell
    shell.kill()


@pytest.mark.parametrize("part", [name for name, text in PARTS.items() if blocks(text, "console")])
def test_what_the_readme_shows_comes_out(part: str, shell: Shell) -> None:
    steps = commands(PARTS[part])
    following = [step.line for step in steps[1:]] + [""]
    for step, after in zip(steps, following, strict=True):
        shell.run(step, fails=after == "echo $?")
    shell.end()


@pytest.mark.parametrize(
    ("shown", "said", "matches"),
    [
        (["one", "..."], "one\n", True),
        (["one", "...", "four"], "one\ntwo\nthree\nfour\n", True),
        (["one ... three"], "one two three\n", True),
        (["one ... three"], "one\ntwo three\n", False),
        (["one", "three"], "one\ntwo\nthree\n", False),
        ([f"{'A' * 26} {'A' * 26}"], f"{'B' * 26} {'B' * 26}\n", True),
        ([f"{'A' * 26} {'A' * 26}"], f"{'B' * 26} {'C' * 26}\n", False),
        (["F" * 26], "G" * 26 + "\n", True),
        (["F" * 26], "H" * 26 + "\n", False),
    ],
)
def test_what_is_shown_is_compared(shown: list[str], said: str, matches: bool) -> None:  # noqa: FBT001 - a table's column
    """The comparison can fail: only what is cut, and ids, may differ, and an id only from other places' ids."""
    assert bool(re.fullmatch(pattern(shown, {"F" * 26: "G" * 26}), said)) == matches


def test_the_table_shown_is_what_a_seat_sees(shell: Shell, tmp_path: Path) -> None:
    """The picture is drawn of the match that the part around it simulates."""
    found = re.search(r"<!-- table: commit (\d+), seat (\d+) -->\n```text\n(.*?)```", README, re.DOTALL)
    assert found is not None
    simulate = next(step for step in commands(README) if step.line.startswith("fairdeal simulate"))
    shell.run(simulate, fails=False)
    (path,) = tmp_path.rglob("*.fairdeal")
    match = fold(load(path).messages, to=int(found[1]))
    assert match is not None
    seat = int(found[2])
    terminal = Console(file=io.StringIO(), width=100)
    terminal.print(table_panel(from_service(Covered(table(match)).opened_to(seat), Table), watched=seat))
    assert isinstance(terminal.file, io.StringIO)
    assert terminal.file.getvalue() == found[3]


def rows(part: str) -> list[list[str]]:
    """The cells of the tables of a part, but for the headings."""
    lines = [line for line in PARTS[part].splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_every_command_is_in_the_table_and_no_other() -> None:
    listed = [match[1] for cells in rows("Commands") if (match := re.match(r"`fairdeal (\w+)", cells[0]))]
    assert listed == list(COMMANDS)


def test_every_flag_that_is_shown_is_one_of_its_command() -> None:
    uses = re.findall(r"fairdeal ([a-z]+)((?:[^`\n#]|\\`)*)", README)
    wrong = [
        (name, flag)
        for name, rest in uses
        for flag in re.findall(r"(?<!\S)\[?(--?[a-z][a-z-]*)", rest)
        if flag
        not in {
            option for parameter in COMMANDS[name].params for option in (*parameter.opts, *parameter.secondary_opts)
        }
        | {"--help"}
    ]
    assert wrong == []
    assert len(uses) > len(COMMANDS)


def test_every_setting_is_in_the_table_with_its_default() -> None:
    shown = {cells[0].strip("`"): cells[2] for cells in rows("Run it") if cells[0].startswith(f"`{PREFIX}")}
    assert set(shown) == {PREFIX + name.upper() for name in Settings.model_fields} | {CONFIG}
    defaults = {name: each.get_default() for name, each in Settings.model_fields.items() if not each.default_factory}
    plain = {PREFIX + name.upper(): f"`{value}`" for name, value in defaults.items() if value is not None}
    assert {name: shown[name] for name in plain} == plain


def test_the_table_of_games_has_each_with_both_names_its_seats_and_its_rules() -> None:
    listed = [cells for cells in rows("Games") if len(cells) == 5]
    games = sorted(GAMES.values(), key=lambda game: [cells[0] for cells in listed].index(f"`{game.name}`"))
    assert listed == [
        [f"`{game.name}`", *game.title, numbers(game), f"[RULES.md](services/games/{game.name}/RULES.md)"]
        for game in games
    ]


def test_the_module_map_has_every_package_and_nothing_that_is_not_there() -> None:
    paths = [path for cells in rows("Module map") for path in re.findall(r"`([^`]+)`", cells[0])]
    assert [path for path in paths if not (ROOT / path).exists()] == []
    assert [path for path in paths if path.endswith("/") != (ROOT / path).is_dir()] == []
    packages = {
        f"{init.parent.relative_to(ROOT).as_posix()}/"
        for package in ("schemas", "services", "replay")
        for init in (ROOT / package).rglob("__init__.py")
    }
    assert packages - set(paths) == set()


def anchors(text: str) -> set[str]:
    """The names by which its headings are linked."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {"#" + re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_every_link_leads_to_something() -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", README)
    here = [link for link in links if link.startswith("#")]
    assert set(here) - anchors(README) == set()
    assert [link for link in links if link not in here and not (ROOT / link).exists()] == []
    assert "LICENSE" in links


def test_decisions_are_numbered_and_dated_and_short() -> None:
    texts = re.findall(r"^\*\*.*?(?=^\*\*|\Z)", PARTS["Decisions"], re.MULTILINE | re.DOTALL)
    form = re.compile(r"\*\*(\d+)\. .+\*\* \(2\d{3}-\d\d-\d\d\)\. Context: .+ Decision: .+ Consequences: .+", re.DOTALL)
    numbers = [int(match[1]) for text in texts if (match := form.match(" ".join(text.split())))]
    assert numbers == list(range(1, len(texts) + 1))
    assert [text for text in texts if len(text.strip().splitlines()) > 10] == []
