"""A match as viewers ask for it: how it stands, and the frames of any of its commits, made again from the log."""

import asyncio

from services.gallery.frames import Shown, Viewer
from services.games.match import Match
from services.runtime.log import EventLog

EVERY = 64
"""Every so many commits a mark is kept, from which the log is followed again."""

PAGE_FRAMES = 100
PAGE_BYTES = 256 * 1024
"""About how much one answer to a sync carries at most."""


class History:
    """Follows a match in a log as far as it is asked for.

    What is missed is followed again from the last mark before it. So a request costs about what it brings, and what
    is kept of a match is small.
    """

    def __init__(self, match: str, log: EventLog) -> None:
        self._match = match
        self._log = log
        self._shown = Shown(match)
        self._marks = [self._shown.mark()]

    @property
    def state(self) -> Match | None:
        """The match as it is; None before its first commit."""
        return self._shown.fold.state

    async def go_on(self) -> None:
        """Follow the log to its end. Raises NeedsNewer and Unavailable."""
        fold = self._shown.fold
        for entry in await self._log.read(self._match, fold.sequence):
            if entry.sequence <= fold.sequence:
                continue  # another request has brought it meanwhile
            self._shown.follow(*entry)
            if fold.index == len(self._marks) * EVERY:
                self._marks.append(self._shown.mark())
                await asyncio.sleep(0)  # a match that was long before it was asked for must not keep back the others

    async def missed(self, after: int, viewer: Viewer) -> tuple[tuple[bytes, ...], bool]:
        """The frames behind commit `after`, as many as one answer carries, and whether there are more.

        Raises NeedsNewer and Unavailable.
        """
        head = self._shown.fold.index
        if after >= head:
            return (), False
        shown = Shown(self._match, self._marks[after // EVERY])
        frames: list[bytes] = []
        size = 0
        while entries := await self._log.page(self._match, shown.fold.sequence, EVERY):
            for entry in entries:
                step = shown.follow(*entry)
                if step is None or step.message.commit.index <= after:
                    continue
                frames.append(step.frame(viewer))
                size += len(frames[-1])
                if shown.fold.index >= head or len(frames) >= PAGE_FRAMES or size >= PAGE_BYTES:
                    return tuple(frames), shown.fold.index < head
        return tuple(frames), False
