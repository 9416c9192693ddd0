"""How the commands reach the server: as the operator, or as anyone may."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from nats.aio.client import Client

from schemas.subjects import user_inbox
from services.client import connect, connect_guest
from services.runtime.nats_config import ADMIN
from services.runtime.nats_server import admin_seed, server_url
from services.runtime.settings import Settings


class Unreachable(Exception):
    """No service answers."""


@asynccontextmanager
async def as_operator(settings: Settings) -> AsyncGenerator[Client]:
    """The operator's connection for one command. Raises NotConnected, and NoServer where no address is known."""
    seed = admin_seed(settings)
    client = await connect(
        server_url(settings),
        name="command",
        nkeys_seed_str=None if seed is None else seed.get_secret_value(),
        inbox_prefix=user_inbox(ADMIN),
    )
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def as_guest(settings: Settings) -> AsyncGenerator[Client]:
    """A connection for one command, as of anyone who holds no seat. Raises NotConnected and NoServer."""
    async with connect_guest(server_url(settings)) as client:
        yield client
