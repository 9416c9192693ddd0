"""Ends the connections of a seat that was lost, since they are the next holder's to have."""

import asyncio

import msgspec
import structlog
from msgspec import Struct, field
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.codec import from_log
from schemas.events import SeatLost
from schemas.subjects import seat_user
from services.callout.holders import Holders
from services.runtime.logging import fault
from services.runtime.nats_config import CONNECTIONS, KICK, PLAYERS

MARK = str(SeatLost.__struct_config__.tag).encode()
"""What stands in every commit by which a seat is lost, and in hardly another."""

ANSWER_SECONDS = 2.0
"""How long the servers have to tell of their connections."""

KNOWN_SECONDS = 10.0
"""After which a commit that the log does not show was refused, and nobody has lost his seat by it."""

MOST = 100_000
"""How many connections of a seat a server is asked for."""

log = structlog.stdlib.get_logger()


class _Connection(Struct):
    cid: int


class _Connections(Struct):
    server_id: str
    connections: list[_Connection] = field(default_factory=list[_Connection])


class _Answer(Struct):
    data: _Connections


class Evictions:
    """Looks at how matches are filled, and acts when a seat was lost."""

    def __init__(self, client: Client, holders: Holders) -> None:
        self._client = client
        self._holders = holders
        self._open: set[asyncio.Task[None]] = set()

    async def take(self, message: Msg) -> None:
        """Look at a commit of the referee, who may have written it in vain."""
        if MARK in message.data:
            task = asyncio.create_task(self._look(message.data))
            self._open.add(task)
            task.add_done_callback(self._open.discard)

    async def _look(self, data: bytes) -> None:
        try:
            commit = from_log(data).commit
            for event in commit.events:
                if isinstance(event, SeatLost):
                    # Else who is put out could come in again before the loss is known here.
                    async with asyncio.timeout(KNOWN_SECONDS):
                        await self._holders.reach(commit.match, commit.index)
                    await self._put_out(seat_user(commit.match, event.seat))
        except TimeoutError:
            log.info("nobody put out by a commit that is not in the log")
        except Exception as error:  # noqa: BLE001 - it is logged without its words, as everywhere
            fault("lost seat not put out", error)

    async def _put_out(self, user: str) -> None:
        """End all connections of this user, on every server; who holds the seat by now comes back by himself."""
        inbox = self._client.new_inbox()
        subscription = await self._client.subscribe(inbox, cb=self._kick)
        try:
            question = {"auth": True, "user": user, "acc": PLAYERS, "limit": MOST}
            await self._client.publish(CONNECTIONS, msgspec.json.encode(question), reply=inbox)
            await asyncio.sleep(ANSWER_SECONDS)
        finally:
            await subscription.unsubscribe()

    async def _kick(self, answer: Msg) -> None:
        found = msgspec.json.decode(answer.data, type=_Answer).data
        for connection in found.connections:
            subject = KICK.replace("*", found.server_id)
            # The server does nothing for who wants no answer.
            await self._client.request(subject, msgspec.json.encode(connection), timeout=ANSWER_SECONDS)
