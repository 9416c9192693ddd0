"""Pulling the messages of a durable consumer by hand: in order, as one of a group, and never in a busy loop.

The subscription of nats-py knows no groups, and asks again at once where the consumer is gone.
"""

import asyncio

import msgspec
import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

REST_SECONDS = 1.0
"""Seconds of rest where the server cannot be asked, or says that there is nothing to ask for."""

LOST_SECONDS = 0.5
"""How much longer than asked for an answer may take; after that the request, or the answer, was lost."""

PIN = "Nats-Pin-Id"
"""The header by which a client of a group is told that it is the one that is served."""

HEARTBEAT = "100"
NOTHING_CAME = frozenset({"404", "408"})
PIN_LOST = "423"

log = structlog.stdlib.get_logger()


class Pull:
    """What FastStream needs of a pull subscription; it has one request open at a time.

    Args:
        client: the connection, which may be lost and come back.
        stream: the stream.
        consumer: the durable consumer.
        group: of all clients in it only one is served, until it asks no more for some seconds.
    """

    def __init__(self, client: Client, stream: str, consumer: str, *, group: str | None = None) -> None:
        self._client = client
        self._consumer = consumer
        self._subject = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        self._who = {} if group is None else {"group": group}
        self._inbox = client.new_inbox()
        self._arrived: asyncio.Queue[Msg] = asyncio.Queue()
        self._subscription: Subscription | None = None
        self._requests = 0
        self._open = 0
        self._complaint = ""  # the status that was told last

    async def start(self) -> None:
        """Listen for what will be asked for."""
        self._subscription = await self._client.subscribe(f"{self._inbox}.*", cb=self._arrived.put)

    async def unsubscribe(self) -> None:
        """Listen no more."""
        if self._subscription is not None:
            await self._subscription.unsubscribe()

    async def fetch(self, batch: int, timeout: float) -> list[Msg]:  # noqa: ASYNC109 - FastStream's word
        """Messages in the order of the stream, perhaps none, after at most about `timeout` seconds."""
        try:
            if not self._open:
                await self._ask(batch, timeout)
            async with asyncio.timeout(timeout + LOST_SECONDS):
                arrived = [await self._arrived.get()]
        except (nats.errors.Error, TimeoutError):
            self._open = 0
            return []
        while not self._arrived.empty():
            arrived.append(self._arrived.get_nowait())
        messages: list[Msg] = []
        for each in arrived:
            if each.subject.startswith(self._inbox):
                await self._take_status(each)
            else:
                messages.append(each)
                self._take_pin(each)
        self._open = max(0, self._open - len(messages))
        return messages

    async def _ask(self, batch: int, seconds: float) -> None:
        """Open a request. Where there is no connection it would only wait with others before it, and so it rests."""
        if not self._client.is_connected:
            await asyncio.sleep(REST_SECONDS)
            raise nats.errors.ConnectionReconnectingError
        self._requests += 1
        query = {"batch": batch, "expires": int(seconds * 1e9), **self._who}
        await self._client.publish(self._subject, msgspec.json.encode(query), reply=self._reply())
        self._open = batch

    def _reply(self) -> str:
        return f"{self._inbox}.{self._requests}"

    def _take_pin(self, message: Msg) -> None:
        pin = pin_of(message)
        if pin:
            self._who["id"] = pin
        self._complaint = ""

    async def _take_status(self, message: Msg) -> None:
        """The server ends a request; what is said of an older one does not matter."""
        status = (message.headers or {}).get("Status", "")
        if message.subject != self._reply() or status == HEARTBEAT:
            return
        self._open = 0
        if status == PIN_LOST:
            self._who.pop("id", None)
        elif status not in NOTHING_CAME:
            if status != self._complaint:
                log.warning("no messages can be had", consumer=self._consumer, status=status)
            self._complaint = status
            await asyncio.sleep(REST_SECONDS)


def pin_of(message: Msg) -> str:
    """What names the client of a group that was served; another name means that others were served in between."""
    return (message.headers or {}).get(PIN, "")
