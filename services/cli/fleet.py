"""All services with an embedded server, each its own process, as `up` and `demo` start them."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

from nats.aio.client import Client
from pydantic import SecretStr

from schemas.log import ROLES
from services.cli.connect import as_operator
from services.client import lasting
from services.runtime.child import turn_over
from services.runtime.keys import credentials, house_token, store_secret
from services.runtime.nats_config import ADMIN, CALLOUT
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Child, Processes
from services.runtime.provision import GALLERY, provision
from services.runtime.ready import until_ready
from services.runtime.settings import Settings, to_environ

SERVICES = (*ROLES, GALLERY, CALLOUT)
"""What is started, each under the name of its user on the server."""

LOOK_SECONDS = 1.0
"""How often one looks how large the logs are."""


class Fleet:
    """Running services: the operator's connection to their server, and the means to start more processes beside them.

    Args:
        settings: what all processes share; no process is given another's keys or secrets.
    """

    def __init__(self, settings: Settings, server: NatsServer, client: Client, processes: Processes) -> None:
        self.client = client
        self.processes = processes
        self._server = server
        shared = {"nats_url": SecretStr(server.url), "nats_seed": None, "nats_issuer": None}
        self._settings = settings.model_copy(update={**shared, "secret": None, "token": None})

    @property
    def url(self) -> str:
        """The server's address, for players."""
        return self._server.url

    @property
    def house(self) -> bytes:
        """The token of the house in the matches opened here."""
        return house_token(store_secret(self._server.store))

    @property
    def logs(self) -> Path:
        """The folder of the processes' logs."""
        return self._server.store / "logs"

    async def start(self, service: str, own: Mapping[str, SecretStr], *, replicas: int) -> None:
        """Start processes of a service with settings of its own, each again whenever it ends; wait until all are ready.

        Raises ChildFailed.
        """
        names = [service, *(f"{service}-{number}" for number in range(2, replicas + 1))]
        children = [replace(self.child(name, "run", service, **own), restart=True) for name in names]
        ready = partial(until_ready, self.client, service, count=replicas)
        await asyncio.gather(*(self.processes.start(child, ready=ready) for child in children))

    def child(self, name: str, *arguments: str, **own: object) -> Child:
        """A process that runs `fairdeal ARGUMENTS` with the settings of all, and its own."""
        if self._settings.health_port:
            own["health_port"] = 0  # one port is not for several processes
        return Child(
            name=name,
            command=[sys.executable, "-m", "services.cli", *arguments],
            env=to_environ(self._settings.model_copy(update=own), base=os.environ),
            log=self.logs / f"{name}.log",
        )


@asynccontextmanager
async def fleet(settings: Settings, *, replicas: int = 1) -> AsyncGenerator[Fleet]:
    """Start the server on `settings.store`, its streams, and so many processes of each service; stop all at the end.

    Meanwhile what ends is started again, the server too. Raises NatsServerError and ChildFailed.
    """
    async with NatsServer(settings.store, binary=settings.nats_server_bin) as server:
        operator = {"nats_url": SecretStr(server.url), "nats_seed": server.keys.users[ADMIN]}
        async with as_operator(settings.model_copy(update=operator)) as client, Processes() as processes:
            await provision(client, settings)
            running = Fleet(settings, server, lasting(client), processes)
            running.logs.mkdir(exist_ok=True)
            own = credentials(server.keys, store_secret(settings.store))
            await asyncio.gather(*(running.start(service, own[service], replicas=replicas) for service in SERVICES))
            keeping = asyncio.gather(server.keep(), _keep_short(running.logs))
            try:
                yield running
            finally:
                keeping.cancel()
                await asyncio.gather(keeping, return_exceptions=True)


async def _keep_short(logs: Path) -> NoReturn:
    """See to it that the logs in the folder do not grow for ever."""
    while True:
        _shorten(logs)
        await asyncio.sleep(LOOK_SECONDS)


def _shorten(logs: Path) -> None:
    for log in logs.glob("*.log"):
        with suppress(OSError):  # the disk may be full, or somebody has taken the log away
            turn_over(log)
