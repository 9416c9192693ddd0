"""Pieces of work that are each a task of its own, and are kept until they are done."""

import asyncio
from collections.abc import Coroutine
from typing import Any


class Tasks:
    """The tasks that were started here and are not done yet; asyncio itself would forget them."""

    def __init__(self) -> None:
        self._open: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Have a piece of work done beside all others."""
        task = asyncio.create_task(work)
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def fewer_than(self, count: int) -> None:
        """Wait until fewer than so many are open."""
        while len(self._open) >= count:
            await asyncio.wait(self._open, return_when=asyncio.FIRST_COMPLETED)

    async def settle(self) -> None:
        """Wait until all are done, those too that are started meanwhile."""
        await self.fewer_than(1)
