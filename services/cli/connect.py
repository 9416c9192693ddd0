"""How the commands reach the server: as the operator, or as anyone may."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import nats.errors
from nats.aio.client import Client

from schemas.subjects import user_inbox
from services.client import NotConnected, connect_guest
from services.runtime.nats_config import ADMIN
from services.runtime.nats_server import admin_seed, server_url
from services.runtime.settings import Settings


@asynccontextmanager
async def as_operator(settings: Settings) -> AsyncGenerator[Client]:
    """The operator's connection for one command. Raises NotConnected, and NatsServerError where no address is known."""
    seed = admin_seed(settings)
    client = Client()
    try:
        await client.connect(
            server_url(settings),
            name="command",
            nkeys_seed_str=None if seed is None else seed.get_secret_value(),
            inbox_prefix=user_inbox(ADMIN),
            allow_reconnect=False,
            error_cb=_ignore,
        )
    except (OSError, nats.errors.Error) as error:
        raise NotConnected(str(error)) from None
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def as_guest(settings: Settings) -> AsyncGenerator[Client]:
    """A connection for one command, as of anyone who holds no seat. Raises NotConnected and NatsServerError."""
    async with connect_guest(server_url(settings)) as client:
        yield client


async def _ignore(_: Exception) -> None:
    """What nats-py cannot do it also raises."""
