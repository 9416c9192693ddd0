"""How the commands reach the server."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import nats.errors
from nats.aio.client import Client

from services.runtime.nats_server import server_url
from services.runtime.settings import Settings


class Unreachable(Exception):
    """No NATS server answers at the address."""


@asynccontextmanager
async def connected(settings: Settings) -> AsyncGenerator[Client]:
    """A connection for one command. Raises Unreachable, and NoServerKnown."""
    client = Client()
    try:
        await client.connect(server_url(settings), name="command", allow_reconnect=False, error_cb=_ignore)
    except (OSError, nats.errors.Error) as error:
        raise Unreachable(f"the NATS server does not answer: {error}") from None
    try:
        yield client
    finally:
        await client.close()


async def _ignore(_: Exception) -> None:
    """What nats-py cannot do it also raises."""
