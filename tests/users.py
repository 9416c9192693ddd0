"""Connections to a test's server as one of its users; `tests` is one that may do anything in the account SERVICES."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import nats
from nats.aio.client import Client

from schemas.subjects import user_inbox
from services.runtime.nats_config import ADMIN, USERS, Rights
from services.runtime.nats_server import NatsServer

TESTS = "tests"
TEST_USERS = {**USERS, TESTS: Rights(publish=(">",), subscribe=(">",))}


@asynccontextmanager
async def connected(server: NatsServer, user: str = TESTS) -> AsyncGenerator[Client]:
    """A connection as this user, made anew for ever. Services answer the tests as they answer the operator."""
    client = await nats.connect(
        server.url,
        nkeys_seed_str=server.keys.users[user].get_secret_value(),
        inbox_prefix=user_inbox(ADMIN if user == TESTS else user),
        max_reconnect_attempts=-1,
        reconnect_time_wait=0.05,
    )
    try:
        yield client
    finally:
        await client.close()
