"""Health: what `/livez` and `/readyz` say of a real service while its server comes and goes, and what that costs."""

import asyncio
import json
import os
import re
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.subjects import log_subject
from services.cli.fleet import SERVICES
from services.runtime.health import LARGEST_LAG, Health, Readiness, fullness, serving
from services.runtime.jetstream import JetStreamLog
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Child, Processes
from services.runtime.provision import provision
from services.runtime.settings import Settings, SettingsError
from tests.house import SETTINGS
from tests.services.conftest import MakeChild
from tests.services.processed import Processed

SECONDS = 20
MATCH = "M" * 26
BUSY = 0.1
"""The share of a core that a service at rest stays below."""


async def get(port: int, path: str) -> tuple[int, dict[str, Any]]:
    """Status and body of an HTTP answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), json.loads(body)


async def until(port: int, wanted: Callable[[int, dict[str, Any]], bool]) -> dict[str, Any]:
    """Ask `/readyz` until it says what is wanted."""
    async with asyncio.timeout(SECONDS):
        while not wanted(*(answer := await get(port, "/readyz"))):
            await asyncio.sleep(0.02)
    return answer[1]


def is_ready(status: int, body: dict[str, Any]) -> bool:
    """Whether a service says that it is ready."""
    return (status, body) == (200, {"ready": True, "reasons": [], "warnings": []})


def gives(reason: str) -> Callable[[int, dict[str, Any]], bool]:
    """Whether a service says that it is not ready, for this reason."""
    return lambda status, body: status == 503 and not body["ready"] and reason in body["reasons"]


async def port_of(child: Child) -> int:
    """The port that a service has logged."""
    assert child.log is not None
    async with asyncio.timeout(SECONDS):
        while not (found := re.search(r'"health is served".*"port": (\d+)', child.log.read_text())):
            await asyncio.sleep(0.02)
    return int(found[1])


def with_health(child: Child) -> Child:
    """The same process, on a free port for its health."""
    return replace(child, env={**child.env, "FAIRDEAL_HEALTH_PORT": "0"})


def cpu_seconds(pid: int) -> float:
    """How much a process has worked since it began."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


async def load_of(pid: int, seconds: float = 1.0) -> float:
    """The share of a core that a process uses."""
    before = cpu_seconds(pid)
    await asyncio.sleep(seconds)
    return (cpu_seconds(pid) - before) / seconds


@pytest.fixture
async def processes() -> AsyncIterator[Processes]:
    """Processes that end with the test."""
    async with Processes() as processes:
        yield processes


async def test_services_wait_for_their_server_and_go_on_by_themselves(
    server: NatsServer, client: Client, child: MakeChild, processes: Processes
) -> None:
    """Absent at the start, there, away, there again: `/readyz` says so, `/livez` is fine, and no loop is busy."""
    await server.stop()
    children = [with_health(child(service)) for service in SERVICES]
    for one in children:
        await processes.start(one)
    ports = [await port_of(one) for one in children]
    pids = [processes.pid(service) for service in SERVICES]
    for number in range(2):
        await asyncio.gather(*(until(port, gives("the NATS server cannot be reached")) for port in ports))
        assert [await get(port, "/livez") for port in ports] == [(200, {"alive": True})] * len(ports)
        assert max(await asyncio.gather(*map(load_of, pids))) < BUSY
        await server.restart()
        await asyncio.gather(*(until(port, is_ready) for port in ports))
        assert (await Processed(SETTINGS[0], client, str(number)).seat_all()).deals == 1
        await server.stop()
    assert [processes.pid(service) for service in SERVICES] == pids


@pytest.mark.parametrize("service", ["scorer", "gallery"])
async def test_a_service_whose_consumer_is_gone_says_so_without_a_busy_loop_and_recovers(
    service: str, client: Client, child: MakeChild, processes: Processes
) -> None:
    one = with_health(child(service))
    await processes.start(one)
    port = await port_of(one)
    await until(port, is_ready)
    await client.jetstream().delete_consumer("LOG", service)
    await until(port, gives(f"consumer {service}: consumer not found"))
    assert await load_of(processes.pid(service)) < BUSY
    await provision(client, Settings())
    await until(port, is_ready)
    await JetStreamLog(client).append(log_subject(MATCH, "dealer", "scorer"), b"no commit", expected=0)
    async with asyncio.timeout(SECONDS):
        while (await client.jetstream().consumer_info("LOG", service)).num_pending != 0:
            await asyncio.sleep(0.02)


async def test_a_service_that_lags_is_not_ready(client: Client) -> None:
    health = Health()
    health.client, health.started = client, True
    health.needs("scorer")
    for _ in range(LARGEST_LAG):
        await client.publish(log_subject(MATCH, "dealer", "scorer"))
    await client.flush()
    assert await health.readiness() == Readiness(ready=True)
    await JetStreamLog(client).append(log_subject("N" * 26, "dealer", "scorer"), b"", expected=0)
    late = Health()
    late.client, late.started = client, True
    late.needs("scorer")
    assert (await late.readiness()).reasons == ["consumer scorer is 1001 messages behind"]


async def test_a_log_that_is_almost_full_is_told_while_the_service_is_ready(bare_client: Client) -> None:
    await provision(bare_client, Settings(log_max_bytes=10_000))
    await JetStreamLog(bare_client).append(log_subject(MATCH, "dealer", "scorer"), bytes(8000), expected=0)
    health = Health()
    health.client, health.started = bare_client, True
    readiness = await health.readiness()
    assert readiness.ready
    assert readiness.warnings == ["stream LOG is at 82 % of its size limit; a full log refuses all commits"]


@pytest.mark.parametrize(("size", "limit", "told"), [(799, 1000, False), (800, 1000, True), (10**9, -1, False)])
def test_a_log_is_almost_full_from_80_percent_on(size: int, limit: int, *, told: bool) -> None:
    assert bool(list(fullness(size, limit))) == told


async def test_a_service_without_a_stream_says_so_and_one_that_starts_too(bare_client: Client) -> None:
    health = Health()
    health.client = bare_client
    health.needs("dealer")
    reasons = (await health.readiness()).reasons
    assert reasons[0] == "the service is starting"
    assert "stream LOG: stream not found" in reasons


async def test_asking_often_asks_the_server_once(client: Client) -> None:
    asked: list[str] = []

    async def note(message: Msg) -> None:
        asked.append(message.subject)

    await client.subscribe("$JS.API.STREAM.INFO.LOG", cb=note)
    health = Health()
    health.client, health.started = client, True
    states = await asyncio.gather(*(health.readiness() for _ in range(50)))
    await client.flush()
    assert states == [Readiness(ready=True)] * 50
    assert len(asked) == 1


async def test_without_a_port_nothing_is_served_and_a_taken_one_is_refused() -> None:
    async with serving(Health(), Settings()):
        pass
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(SettingsError, match=f"port {port}: Address already in use"):
            async with serving(Health(), Settings(health_port=port)):
                pass


async def test_other_paths_are_not_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    async with serving(Health(), Settings(health_port=port)), asyncio.timeout(SECONDS):
        assert (await get(port, "/"))[0] == 404
