"""How a supervisor learns that a service is ready: it asks on a subject that only a ready service answers."""

import asyncio
import contextlib
import os

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import ConnectionClosedError
from nats.errors import TimeoutError as NatsTimeout

from schemas.subjects import ready_subject

ASK_SECONDS = 0.2
RETRY_SECONDS = 0.02


async def say_ready(client: Client, service: str) -> None:
    """From now on answer that this service is ready, with the id of this process."""
    pid = str(os.getpid()).encode()

    async def answer(message: Msg) -> None:
        await message.respond(pid)

    await client.subscribe(ready_subject(service), cb=answer)
    await client.flush()


async def until_ready(client: Client, service: str, *, count: int = 1) -> set[int]:
    """Wait until so many processes of the service are ready; their process ids."""
    inbox = client.new_inbox()
    answers = await client.subscribe(inbox)
    try:
        while True:
            pids = set[int]()
            await client.publish(ready_subject(service), reply=inbox)
            with contextlib.suppress(NatsTimeout):
                # Nothing at all is said where nobody listens.
                while len(pids) < count and (pid := (await answers.next_msg(timeout=ASK_SECONDS)).data):
                    pids.add(int(pid))
            if len(pids) >= count:
                return pids
            await asyncio.sleep(RETRY_SECONDS)
    finally:
        with contextlib.suppress(ConnectionClosedError):  # whoever waited may have closed it
            await answers.unsubscribe()
