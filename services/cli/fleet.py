"""All services with an embedded server, each its own process, as `up` and `demo` start them."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from nats.aio.client import Client
from pydantic import SecretStr

from schemas.log import ROLES
from services.cli.connect import connected
from services.runtime.keys import role_secret, store_secret
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Child, Processes
from services.runtime.provision import provision
from services.runtime.ready import until_ready
from services.runtime.settings import Settings, to_environ


class Fleet:
    """Running services: a connection to their server, and the means to start more processes beside them."""

    def __init__(self, settings: Settings, client: Client, processes: Processes, logs: Path) -> None:
        self.client = client
        self.processes = processes
        self._settings = settings
        self._logs = logs

    async def start(self, service: str, *, secret: SecretStr | None) -> None:
        """Start a service, and again whenever it ends; wait until it is ready. Raises ChildFailed."""
        child = self.child(service, "run", service, secret=secret)
        await self.processes.start(replace(child, restart=True), ready=partial(until_ready, self.client, service))

    def child(self, name: str, *arguments: str, **changes: object) -> Child:
        """A process that runs `fairdeal ARGUMENTS` with these settings, and the changes to them."""
        if self._settings.health_port:
            changes["health_port"] = 0  # one port is not for several processes
        settings = self._settings.model_copy(update=changes)
        return Child(
            name=name,
            command=[sys.executable, "-m", "services.cli", *arguments],
            env=to_environ(settings, base=os.environ),
            log=self._logs / f"{name}.log",
        )


@asynccontextmanager
async def fleet(settings: Settings) -> AsyncGenerator[Fleet]:
    """Start the server on `settings.store`, its streams and the four services; stop them all at the end.

    Raises NatsServerError and ChildFailed.
    """
    async with NatsServer(settings.store, binary=settings.nats_server_bin) as server:
        logs = settings.store / "logs"
        logs.mkdir(exist_ok=True)
        own = settings.model_copy(update={"nats_url": SecretStr(server.url)})
        async with connected(own) as client, Processes() as processes:
            await provision(client, own)
            running = Fleet(own, client, processes, logs)
            master = store_secret(settings.store)
            await asyncio.gather(
                *(running.start(role, secret=role_secret(master, role)) for role in ROLES),
                running.start("gallery", secret=None),
            )
            yield running
