"""The supervisor, tried with real processes."""

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

import services
from services.runtime.child import tethered, turn_over
from services.runtime.processes import Child, ChildFailed, Processes, interrupted

pytestmark = pytest.mark.asyncio

SECONDS = 20
ENV = {**os.environ, "PYTHONPATH": str(Path(services.__file__).parents[1])}
WAIT = "print('up', flush=True); import signal; signal.pause()"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {WAIT}; signal.pause()"
TALKER = """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
print("first" * 300, flush=True)
signal.sigwait([signal.SIGUSR1])
print("last", flush=True)
"""
PARENT = """
import asyncio, json, os, sys
from services.runtime.processes import Child, Processes

async def main():
    async with Processes() as processes:
        for name, restart in (("a", False), ("b", True)):
            command = [sys.executable, "-c", "import signal; signal.pause()"]
            await processes.start(Child(name=name, command=command, env=dict(os.environ), restart=restart))
        print(json.dumps([processes.pid("a"), processes.pid("b")]), flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


def python(code: str, *, log: Path, name: str = "child", restart: bool = False) -> Child:
    """A child that runs the code."""
    return Child(name=name, command=[sys.executable, "-c", code], env=ENV, log=log, restart=restart)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds, at most until the deadline."""
    async with asyncio.timeout(SECONDS):
        while not condition():
            await asyncio.sleep(0.005)


async def says(log: Path, text: str) -> None:
    """Wait until the text stands in the log."""
    await until(lambda: log.exists() and text in log.read_text())


def ended(pidfd: int) -> bool:
    """Whether the process ends before the deadline."""
    return bool(select.select([pidfd], [], [], SECONDS)[0])


async def test_child_gets_its_environment_and_writes_to_its_log(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "child.log"
    child = Child(name="child", command=["/bin/sh", "-c", "echo $WORD; echo oops >&2"], env={"WORD": "hello"}, log=log)
    async with Processes() as processes:
        await processes.start(child)
        assert await processes.wait("child") == 0
    assert log.read_text() == "hello\noops\n"


async def test_child_is_as_nice_as_it_was_started_and_lets_others_work() -> None:
    code = "import os; print(os.sched_getscheduler(0), os.nice(0))"
    command = ["nice", "-n", "3", *tethered([sys.executable, "-c", code], signal=signal.SIGKILL)]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    said, _ = await process.communicate()
    assert said.decode() == f"{os.SCHED_BATCH} {os.nice(0) + 3}\n"


async def test_a_log_that_has_become_large_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a child that goes on writing; then what it says later stands at the beginning, and what it said beside."""
    monkeypatch.setattr("services.runtime.child.LOG_BYTES", 1000)
    log = tmp_path / "a.log"
    async with Processes() as processes:
        await processes.start(python(TALKER, log=log))
        await says(log, "first")
        turn_over(log)
        os.kill(processes.pid("child"), signal.SIGUSR1)
        await processes.wait("child")
    assert (log.read_text(), log.with_name("a.log.1").read_text()) == ("last\n", "first" * 300 + "\n")
    turn_over(log)
    assert log.read_text() == "last\n"


async def test_start_returns_when_the_child_is_ready(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    async with Processes() as processes:
        await processes.start(python(WAIT, log=log), ready=lambda: says(log, "up"))
        assert log.read_text() == "up\n"


async def test_child_that_ends_before_it_is_ready_is_named_with_its_code_and_log(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    async with Processes() as processes:
        with pytest.raises(ChildFailed, match=rf"child ended with exit code 3 before it was ready; see {log}"):
            await processes.start(python("raise SystemExit(3)", log=log), ready=lambda: says(log, "up"))


async def test_child_that_is_not_ready_in_time_is_named_and_ended(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    async with Processes() as processes:
        with pytest.raises(ChildFailed, match=r"was not ready within 0\.01 s"):
            await processes.start(python(WAIT, log=log), ready=asyncio.Event().wait, seconds=0.01)
        pidfd = os.pidfd_open(processes.pid("child"))
    assert ended(pidfd)
    os.close(pidfd)


async def test_command_that_is_not_there_fails_by_its_name(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    child = Child(name="child", command=["/nowhere/program"], env=ENV, log=log)
    async with Processes() as processes:
        await processes.start(child)
        assert await processes.wait("child") == 1
    assert "/nowhere/program: No such file" in log.read_text()


async def test_two_children_cannot_have_one_name(tmp_path: Path) -> None:
    child = python(WAIT, log=tmp_path / "child.log")
    async with Processes() as processes:
        await processes.start(child)
        with pytest.raises(ValueError, match="child"):
            await processes.start(child)


async def test_stop_ends_children_that_ignore_sigterm(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    async with Processes(grace=0.05) as processes:
        await processes.start(python(STUBBORN, log=log), ready=lambda: says(log, "up"))
    assert await processes.wait("child") == -signal.SIGKILL


async def test_child_is_restarted_each_time_it_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    async with Processes(first_delay=0.01) as processes:
        await processes.start(python(WAIT, log=log, restart=True), ready=lambda: says(log, "up\n"))
        for lives in (2, 3):
            os.kill(processes.pid("child"), signal.SIGKILL)
            await says(log, "up\n" * lives)
    assert await processes.wait("child") == -signal.SIGTERM


async def test_stop_does_not_wait_for_the_delay_of_a_restart(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    async with asyncio.timeout(SECONDS):
        with capture_logs() as lines:
            async with Processes(first_delay=3600) as processes:
                child = python("pass", log=log, restart=True)
                await processes.start(child, ready=lambda: until(lambda: bool(lines)))
        assert await processes.wait("child") == 0


async def test_delay_of_restarts_grows(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    clock = "import time; print(time.monotonic(), flush=True)"
    async with Processes(first_delay=0.2, longest_delay=100) as processes:
        await processes.start(python(clock, log=log, restart=True))
        await until(lambda: log.exists() and log.read_text().count("\n") >= 4)
    first, second, third, fourth = (float(line) for line in log.read_text().split()[:4])
    assert second - first >= 0.2
    assert third - second >= 0.4
    assert fourth - third >= 0.8


async def test_no_child_is_left_when_the_block_is_cancelled(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    pidfds: list[int] = []

    async def run() -> None:
        async with Processes() as processes:
            await processes.start(python(WAIT, log=log))
            pidfds.append(os.pidfd_open(processes.pid("child")))
            await asyncio.Event().wait()

    task = asyncio.create_task(run())
    await until(lambda: bool(pidfds))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended(pidfds[0])
    os.close(pidfds[0])


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
async def test_no_child_is_left_whatever_ends_the_parent(number: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENV
    )
    assert parent.stdout is not None
    pidfds = [os.pidfd_open(pid) for pid in json.loads(parent.stdout.readline())]
    parent.send_signal(number)
    parent.communicate(timeout=SECONDS)
    for pidfd in pidfds:
        assert ended(pidfd)
        os.close(pidfd)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_interrupted_waits_for_the_signal(number: signal.Signals) -> None:
    waiting = asyncio.create_task(interrupted())
    await asyncio.sleep(0)  # the task begins
    os.kill(os.getpid(), number)
    assert await asyncio.wait_for(waiting, SECONDS) == number


async def test_environment_of_a_child_is_not_in_its_repr() -> None:
    assert "hidden" not in repr(Child(name="child", command=["x"], env={"FAIRDEAL_SECRET": "hidden"}))
