"""A supervisor of named child processes, for `fairdeal up` and `fairdeal demo`."""

import asyncio
import contextlib
import signal
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar

import structlog

from services.runtime.child import end, spawn

T = TypeVar("T")

log = structlog.stdlib.get_logger()


@dataclass(frozen=True, kw_only=True)
class Child:
    """What to run: a name, a command line, its whole environment, the file for its output (None: that of the parent).

    With `restart`, it is started again whenever it ends.
    """

    name: str
    command: Sequence[str]
    env: Mapping[str, str] = field(repr=False)
    log: Path | None = None
    restart: bool = False


class ChildFailed(Exception):
    """A child ended, or took too long, before it was ready, or ended by an error; with the last words of its log."""

    def __init__(self, child: Child, reason: str) -> None:
        words = "" if child.log is None else f"; see {child.log}: {_last_line(child.log)}"
        super().__init__(f"{child.name} {reason}{words}")
        self.child = child


class Processes:
    """Children that all end with this block: `async with Processes() as processes: await processes.start(Child(…))`.

    `grace` is how many seconds a child has to end after SIGTERM. A child that is to be restarted is so after
    `first_delay` seconds, then after twice as long each time up to `longest_delay`; once it has lived for
    `longest_delay` it begins anew.
    """

    def __init__(self, *, grace: float = 5.0, first_delay: float = 0.1, longest_delay: float = 5.0) -> None:
        self._grace = grace
        self._first_delay = first_delay
        self._longest_delay = longest_delay
        self._children: dict[str, Child] = {}
        self._running: dict[str, Process] = {}
        self._keepers: dict[str, asyncio.Task[int]] = {}
        self._stopping = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(
        self, child: Child, *, ready: Callable[[], Awaitable[object]] | None = None, seconds: float = 30.0
    ) -> None:
        """Start a child and wait until what `ready` gives is done, for at most `seconds`.

        Raises ChildFailed when the child ends for good or the time is up before that, and ValueError for a name in use.
        """
        if child.name in self._running:
            raise ValueError(f"there is a child named {child.name} already")
        process = await self._spawn(child)
        self._children[child.name] = child
        keeper = asyncio.create_task(self._keep(child, process))
        self._keepers[child.name] = keeper
        if ready is None:
            return
        waiting = asyncio.ensure_future(ready())
        try:
            await asyncio.wait({waiting, keeper}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                await waiting
            elif keeper.done():
                raise ChildFailed(child, f"ended with exit code {keeper.result()} before it was ready")
            else:
                raise ChildFailed(child, f"was not ready within {seconds:g} s")
        finally:
            waiting.cancel()

    async def watch_over(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work, but no longer than until a child has ended for good by an error. Raises ChildFailed."""
        working = asyncio.create_task(work)
        pending: set[asyncio.Task[Any]] = {working, *self._keepers.values()}
        try:
            while working in pending:
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for name, keeper in self._keepers.items():
                    if keeper in done and keeper.result() != 0:
                        raise ChildFailed(self._children[name], f"ended with exit code {keeper.result()}")
            return await working
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

    def pid(self, name: str) -> int:
        """The process id that the child has now. Raises KeyError for an unknown name."""
        return self._running[name].pid

    async def wait(self, name: str) -> int:
        """Wait until the child ends for good; its exit code. Raises KeyError for an unknown name."""
        return await asyncio.shield(self._keepers[name])

    async def stop(self) -> None:
        """End all children, none of which is started again: SIGTERM to each, and after the grace SIGKILL."""
        self._stopping.set()
        await asyncio.gather(*(end(process, grace=self._grace) for process in self._running.values()))
        await asyncio.gather(*self._keepers.values())

    async def _spawn(self, child: Child) -> Process:
        process = await spawn(child.command, env=child.env, log=child.log)
        self._running[child.name] = process
        return process

    async def _keep(self, child: Child, process: Process) -> int:
        """Restart the child as often as it ends, if it is to be restarted; its last exit code."""
        clock = asyncio.get_running_loop().time
        delay = self._first_delay
        while True:
            born = clock()
            code = await process.wait()
            if not child.restart or self._stopping.is_set():
                return code
            if clock() - born >= self._longest_delay:
                delay = self._first_delay
            log.warning("child ended, is started again", child=child.name, code=code, delay=delay)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(delay):
                    await self._stopping.wait()
            if self._stopping.is_set():
                return code
            process = await self._spawn(child)
            # `stop` does not see a child that was just being started.
            if self._stopping.is_set():
                await end(process, grace=self._grace)
            delay = min(2 * delay, self._longest_delay)


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return lines[-1] if lines else "it said nothing"


async def interrupted() -> signal.Signals:
    """Wait for Ctrl-C (SIGINT) or SIGTERM instead of ending by it; the signal that came."""
    loop = asyncio.get_running_loop()
    came: asyncio.Future[signal.Signals] = loop.create_future()

    def take(number: signal.Signals) -> None:
        if not came.done():
            came.set_result(number)

    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, take, number)
    try:
        return await came
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
