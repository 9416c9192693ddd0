"""How the commands reach the server."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import nats.errors
from nats.aio.client import Client

from services.runtime.nats_server import server_url
from services.runtime.settings import Settings


class Unreachable(Exception):
    """No NATS server answers at the address, or no service on it."""


@asynccontextmanager
async def connected(settings: Settings) -> AsyncGenerator[Client]:
    """A connection for one command. Raises Unreachable, and NoServer where no address is known."""
    client = Client()
    reasons: list[Exception] = []

    async def note(reason: Exception) -> None:
        reasons.append(reason)

    try:
        await client.connect(
            server_url(settings),
            name="command",
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            error_cb=note,
        )
    except (OSError, nats.errors.Error) as error:
        reason = reasons[-1] if isinstance(error, nats.errors.NoServersError) and reasons else error
        raise Unreachable(f"the NATS server does not answer: {reason}; `fairdeal up` starts one") from None
    try:
        yield client
    finally:
        await client.close()
