"""Tails: a role tells the others what it has stored in a match, before one of them is due.

To read that from the stream costs the server a look at the messages of all other matches in between. A tail is no more
than a hint: what does not come, or does not fit, is read. Each role speaks for itself alone, as in the log.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable
from functools import lru_cache

import msgspec
import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.log import ROLES, Role
from schemas.subjects import TAILS, is_match_id, tail_subject
from services.runtime.log import Entry

BYTES = 256 * 1024
"""About how much a tail holds at most; of a longer one the first messages are not in it, and so it fits nowhere."""

Tell = Callable[[str, Collection[Entry]], Awaitable[None]]
"""Hands on a tail of a match."""

Hear = Callable[[str, Iterable[Entry]], None]
"""Takes a tail of a match."""

log = structlog.stdlib.get_logger()

_decoder = msgspec.msgpack.Decoder(list[Entry])


class Tail:
    """What a role has written in a match since the turn was passed last, with what passed it."""

    def __init__(self, role: Role) -> None:
        self.entries: deque[Entry] = deque()
        self._role = role
        self._size = 0

    def add(self, entry: Entry) -> None:
        """The next message of the match."""
        if passes_turn(entry.subject):
            self.clear()
        if not is_by(self._role, entry):
            return
        self.entries.append(entry)
        self._size += len(entry.data)
        while self._size > BYTES:
            self._size -= len(self.entries.popleft().data)

    def clear(self) -> None:
        """Begin anew."""
        self.entries.clear()
        self._size = 0


@lru_cache(maxsize=10_000)
def passes_turn(subject: str) -> bool:
    """Whether a commit on this subject of the log leaves another role due than the one that wrote it."""
    _, _, by, due = subject.split(".")
    return due in ROLES and due != by


async def untold(_match: str, _entries: Collection[Entry]) -> None:
    """Nobody is told: there is one process."""


def is_by(role: str, entry: Entry) -> bool:
    """Whether the role has written the message."""
    return f".{role}." in entry.subject  # who is due stands at the end


def teller(client: Client, role: Role) -> Tell:
    """Tell those who listen on this connection's server, as the role."""

    async def tell(match: str, entries: Collection[Entry]) -> None:
        try:
            await client.publish(tail_subject(match, role), msgspec.msgpack.encode(list(entries)))
        except nats.errors.Error as error:
            log.info("tail not told", match=match, reason=type(error).__name__)

    return tell


async def listen(client: Client, hear: Hear) -> None:
    """Take all tails that are told from now on."""

    async def take(message: Msg) -> None:
        _, match, role = message.subject.split(".")
        try:
            entries = _decoder.decode(message.data)
        except msgspec.DecodeError:
            return
        if is_match_id(match):
            hear(match, [entry for entry in entries if is_by(role, entry)])

    await client.subscribe(TAILS, cb=take)
