"""What tests of services need: the processes of the three roles, really started, on a server of the test's own."""

import asyncio
import contextlib
import hashlib
import io
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import structlog
from nats.aio.client import Client
from nats.errors import TimeoutError as NatsTimeout
from pydantic import SecretStr

import services
from schemas.log import ROLES
from schemas.subjects import ready_subject
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Child, Processes
from services.runtime.ready import until_ready
from services.runtime.settings import Settings, to_environ
from tests.house import HOUSE_TOKEN

SECRET = SecretStr("5e" * 32)
RUN = "from services.{role}.app import run; from services.runtime.settings import load_settings; run(load_settings())"

MakeChild = Callable[[str], Child]


@pytest.fixture
def output() -> Iterator[io.StringIO]:
    """Where the log goes; afterwards logging is as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def child(server: NatsServer, tmp_path: Path) -> MakeChild:
    """Makes the process of a role or the gallery, to be started on the test's server."""
    settings = Settings(
        nats_url=SecretStr(server.url),
        secret=SECRET,
        log_format="json",
        opens_burst=1_000_000,
        house_key=hashlib.sha256(HOUSE_TOKEN).hexdigest(),
    )
    base = {**os.environ, "PYTHONPATH": str(Path(services.__file__).parents[1])}

    def make(role: str) -> Child:
        command = [sys.executable, "-c", RUN.format(role=role)]
        return Child(name=role, command=command, env=to_environ(settings, base=base), log=tmp_path / f"{role}.log")

    return make


@pytest.fixture
async def roles(client: Client, child: MakeChild) -> AsyncIterator[Processes]:
    """A dealer, a referee and a scorer, ready."""
    async with Processes() as processes:
        await asyncio.gather(
            *(processes.start(child(role), ready=partial(until_ready, client, role)) for role in ROLES)
        )
        yield processes


async def two_ready(client: Client, service: str) -> None:
    """Wait until two processes answer that the service is ready."""
    inbox = client.new_inbox()
    answers = await client.subscribe(inbox)
    pids = set[bytes]()
    while len(pids) < 2:
        await client.publish(ready_subject(service), reply=inbox)
        with contextlib.suppress(NatsTimeout):
            pids.update([(await answers.next_msg(timeout=0.1)).data for _ in range(2)])
    await answers.unsubscribe()
