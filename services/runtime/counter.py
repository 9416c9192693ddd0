"""Between NATS and what answers requests: they come in as they are sent, and answers go out as they are ready."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.codec import to_reply
from schemas.commands import Refused
from schemas.refusals import Code
from services.runtime.app import Service
from services.runtime.logging import fault
from services.runtime.tasks import Tasks

log = structlog.stdlib.get_logger()

Answer = Callable[[str, bytes], Awaitable[bytes]]
"""The answer to a request on a subject."""

GRACE = 3.0
"""Seconds for what was taken in to be answered when the service ends."""

WAITING_BYTES = 16 * 1024 * 1024
"""What may have arrived and not been looked at; more is dropped, and its senders ask again."""


class Counter:
    """Has each request answered in a task of its own, so that no match waits for another."""

    def __init__(self, client: Client, answer: Answer) -> None:
        self._client = client
        self._answer = answer
        self.tasks = Tasks()

    async def take(self, message: Msg) -> None:
        """Take a request in; its answer is published later."""
        self.tasks.start(self._serve(message))

    async def _serve(self, message: Msg) -> None:
        try:
            reply = await self._answer(message.subject, message.data)
        except Exception as error:  # noqa: BLE001 - it is logged without its words, which may hold what is hidden
            fault("request failed", error, subject=message.subject)
            reply = to_reply(Refused(code=Code.UNAVAILABLE))
        if message.reply:
            await self._client.publish(message.reply, reply)


async def take_requests(service: Service, subjects: Iterable[str], answer: Answer) -> None:
    """Answer what is asked on these subjects, which all replicas share; when the service ends, none is lost.

    Requests come straight from nats-py: all that FastStream could add here is a multiple of what it costs to answer.
    """
    counter = Counter(service.client, answer)
    subscriptions = [
        await service.client.subscribe(subject, service.name, cb=counter.take, pending_bytes_limit=WAITING_BYTES)
        for subject in subjects
    ]

    @service.app.on_shutdown
    async def drain() -> None:
        """Take no more requests, and answer those that have come."""
        if not service.client.is_connected:
            return
        try:
            async with asyncio.timeout(GRACE):
                for subscription in subscriptions:
                    await subscription.drain()  # type: ignore[no-untyped-call]  # nats-py leaves it untyped
                await counter.tasks.settle()
                await service.client.flush()
        except TimeoutError:
            log.warning("ended with requests unanswered")
