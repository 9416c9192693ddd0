"""Ends the connections of a seat that was lost, since they are the next holder's to have."""

import asyncio

import msgspec
from msgspec import Struct, field
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.codec import from_frame
from schemas.events import SeatLost
from schemas.subjects import seat_user
from services.callout.holders import Holders
from services.runtime.logging import fault
from services.runtime.nats_config import CONNECTIONS, KICK, PLAYERS

MARK = str(SeatLost.__struct_config__.tag).encode()
"""What stands in every frame of a commit by which a seat was lost, and in hardly another."""

ANSWER_SECONDS = 2.0
"""How long the servers have to tell of their connections."""

MOST = 100_000
"""How many connections of a seat a server is asked for."""


class _Connection(Struct):
    cid: int


class _Connections(Struct):
    server_id: str
    connections: list[_Connection] = field(default_factory=list[_Connection])


class _Answer(Struct):
    data: _Connections


class Evictions:
    """Looks at what the rail is shown, and acts when a seat was lost."""

    def __init__(self, client: Client, holders: Holders) -> None:
        self._client = client
        self._holders = holders
        self._open: set[asyncio.Task[None]] = set()

    async def take(self, frame: Msg) -> None:
        """Look at a frame of a rail."""
        if MARK in frame.data:
            task = asyncio.create_task(self._look(frame.data))
            self._open.add(task)
            task.add_done_callback(self._open.discard)

    async def _look(self, data: bytes) -> None:
        try:
            frame, message = from_frame(data)
            for event in message.commit.events:
                if isinstance(event, SeatLost):
                    # Else who is put out could come in again before the loss is known here.
                    await self._holders.reach(frame.match, frame.index)
                    await self._put_out(seat_user(frame.match, event.seat))
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
