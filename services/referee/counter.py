"""Between NATS and the desk: commands come in as they are sent, and answers go out as they are ready."""

import asyncio

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.codec import to_reply
from schemas.commands import Refused
from schemas.refusals import Code
from schemas.subjects import COMMANDS
from services.referee.desk import Desk
from services.runtime.app import Service
from services.runtime.logging import fault

log = structlog.stdlib.get_logger()

QUEUE = "referee"
"""The queue group in which all referees share the commands."""

GRACE = 3.0
"""Seconds for what was taken in to be answered when the service ends."""


class Counter:
    """Hands each command to the desk in a task of its own, so that no match waits for another."""

    def __init__(self, desk: Desk, client: Client) -> None:
        self._desk = desk
        self._client = client
        self._open: set[asyncio.Task[None]] = set()

    async def take(self, message: Msg) -> None:
        """Take a command in; its answer is published later."""
        task = asyncio.create_task(self._answer(message))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def settle(self) -> None:
        """Wait until all that was taken in is answered."""
        while self._open:
            await asyncio.wait(self._open)

    async def _answer(self, message: Msg) -> None:
        try:
            reply = await self._desk.answer(message.subject, message.data)
        except Exception as error:  # noqa: BLE001 - it is logged without its words, which may hold what is hidden
            fault("command failed", error, subject=message.subject)
            reply = to_reply(Refused(code=Code.UNAVAILABLE))
        if message.reply:
            await self._client.publish(message.reply, reply)


async def take_commands(service: Service, desk: Desk) -> None:
    """Answer the commands of players; when the service ends, none that was delivered is lost.

    They come straight from nats-py: all that FastStream could add here is a multiple of what it costs to decide one.
    """
    counter = Counter(desk, service.client)
    subscription = await service.client.subscribe(COMMANDS, QUEUE, cb=counter.take)

    @service.app.on_shutdown
    async def drain() -> None:
        """Take no more commands, and answer those that have come."""
        if not service.client.is_connected:
            return
        try:
            async with asyncio.timeout(GRACE):
                await subscription.drain()  # type: ignore[no-untyped-call]  # nats-py leaves it untyped
                await counter.settle()
                await service.client.flush()
        except TimeoutError:
            log.warning("ended with commands unanswered")
