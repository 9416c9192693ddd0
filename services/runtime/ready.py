"""How a supervisor learns that a service is ready: it asks on a subject that only a ready service answers."""

import asyncio
import os

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeout

from schemas.subjects import ready_subject

ASK_SECONDS = 0.5
RETRY_SECONDS = 0.02


async def say_ready(client: Client, service: str) -> None:
    """From now on answer that this service is ready, with the id of this process."""
    pid = str(os.getpid()).encode()

    async def answer(message: Msg) -> None:
        await message.respond(pid)

    await client.subscribe(ready_subject(service), cb=answer)
    await client.flush()


async def until_ready(client: Client, service: str) -> int:
    """Wait until a process of the service is ready; its process id."""
    while True:
        try:
            return int((await client.request(ready_subject(service), timeout=ASK_SECONDS)).data)
        except (NoRespondersError, NatsTimeout):
            await asyncio.sleep(RETRY_SECONDS)
