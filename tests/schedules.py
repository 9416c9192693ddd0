"""Chosen schedules: an event loop without a clock, on which a dice says which of all waiting operations goes on.

Whatever a real log and real networks may put between two steps of a worker can then come about, and comes about again
for the same seed. Time passes only where nothing else can happen, or where the dice says so.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from services.games.shuffle import Stream
from services.runtime.log import Conflict, Entry, MemoryLog, Unavailable, Uncertain

Start = Callable[[Coroutine[Any, Any, Any]], object]


class Killed(Exception):
    """The process that called was killed in the middle of it."""


class _Selector(selectors.SelectSelector):
    """Asked for I/O, of which there is none, when nothing is ready to run."""

    def __init__(self, idle: Callable[[float | None], None]) -> None:
        super().__init__()
        self._idle = idle

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout > 0:
            self._idle(timeout)
        return []


class ChosenLoop(asyncio.SelectorEventLoop):
    """An event loop whose next step, where several are possible, is chosen by a dice."""

    def __init__(self, dice: Stream) -> None:
        self._dice = dice
        self._now = 0.0
        self._waiting: list[asyncio.Future[None]] = []
        super().__init__(_Selector(self._go_on))

    def time(self) -> float:
        """Seconds that have passed, as far as anybody here can tell."""
        return self._now

    async def turn(self) -> None:
        """Wait until it is this caller's turn."""
        future: asyncio.Future[None] = self.create_future()
        self._waiting.append(future)
        await future

    def _go_on(self, timeout: float | None) -> None:
        if timeout is not None and (not self._waiting or self._dice.below(4) == 0):
            self._now += timeout
        elif self._waiting:
            self._waiting.pop(self._dice.below(len(self._waiting))).set_result(None)
        else:
            raise RuntimeError("everybody waits for somebody else")


class ChosenLog(MemoryLog):
    """A log whose every operation waits for its turn, before it is done and before its answer comes back.

    Args:
        loop: gives the turns.
        dice: says which operations fail, and how.
        stored: is told of every message that was stored.
        start: runs what goes on beside the caller.
        faults: how many of 32 operations fail.
    """

    def __init__(
        self, loop: ChosenLoop, dice: Stream, *, stored: Callable[[Entry], None], start: Start, faults: int
    ) -> None:
        super().__init__()
        self._loop = loop
        self._dice = dice
        self._stored = stored
        self._start = start
        self._faults = faults

    async def read(self, match: str, after: int = 0) -> list[Entry]:
        """See EventLog."""
        await self._loop.turn()
        if self._fails():
            raise (Unavailable, Killed)[self._dice.below(2)](match)
        entries = await super().read(match, after)
        await self._loop.turn()
        return entries

    async def append(self, subject: str, data: bytes, *, expected: int) -> int:
        """See EventLog."""
        await self._loop.turn()
        if not self._fails():
            sequence = await self._store(subject, data, expected)
            await self._loop.turn()
            return sequence
        match self._dice.below(6):
            case 0:
                raise Uncertain(subject)
            case 1:
                await self._store(subject, data, expected)
                raise Uncertain(subject)
            case 2:
                self._start(self._store_late(subject, data, expected))
                raise Uncertain(subject)
            case 3:
                raise Conflict(f"{subject}: a rival is in flight")
            case 4:
                raise Killed
            case _:
                await self._store(subject, data, expected)
                raise Killed

    def _fails(self) -> bool:
        return self._dice.below(32) < self._faults

    async def _store(self, subject: str, data: bytes, expected: int) -> int:
        sequence = await super().append(subject, data, expected=expected)
        self._stored(Entry(sequence, subject, data))
        return sequence

    async def _store_late(self, subject: str, data: bytes, expected: int) -> None:
        """As of a message that is still on its way when its sender gives up waiting for the acknowledgement."""
        await self._loop.turn()
        with suppress(Conflict):
            await self._store(subject, data, expected)
