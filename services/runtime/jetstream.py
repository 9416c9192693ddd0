"""The log on a JetStream stream; one server or a cluster, any number of processes."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

import msgspec
import nats.errors
import structlog
from msgspec import Struct
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.subjects import LOG_STREAM, log_filter, log_match
from services.runtime.log import Conflict, Entry, Unavailable, Uncertain

TIMEOUT = 2.0
"""Seconds to wait for an answer of the server."""

BATCH = 1000
"""Messages asked for at once."""

CONFLICTS = frozenset({10071, 10164})
"""Error codes of the server: another last sequence, and (with replicas) a rival in flight."""

NO_MESSAGE = 10037
"""Error code of the server: no message of that description."""

NO_STREAM = 10059
"""Error code of the server: there is no such stream."""

NO_RESPONDERS = "503"
"""Status of what comes where nobody listens."""

END_OF_BATCH = frozenset({"204", "404"})
"""Status of what follows the last message of a batch, and of what comes where there is none."""

log = structlog.stdlib.get_logger()

LEADER_GET = f"$JS.API.STREAM.MSG.GET.{LOG_STREAM}"
DIRECT_GET = f"$JS.API.DIRECT.GET.{LOG_STREAM}"


class _Stored(Struct):
    seq: int
    subject: str
    data: bytes = b""


class _Error(Struct):
    err_code: int = 0
    description: str = ""


class _Answer(Struct):
    """What the server says to an append (`seq`), or to the question for a message."""

    seq: int = 0
    message: _Stored | None = None
    error: _Error | None = None


_answers = msgspec.json.Decoder(_Answer)


class _Question(NamedTuple):
    """A request that is not answered yet, and until when its answer is waited for, by the clock of the event loop."""

    answer: asyncio.Future[Msg]
    until: float


class _Requests:
    """Requests to the server, whose answers come to one inbox. A request by nats-py costs nearly twice as much."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._inbox = ""
        self._count = 0
        self._open: dict[str, _Question] = {}
        self._is_timed = False

    async def ask(self, subject: str, data: bytes, headers: dict[str, str] | None = None) -> _Answer:
        """The answer. Raises TimeoutError, and what nats-py raises."""
        if not self._inbox:
            self._inbox = self._client.new_inbox()
            await self._client.subscribe(f"{self._inbox}.*", cb=self._take)
        self._count += 1
        reply = f"{self._inbox}.{self._count}"
        loop = asyncio.get_running_loop()
        question = self._open[reply] = _Question(loop.create_future(), loop.time() + TIMEOUT)
        if not self._is_timed:
            self._give_up()
        try:
            await self._client.publish(subject, data, reply=reply, headers=headers)
            message = await question.answer
        finally:
            del self._open[reply]
        if message.headers and message.headers.get("Status") == NO_RESPONDERS:
            raise nats.errors.NoRespondersError
        try:
            return _answers.decode(message.data)
        except msgspec.DecodeError:  # its words may hold what was answered
            raise nats.errors.JsonParseError from None

    async def _take(self, message: Msg) -> None:
        question = self._open.get(message.subject)
        if question is not None and not question.answer.done():
            question.answer.set_result(message)

    def _give_up(self) -> None:
        """End the waits that are over, and look again when the next one is. There is one timer for all requests."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        waiting = [question for question in self._open.values() if not question.answer.done()]
        for question in waiting:
            if question.until <= now:
                question.answer.set_exception(TimeoutError())
        later = [question.until for question in waiting if question.until > now]
        self._is_timed = bool(later)
        if later:
            loop.call_at(min(later), self._give_up)


class JetStreamLog:
    """The log on stream LOG, over a connection that reconnects for ever. Keeps the promises of `EventLog`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._requests = _Requests(client)
        self._complaint = ""  # why the last append was refused

    async def append(self, subject: str, data: bytes, *, expected: int) -> int:
        """See EventLog."""
        try:
            answer = await self._requests.ask(subject, data, expectation(subject, expected))
        except (nats.errors.Error, TimeoutError) as error:
            raise Uncertain(str(error)) from error
        if answer.error is None:
            if not answer.seq:
                raise Uncertain("an answer that is not the server's")
            self._complaint = ""
            return answer.seq
        if answer.error.err_code in CONFLICTS:
            raise Conflict(subject)
        self._complain(answer.error.description)
        raise Unavailable(answer.error.description)

    def _complain(self, reason: str) -> None:
        """Log why nothing is taken, once: all who are refused try again soon."""
        if reason != self._complaint:
            log.warning("the log takes no commit", reason=reason)
        self._complaint = reason

    async def read(self, match: str, after: int = 0) -> list[Entry]:
        """See EventLog.

        The leader of the stream says where the match ends; what lies before comes from any replica, and from the
        leader again where that replica is behind. One round trip where nothing is new.
        """
        entries: list[Entry] = []
        with unavailable():
            last = await self._leader_get(last_by_subj=log_filter(match))
            while last is not None and after < last.sequence:
                batch = await direct_get(self._client, match, after) or await self._next(match, after)
                if not batch:
                    break
                entries += batch
                after = batch[-1].sequence
        return entries

    async def page(self, match: str, after: int, count: int) -> list[Entry]:
        """See EventLog. They come from any replica, and from the leader where that replica has none."""
        with unavailable():
            return await direct_get(self._client, match, after, count) or await self._next(match, after)

    async def _next(self, match: str, after: int) -> list[Entry]:
        entry = await self._leader_get(seq=after + 1, next_by_subj=log_filter(match))
        return [entry] if entry else []

    async def _leader_get(self, **query: int | str) -> Entry | None:
        """The message of that description, as the stream's leader has it."""
        answer = await self._requests.ask(LEADER_GET, msgspec.json.encode(query))
        if answer.message is not None:
            return Entry(answer.message.seq, answer.message.subject, answer.message.data)
        if answer.error is None or answer.error.err_code == NO_MESSAGE:
            return None
        if answer.error.err_code == NO_STREAM:
            raise Unavailable(f"stream {LOG_STREAM} is not on the server: `fairdeal migrate` makes it")
        raise Unavailable(answer.error.description)


async def direct_get(client: Client, match: str, after: int, count: int = BATCH) -> list[Entry]:
    """The next messages of the match, at most `count`, as any replica has them, which may lag behind the leader.

    Raises Unavailable and what nats-py raises.
    """
    entries: list[Entry] = []
    ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def take(message: Msg) -> None:
        headers = message.headers or {}
        # A stored message may carry any header, a Status too; but its sequence and subject are always the server's.
        if (sequence := headers.get("Nats-Sequence")) is not None:
            entries.append(Entry(int(sequence), headers["Nats-Subject"], message.data))
        elif not ended.done():
            ended.set_result(headers.get("Status", ""))

    inbox = client.new_inbox()
    query = {"seq": after + 1, "batch": count, "next_by_subj": log_filter(match)}
    subscription = await client.subscribe(inbox, cb=take)
    try:
        await client.publish(DIRECT_GET, msgspec.json.encode(query), reply=inbox)
        async with asyncio.timeout(TIMEOUT):
            status = await ended
    finally:
        await subscription.unsubscribe()
    if status not in END_OF_BATCH:
        raise Unavailable(f"status {status}")
    return entries


def expectation(subject: str, expected: int) -> dict[str, str]:
    """The headers of every append: the last message of the match, on whatever subject, has this sequence number."""
    return {
        "Nats-Expected-Last-Subject-Sequence": str(expected),
        "Nats-Expected-Last-Subject-Sequence-Subject": log_filter(log_match(subject)),
    }


@contextmanager
def unavailable() -> Generator[None]:
    """Whatever the client raises means that the log cannot be read now."""
    try:
        yield
    except (nats.errors.Error, TimeoutError) as error:
        raise Unavailable(str(error) or "the NATS server does not answer in time, or not this user") from error
