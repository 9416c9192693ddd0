"""The one loop of all three roles: fold the log, decide, append if nothing came between, else look again."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from itertools import islice
from typing import Self

from schemas.codec import Message, NeedsNewer, from_log, to_log
from schemas.log import Role
from schemas.subjects import log_subject
from services.games.decide import Draft, cause_of, commit_of
from services.games.fold import Done, Fold
from services.games.game import Refused
from services.games.match import Match, due, is_over
from services.runtime.log import Conflict, Entry, EventLog, Uncertain
from services.runtime.tails import Tail, Tell, passes_turn, untold

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


HEARD = 16
"""So many messages that were heard too early are kept."""


class Behind(Exception):
    """The log does not show the delivered message yet; look again later."""


async def unwatched(_: Match) -> None:
    """Nobody looks at a match again by himself: there are no clocks."""


class _Slot:
    """A match in this process: its fold, what its role wrote last, and the lock that lets in one decision at a time."""

    def __init__(self, match: str, role: Role, leave: Callable[["_Slot"], None]) -> None:
        self.fold = Fold(match)
        self.tail = Tail(role)
        self.users = 0
        self._leave = leave
        self._heard: list[Entry] = []
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> Self:
        self.users += 1
        try:
            await self._lock.acquire()
        except BaseException:
            self._go()
            raise
        try:
            self._follow()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()
        self._go()

    def _go(self) -> None:
        self.users -= 1
        if not self.users:
            self._leave(self)

    def apply(self, entry: Entry) -> None:
        """Fold the next message of the log."""
        self.fold.apply(*entry)
        self.tail.add(entry)

    def advance(self, entry: Entry, message: Message, after: Match) -> None:
        """Go on to the own commit, which is stored."""
        self.fold.sequence = entry.sequence
        self.fold.advance(message, after)
        self.tail.add(entry)

    def reset(self) -> None:
        """Back to the beginning of the log."""
        self.fold.reset()
        self.tail.clear()

    def hear(self, entries: Iterable[Entry]) -> None:
        """Fold what is said to be stored, as far as it goes on from here; not while a decision is being made."""
        self._heard += [entry for entry in entries if entry.sequence > self.fold.sequence]
        if not self.users:
            self._follow()
            self._leave(self)

    def _follow(self) -> None:
        """Fold what was heard; what does not fit yet may follow on what is still to come."""
        if not self._heard:
            return
        heard, self._heard = sorted(self._heard), []
        with suppress(NeedsNewer):  # nor does what comes after it fit
            for entry in heard:
                if entry.sequence <= self.fold.sequence:
                    continue
                if self.fold.follow(*entry) is None:
                    self._heard.append(entry)
                else:
                    self.tail.add(entry)
        del self._heard[:-HEARD]


class Worker:
    """One replica of a role. Any number of them may work on the same log.

    Args:
        role: whose commits it writes.
        log: where it reads and appends.
        salt_key: what the salts of this role's secrets come from; the same in all its replicas.
        turn: what the role does when it is due.
        clock: milliseconds since 1970.
        watch: called with each state of a match before a commit that leads to it is appended.
        tell: called with what this role wrote that others may not have seen: before a commit that wakes another role,
            and after each commit but those of a referee that leave players due.
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
        tell: Tell = untold,
        matches: int = 1000,
    ) -> None:
        self.role: Role = role
        self._log = log
        self._salt_key = salt_key
        self._turn = turn
        self._clock = clock
        self._watch = watch
        self._tell = tell
        self._limit = matches
        self._slots: OrderedDict[str, _Slot] = OrderedDict()

    async def answer(self, match: str, cause: bytes, decide: Callable[[Match | None], Draft]) -> Done:
        """Append what `decide` makes of the match, once; a cause that is in the log already is answered as it was then.

        Raises Refused, but not from an old fold.
        """
        async with self._slot(match) as slot:
            fold = slot.fold
            while cause not in fold.causes:
                try:
                    draft = decide(fold.state)
                except Refused:
                    if not await self._catch_up(slot):
                        raise
                    continue
                await self._append(slot, draft, cause)
            return fold.causes[cause]

    async def take_turns(self, match: str, sequence: int) -> None:
        """Decide as long as this role is due, having seen the log up to `sequence`. Raises Behind."""
        async with self._slot(match) as slot:
            fold = slot.fold
            if fold.sequence < sequence:
                await self._catch_up(slot)
            if fold.sequence < sequence:
                raise Behind(match)
            while fold.state is not None and due(fold.state) == self.role:
                await self._append(slot, self._turn(fold.state), cause_of(self.role, fold.index))

    def hear(self, match: str, entries: Iterable[Entry]) -> None:
        """Take what is said to be stored; what of it goes on from what is known here need not be read."""
        self._slot(match).hear(entries)

    async def wake(self, match: str, decide: Wake) -> None:
        """Do what is to be done where somebody waits in vain, and see to it that one looks again."""
        async with self._slot(match) as slot:
            fold = slot.fold
            await self._catch_up(slot)
            while fold.state is not None and (draft := decide(fold.state, self._clock())) is not None:
                await self._append(slot, draft, cause_of(self.role, fold.index))
            if fold.state is not None:
                await self._watch(fold.state)

    async def _append(self, slot: _Slot, draft: Draft, cause: bytes) -> None:
        """Append, or fold what came between. The own commit is folded from its bytes, so that all folds are equal."""
        fold = slot.fold
        commit = commit_of(draft, match=fold.match, index=fold.index + 1, at=self._clock(), cause=cause, prev=fold.head)
        data = to_log(commit, self._salt_key)
        message = from_log(data)
        after = fold.check(message.commit)
        subject = log_subject(fold.match, self.role, due(after))
        await self._watch(after)
        if passes_turn(subject) and slot.tail.entries:
            await self._tell(fold.match, slot.tail.entries)
        try:
            sequence = await self._log.append(subject, data, expected=fold.sequence)
        except (Conflict, Uncertain):
            await self._see_rival(slot)
        else:
            slot.advance(Entry(sequence, subject, data), message, after)
            if self.role != "referee" or passes_turn(subject) or is_over(after):
                await self._tell(fold.match, slot.tail.entries)

    async def _see_rival(self, slot: _Slot) -> None:
        """Fold what won; where nothing shows although the append failed, wait, and at last fold from the start."""
        for tries in range(1, TRIES_BEFORE_ANEW + 1):
            if await self._catch_up(slot):
                return
            await asyncio.sleep(RIVAL_WAIT * tries)
        slot.reset()
        await self._catch_up(slot)

    async def _catch_up(self, slot: _Slot) -> bool:
        """Fold the tail of the log; whether there was any."""
        entries = await self._log.read(slot.fold.match, slot.fold.sequence)
        for entry in entries:
            slot.apply(entry)
        return bool(entries)

    def _slot(self, match: str) -> _Slot:
        """The place of a match here; those that nobody has needed for longest go where they are too many."""
        slot = self._slots.get(match)
        if slot is None:
            self._evict(len(self._slots) + 1 - self._limit)
            slot = self._slots[match] = _Slot(match, self.role, self._tidy)
        else:
            self._slots.move_to_end(match)
        return slot

    def _tidy(self, slot: _Slot) -> None:
        """Keep nothing of a match that is over, or that there is not."""
        if slot.fold.state is None or is_over(slot.fold.state):
            self._slots.pop(slot.fold.match, None)

    def _evict(self, count: int) -> None:
        unused = (match for match, slot in self._slots.items() if not slot.users)
        for match in list(islice(unused, max(0, count))):
            del self._slots[match]
