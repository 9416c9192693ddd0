"""What many tests need: a NATS server of the test's own, and how many whole matches are to be played."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from nats.aio.client import Client

from services.runtime.nats_server import NatsServer
from services.runtime.provision import provision
from services.runtime.settings import Settings
from tests.users import TEST_USERS, connected


def pytest_configure() -> None:
    """A shell makes its background jobs ignore Ctrl-C, and children inherit that: tests that send it would wait."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--matches", type=int, default=50, metavar="N", help="how many whole matches are played and judged"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "match_number" in metafunc.fixturenames:
        metafunc.parametrize("match_number", range(int(metafunc.config.option.matches)), scope="module")


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[NatsServer]:
    """A server with nothing on it."""
    async with NatsServer(tmp_path / "store", users=TEST_USERS) as server:
        yield server


@pytest.fixture
async def bare_client(server: NatsServer) -> AsyncIterator[Client]:
    """A connection to the server as it is, which may do anything."""
    async with connected(server) as client:
        yield client


@pytest.fixture
async def client(bare_client: Client) -> Client:
    """A connection to the server, on which all streams and consumers are."""
    await provision(bare_client, Settings())
    return bare_client
