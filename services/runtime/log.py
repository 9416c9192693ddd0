"""The log as a port: appending with an expectation, reading in order. `MemoryLog` is the one without a server."""

from typing import NamedTuple, Protocol

from schemas.subjects import log_match


class Entry(NamedTuple):
    """A stored message: its stream sequence number, its subject and its bytes."""

    sequence: int
    subject: str
    data: bytes


class Conflict(Exception):
    """The last message of the match is not the expected one, or a rival is in flight: read the tail, decide again."""


class Uncertain(Exception):
    """No acknowledgement came: the message may be stored or not. Read the tail and look for the own cause."""


class Unavailable(Exception):
    """The log cannot be read now, or takes no more (it is full); try again later."""


class EventLog(Protocol):
    """One stream of messages, in which each match is a log of its own."""

    async def read(self, match: str, after: int = 0) -> list[Entry]:
        """All messages of the match behind sequence number `after`, in order; what was acknowledged is among them.

        Raises Unavailable.
        """
        ...

    async def page(self, match: str, after: int, count: int) -> list[Entry]:
        """At most `count` of these messages, the first ones; none only where there is none behind `after`.

        Raises Unavailable.
        """
        ...

    async def append(self, subject: str, data: bytes, *, expected: int) -> int:
        """Store a message if the last one of its match has sequence number `expected` (0: there is none).

        Returns its sequence number. Raises Conflict, Uncertain, and Unavailable where the log takes no more.
        """
        ...


class MemoryLog:
    """A log in memory, for simulations and tests; it keeps the same promises as the one on JetStream."""

    def __init__(self) -> None:
        self._matches: dict[str, list[Entry]] = {}
        self._sequence = 0

    async def read(self, match: str, after: int = 0) -> list[Entry]:
        """See EventLog."""
        return [entry for entry in self._matches.get(match, []) if entry.sequence > after]

    async def page(self, match: str, after: int, count: int) -> list[Entry]:
        """See EventLog."""
        return (await self.read(match, after))[:count]

    async def append(self, subject: str, data: bytes, *, expected: int) -> int:
        """See EventLog."""
        entries = self._matches.setdefault(log_match(subject), [])
        if (entries[-1].sequence if entries else 0) != expected:
            raise Conflict(subject)
        self._sequence += 1
        entries.append(Entry(self._sequence, subject, data))
        return self._sequence
