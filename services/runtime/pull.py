"""Pulling the messages of a durable consumer: never in a busy loop, and in a group in which one client is served."""

import asyncio
from contextlib import suppress
from typing import NamedTuple

import msgspec
import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

REST_SECONDS = 1.0
"""Seconds of rest where the server cannot be asked, or says that there is nothing to ask for."""

LOST_SECONDS = 0.5
"""How much longer than asked for an answer may take; after that the request, or the answer, was lost."""

PIN = "Nats-Pin-Id"
"""The header by which a client of a group is told that it is the one that is served."""

NOTHING_CAME = frozenset({"404", "408"})
PIN_LOST = "423"

log = structlog.stdlib.get_logger()


class Pull:
    """Pulls from a durable consumer. One request is open at a time; the connection may be lost and come back.

    What the server says of a request comes to an inbox, and so a stored message is taken for nothing else, whatever
    its headers are. In a `group` the server serves one client, until that one asks no more for some seconds.
    """

    def __init__(self, client: Client, stream: str, consumer: str, *, group: str | None = None) -> None:
        self._client = client
        self._consumer = consumer
        self._subject = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        self._who = {} if group is None else {"group": group}
        self._inbox = client.new_inbox()
        self._arrived: list[Msg] = []
        self._has_some = asyncio.Event()
        self._requests = 0
        self._open = 0
        self._complaint = ""  # the status that was told last

    async def start(self) -> None:
        """Listen for what will be asked for."""
        self._subscription = await self._client.subscribe(f"{self._inbox}.*", cb=self._take)

    async def stop(self) -> None:
        """Listen no more: what would still come goes to others at once."""
        with suppress(nats.errors.Error):
            await self._subscription.unsubscribe()

    async def fetch(self, batch: int, seconds: float) -> list[Msg]:
        """Messages in the order of the stream, perhaps none, after at most about `seconds`."""
        try:
            if not self._open:
                await self._ask(batch, seconds)
            async with asyncio.timeout(seconds + LOST_SECONDS):
                await self._has_some.wait()
        except (nats.errors.Error, TimeoutError):
            self._open = 0
            return []
        arrived, self._arrived = self._arrived, []
        self._has_some.clear()
        messages: list[Msg] = []
        for each in arrived:
            if each.subject.startswith(self._inbox):
                await self._take_status(each)
            else:
                messages.append(each)
                if pin := pin_of(each):
                    self._who["id"] = pin
                self._complaint = ""
        self._open = max(0, self._open - len(messages))
        return messages

    async def _take(self, message: Msg) -> None:
        self._arrived.append(message)
        self._has_some.set()

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

    async def _take_status(self, message: Msg) -> None:
        """The server ends a request; what is said of an older one does not matter."""
        status = (message.headers or {}).get("Status", "")
        if message.subject != self._reply():
            return
        self._open = 0
        if status == PIN_LOST:
            self._who.pop("id", None)
        elif status not in NOTHING_CAME:
            if status != self._complaint:
                log.warning("no messages can be had", consumer=self._consumer, status=status)
            self._complaint = status
            await asyncio.sleep(REST_SECONDS)


class Numbers(NamedTuple):
    """Of a message that a consumer has brought: its number in the stream, and of its delivery, to whomever.

    A gap between deliveries means that others were served in between.
    """

    sequence: int
    delivery: int


def numbers_of(message: Msg) -> Numbers:
    """The numbers of a message, as its reply subject has them."""
    tokens = message.reply.split(".")
    first = 5 if len(tokens) < 11 else 7  # a longer form begins with a domain and an account
    return Numbers(int(tokens[first]), int(tokens[first + 1]))


def pin_of(message: Msg) -> str:
    """What names the client of a group that is served."""
    return (message.headers or {}).get(PIN, "")
