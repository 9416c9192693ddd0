"""`fairdeal demo` as a user runs it: to the verdict, in a terminal, interrupted, and killed."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import tempfile
import termios
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from replay.archive import load
from services.cli.demonstration import temporary_store
from services.games.fold import Fold
from services.games.match import phase
from tests.services.conftest import SECONDS, command_line, descendants, environ, fairdeal

COLUMNS, LINES = 100, 30
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
UP_ONE_LINE = "\x1b[1A"
CARD = r"(?:10|[2-9JQKA])[♠♥♦♣]"


class Demo:
    """A demo that plays: its process, the ends of all its children, and the address of its server."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self.process = process
        self.temporary = folder / "tmp"
        self.errors = folder / "errors"
        [self.store] = self.temporary.iterdir()
        address = urlsplit((self.store / "server" / "url").read_text())
        self.port = int(address.port or 0)
        self.children = [os.pidfd_open(pid) for pid in descendants(process.pid)]

    def kill(self, words: str) -> None:
        """End the child in whose command line these words stand, as kill -9 does."""
        [pid] = [pid for pid in descendants(self.process.pid) if words in command_line(pid)]
        os.kill(pid, signal.SIGKILL)

    def children_ended(self) -> bool:
        """Whether each of the children ends before the deadline."""
        return all(select.select([child], [], [], SECONDS)[0] for child in self.children)

    def port_is_free(self) -> bool:
        """Whether nothing listens at the server's port."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) != 0


@pytest.fixture
def pace() -> float:
    """Slow enough for what a test does in the middle of the match."""
    return 0.05


@pytest.fixture
def playing(tmp_path: Path, pace: float) -> Iterator[Demo]:
    """A demo in the middle of its match."""
    (tmp_path / "tmp").mkdir()
    env = environ() | {"TMPDIR": str(tmp_path / "tmp")}
    command = fairdeal("demo", "--pace", str(pace), "--out", str(tmp_path / "logs"))
    with (
        (tmp_path / "errors").open("w") as errors,
        subprocess.Popen(command, env=env, cwd=tmp_path, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        assert process.stdout is not None
        assert any("played" in line for line in process.stdout)
        demo = Demo(process, tmp_path)
        yield demo
        process.kill()
    for child in demo.children:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(child, signal.SIGKILL)
        os.close(child)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command where there is no terminal."""
    return subprocess.run(command, env=environ(), cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def run_in_terminal(command: list[str], folder: Path) -> tuple[int, str]:
    """Run a command in a terminal of 100×30; its exit code, and all that it wrote."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    env = {key: value for key, value in environ().items() if key not in ("COLUMNS", "LINES")} | {"TERM": "xterm"}
    process = subprocess.Popen(command, env=env, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    written = b""
    with contextlib.suppress(OSError):  # what a terminal says once nobody holds its other end
        while select.select([ours], [], [], SECONDS)[0] and (part := os.read(ours, 1 << 16)):
            written += part
    os.close(ours)
    return process.wait(SECONDS), written.decode()


def pictures(written: str) -> list[str]:
    """The pictures of the table, as they followed each other."""
    return re.findall(r"╭─+ gongzhu .*?╰.*?╯", CONTROL.sub("", written), flags=re.DOTALL)


def test_demo_plays_and_audits_a_match_and_writes_its_files(tmp_path: Path) -> None:
    """Where there is no terminal it writes plain lines: one for each commit, then the verdict and the next commands."""
    command = fairdeal("demo", "--pace", "0", "--out", "logs")
    ended = run(command, tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    lines = ended.stdout.splitlines()
    assert not CONTROL.search(ended.stdout)
    commits = [int(line.split()[0]) for line in lines if re.match(r" *\d+  (dealer|referee|scorer|seat)", line)]
    assert commits == list(range(1, len(commits) + 1))
    assert "ok" in lines
    assert f"{len(commits)} commits, {len(commits)} decided again" in lines
    files = sorted(path.name.partition(".")[2] for path in (tmp_path / "logs").iterdir())
    assert files == ["auditor.fairdeal", "public.fairdeal"]
    told = [line.split()[1:] for line in lines if line.startswith("  fairdeal ")]
    assert [arguments[0] for arguments in told] == ["replay", "replay", "audit", "export"]
    for arguments in told:
        assert run(fairdeal(*arguments), tmp_path).returncode == 0


def commits_in_play(file: Path) -> int:
    """How many commits of a match leave it in play."""
    archive = load(file)
    fold, count = Fold(archive.messages[0].commit.match), 0
    for message in archive.messages:
        after = fold.check(message.commit)
        fold.advance(message, after)
        count += phase(after) == "play"
    return count


def test_demo_draws_the_table_in_a_terminal(tmp_path: Path) -> None:
    """One picture of each commit in place of the other, none wider than the terminal: hand, trick, exposed and taken
    cards, totals.
    """
    code, written = run_in_terminal(fairdeal("demo", "--pace", "0", "--out", "logs"), tmp_path)
    assert code == 0
    drawn = pictures(written)
    played = [picture for picture in drawn if "gongzhu · play" in picture]
    [file] = (tmp_path / "logs").glob("*.auditor.fairdeal")
    assert len(played) == commits_in_play(file)
    assert {len(line) for picture in drawn for line in picture.splitlines()} == {COLUMNS}
    assert max(len(picture.splitlines()) for picture in drawn) < LINES
    assert written.count(UP_ONE_LINE) > len(played)
    for picture in played:
        assert re.search(r"total +raw total .*hand +trick +exposed +taken", picture)
    assert any(re.search(rf"hand of seat 0  {CARD}(?: {CARD}){{12}} ", picture) for picture in played)
    assert any(re.search(r"▶ seat \d .* \d+ cards", picture) for picture in played)
    assert re.search(r"^ok\r?$", CONTROL.sub("", written), flags=re.MULTILINE)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_demo_that_is_stopped_leaves_nothing_behind(playing: Demo, number: signal.Signals) -> None:
    playing.process.send_signal(number)
    playing.process.communicate(timeout=SECONDS)
    assert playing.process.returncode == 130
    assert len(playing.children) == 10
    assert playing.children_ended()
    assert list(playing.temporary.iterdir()) == []
    assert playing.port_is_free()


def test_demo_that_is_killed_leaves_no_process_port_or_lock(playing: Demo) -> None:
    playing.process.kill()
    playing.process.communicate(timeout=SECONDS)
    assert len(playing.children) == 10
    assert playing.children_ended()
    assert playing.port_is_free()
    with (playing.store / "LOCK").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_demo_takes_away_what_one_that_was_killed_has_left_and_no_more(
    playing: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given folders of a demo that was killed, of one that plays, and of one that is about to."""
    monkeypatch.setattr(tempfile, "tempdir", str(playing.temporary))
    about_to = playing.temporary / "fairdeal-demo-about-to"
    about_to.mkdir()
    (about_to / "LOCK").touch()
    with temporary_store() as own:
        assert {*playing.temporary.iterdir()} == {playing.store, about_to, own}
    playing.process.kill()
    assert playing.children_ended()
    with temporary_store() as own:
        assert {*playing.temporary.iterdir()} == {about_to, own}


def test_a_demo_leaves_alone_what_it_may_not_look_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder that another user's demo has left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    others = tmp_path / "fairdeal-demo-others"
    others.mkdir()
    stat = Path.stat

    def refuse(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if others in path.parents:
            raise PermissionError(path)
        return stat(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", refuse)
    with temporary_store() as own:
        assert {*tmp_path.iterdir()} == {others, own}


@pytest.mark.parametrize("pace", [0.01])
def test_a_match_goes_on_when_each_service_is_killed_in_turn(playing: Demo) -> None:
    for service in ("referee", "gallery", "dealer", "scorer"):
        playing.kill(f"run {service}")
    output, _ = playing.process.communicate(timeout=60)
    assert playing.process.returncode == 0
    assert "ok" in output.splitlines()


def test_demo_whose_bot_is_killed_says_so_and_ends(playing: Demo) -> None:
    playing.kill("--seat 2")
    playing.process.communicate(timeout=SECONDS)
    assert playing.process.returncode == 1
    assert "bot-2 ended with exit code -9" in playing.errors.read_text()
    assert playing.children_ended()
