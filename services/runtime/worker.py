"""The one loop of all three roles: fold the log, decide, append if nothing came between, else look again."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from schemas.codec import from_log, to_log
from schemas.log import Role
from schemas.subjects import log_subject
from services.games.decide import Draft, cause_of, commit_of
from services.games.fold import Done, Fold
from services.games.game import Refused
from services.games.match import Match, due
from services.runtime.log import Conflict, EventLog, Uncertain

Turn = Callable[[Match], Draft]
"""What a role does when it is due."""

Wake = Callable[[Match, int], Draft | None]
"""What a role does at a time (milliseconds) because somebody waits in vain; None where nobody does."""

Watch = Callable[[Match], Awaitable[None]]
"""Sees to it that a match will be looked at again in time. Raises Unavailable."""

RIVAL_WAIT = 0.005
"""Seconds to wait where a rival's append is in flight, times the number of tries."""

TRIES_BEFORE_ANEW = 3
"""Conflicts without a new message after which the fold is thrown away: the log may have gone back in time."""


class Behind(Exception):
    """The log does not show the delivered message yet; look again later."""


async def unwatched(_: Match) -> None:
    """Nobody looks at a match again by himself: there are no clocks."""


class _Slot:
    """A match in this process: its fold, and the lock that lets one decision at a time go on."""

    def __init__(self, match: str) -> None:
        self.lock = asyncio.Lock()
        self.fold = Fold(match)
        self.users = 0


class Worker:
    """One replica of a role. Any number of them may work on the same log.

    Args:
        role: whose commits it writes.
        log: where it reads and appends.
        salt_key: what the salts of this role's secrets come from; the same in all its replicas.
        turn: what the role does when it is due.
        clock: milliseconds since 1970.
        watch: called with each state of a match before a commit that leads to it is appended.
        matches: how many folds are kept; an older one is folded again from the log when needed.
    """

    def __init__(
        self,
        role: Role,
        log: EventLog,
        *,
        salt_key: bytes,
        turn: Turn,
        clock: Callable[[], int],
        watch: Watch = unwatched,
        matches: int = 1000,
    ) -> None:
        self.role: Role = role
        self._log = log
        self._salt_key = salt_key
        self._turn = turn
        self._clock = clock
        self._watch = watch
        self._limit = matches
        self._slots: OrderedDict[str, _Slot] = OrderedDict()

    async def answer(self, match: str, cause: bytes, decide: Callable[[Match | None], Draft]) -> Done:
        """Append what `decide` makes of the match, once; a cause that is in the log already is answered as it was then.

        Raises Refused, but not from an old fold.
        """
        async with self._fold(match) as fold:
            while cause not in fold.causes:
                try:
                    draft = decide(fold.state)
                except Refused:
                    if not await self._catch_up(fold):
                        raise
                    continue
                await self._append(fold, draft, cause)
            return fold.causes[cause]

    async def take_turns(self, match: str, sequence: int) -> None:
        """Decide as long as this role is due, having seen the log up to `sequence`. Raises Behind."""
        async with self._fold(match) as fold:
            if fold.sequence < sequence:
                await self._catch_up(fold)
            if fold.sequence < sequence:
                raise Behind(match)
            while fold.state is not None and due(fold.state) == self.role:
                await self._append(fold, self._turn(fold.state), cause_of(self.role, fold.index))

    async def wake(self, match: str, decide: Wake) -> None:
        """Do what is to be done where somebody waits in vain, and see to it that one looks again."""
        async with self._fold(match) as fold:
            await self._catch_up(fold)
            while fold.state is not None and (draft := decide(fold.state, self._clock())) is not None:
                await self._append(fold, draft, cause_of(self.role, fold.index))
            if fold.state is not None:
                await self._watch(fold.state)

    async def _append(self, fold: Fold, draft: Draft, cause: bytes) -> None:
        """Append, or fold what came between. The own commit is folded from its bytes, so that all folds are equal."""
        commit = commit_of(draft, match=fold.match, index=fold.index + 1, at=self._clock(), cause=cause, prev=fold.head)
        data = to_log(commit, self._salt_key)
        message = from_log(data)
        after = fold.check(message.commit)
        await self._watch(after)
        try:
            sequence = await self._log.append(
                log_subject(fold.match, self.role, due(after)), data, expected=fold.sequence
            )
        except (Conflict, Uncertain):
            await self._see_rival(fold)
        else:
            fold.sequence = sequence
            fold.advance(message, after)

    async def _see_rival(self, fold: Fold) -> None:
        """Fold what won; where nothing shows although the append failed, wait, and at last fold from the start."""
        for tries in range(1, TRIES_BEFORE_ANEW + 1):
            if await self._catch_up(fold):
                return
            await asyncio.sleep(RIVAL_WAIT * tries)
        fold.reset()
        await self._catch_up(fold)

    async def _catch_up(self, fold: Fold) -> bool:
        """Fold the tail of the log; whether there was any."""
        entries = await self._log.read(fold.match, fold.sequence)
        for entry in entries:
            fold.apply(*entry)
        return bool(entries)

    @asynccontextmanager
    async def _fold(self, match: str) -> AsyncGenerator[Fold]:
        slot = self._slots.setdefault(match, _Slot(match))
        self._slots.move_to_end(match)
        slot.users += 1
        try:
            async with slot.lock:
                yield slot.fold
        finally:
            slot.users -= 1
            if not slot.users and _is_dead(slot.fold):
                del self._slots[match]
            elif len(self._slots) > self._limit:
                self._evict()

    def _evict(self) -> None:
        for match, slot in self._slots.items():
            if not slot.users:
                del self._slots[match]
                return


def _is_dead(fold: Fold) -> bool:
    """Whether there is no match, or it is over: nothing to keep for the next decision."""
    return fold.state is None or due(fold.state) == "none"
