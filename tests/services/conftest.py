"""What tests of services need: the processes of the services, really started, on a server of the test's own."""

import asyncio
import io
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
import structlog
from nats.aio.client import Client
from pydantic import SecretStr

import services
from schemas.cards import Seat
from schemas.log import ROLES
from services.bots.bot import play
from services.client import Player
from services.runtime.keys import credentials, house_token
from services.runtime.nats_config import CALLOUT
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Child, Processes
from services.runtime.provision import GALLERY
from services.runtime.ready import until_ready
from services.runtime.settings import Settings, to_environ

ROOT = Path(services.__file__).parents[1]
SECRET = SecretStr("5e" * 32)
HOUSE_TOKEN = house_token(SECRET)
"""By which the house acts in matches on these services."""

SECONDS = 30
STOP_SECONDS = 4.0
"""Less than what a child has to end by itself before it is killed."""

RUN = "from services.{name}.app import run; from services.runtime.settings import load_settings; run(load_settings())"

MakeChild = Callable[[str], Child]


def fairdeal(*arguments: str) -> list[str]:
    """The command line that runs `fairdeal ARGUMENTS` in a process of its own."""
    return [sys.executable, "-m", "services.cli", *arguments]


def environ(**settings: object) -> dict[str, str]:
    """The environment of a process that finds this project, and has these settings only."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FAIRDEAL_")}
    return {**kept, "PYTHONPATH": str(ROOT)} | {
        f"FAIRDEAL_{key.upper()}": str(value) for key, value in settings.items()
    }


@contextmanager
def up(folder: Path, *arguments: str) -> Generator["Up"]:
    """All services, as `fairdeal up` starts them in this folder, until Ctrl-C."""
    store = folder / "store"
    with subprocess.Popen(
        fairdeal("up", *arguments), env=environ(store=store), cwd=folder, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert "all services are up" in process.stdout.readline()
            yield Up(store, process.pid)
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(STOP_SECONDS) == 0


class Up(NamedTuple):
    """Running services: the store, and the process that started them."""

    store: Path
    pid: int


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The store of running services, which `fairdeal up` has started."""
    with up(tmp_path_factory.mktemp("up")) as running:
        yield running.store


def command_line(pid: int) -> str:
    """The command line of a process; empty where it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def descendants(pid: int) -> Iterator[int]:
    """The processes that the process has started, and what they have."""
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield int(child)
        yield from descendants(int(child))


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
    """Makes the process of a service, to be started on the test's server."""
    shared = Settings(
        nats_url=SecretStr(server.url),
        log_format="json",
        opens_burst=1_000_000,
    )
    base = environ()

    def make(name: str) -> Child:
        own = credentials(server.keys, SECRET)[name]
        settings = shared.model_copy(update=own)
        command = [sys.executable, "-c", RUN.format(name=name)]
        return Child(name=name, command=command, env=to_environ(settings, base=base), log=tmp_path / f"{name}.log")

    return make


@pytest.fixture
async def roles(client: Client, child: MakeChild) -> AsyncIterator[Processes]:
    """A dealer, a referee and a scorer, ready."""
    async with Processes() as processes:
        await start(processes, client, *map(child, ROLES))
        yield processes


@pytest.fixture
async def referees(client: Client, child: MakeChild, roles: Processes, tmp_path: Path) -> Processes:
    """The roles, and a second referee named `other`."""
    other = replace(child("referee"), name="other", log=tmp_path / "other.log")
    await roles.start(other, ready=partial(until_ready, client, "referee", count=2))
    return roles


@pytest.fixture
async def all_services(client: Client, child: MakeChild, roles: Processes) -> Processes:
    """The roles, the gallery and the callout, ready."""
    await start(roles, client, child(GALLERY), child(CALLOUT))
    return roles


async def start(processes: Processes, client: Client, *children: Child) -> None:
    """Start the services, and wait until each is ready."""
    await asyncio.gather(*(processes.start(each, ready=partial(until_ready, client, each.name)) for each in children))


async def sit_and_play(player: Player, seat: Seat | None = None, *, seed: bytes | None = None) -> None:
    """Let a bot take a seat and play to the end, both over the connection that the player has."""
    await player.join(seat)
    await play(player, seed=seed)
