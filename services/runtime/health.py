"""Health over HTTP: `/livez`, whether the process turns, and `/readyz`, whether it can work and, if not, why."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterator, MutableMapping
from typing import Any

import msgspec
import nats.errors
import structlog
import uvicorn
from msgspec import Struct
from nats.aio.client import Client

from schemas.subjects import LOG_STREAM
from services.runtime.settings import Settings, SettingsError

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]

CACHED_SECONDS = 1.0
"""How long an answer of `/readyz` holds, so that asking often costs the server nothing."""

ASK_SECONDS = 1.0
"""How long the server may take to say how it is."""

LARGEST_LAG = 1000
"""How many messages a consumer may be behind before its service counts as not ready."""

ALMOST_FULL = 80
"""Percent of the log's size limit from which on it is told."""

END_SECONDS = 1
"""How long an answer that is being given may hold up the end of the process."""

log = structlog.stdlib.get_logger()


class Readiness(Struct, frozen=True, kw_only=True):
    """The answer of `/readyz`.

    Attributes:
        ready: whether the service can work now.
        reasons: why it cannot.
        warnings: what an operator should see to before it keeps the service from working.
    """

    ready: bool
    reasons: list[str] = []
    warnings: list[str] = []


class _Error(Struct):
    description: str = ""


class _Config(Struct):
    max_bytes: int = -1


class _State(Struct):
    bytes: int = 0


class _Info(Struct):
    """What is read of the server's answer about a stream or a consumer."""

    error: _Error | None = None
    config: _Config = msgspec.field(default_factory=_Config)
    state: _State = msgspec.field(default_factory=_State)
    num_pending: int = 0


class Health:
    """How a service is. The service says what it needs, which connection it has, and when it has started."""

    def __init__(self) -> None:
        self.client: Client | None = None
        self.started = False
        self.failed = False  # a part of it, and so it ends
        self.asks_jetstream = True
        self._consumers: list[tuple[str, str]] = []
        self._known = Readiness(ready=False)
        self._known_until = 0.0
        self._looking = asyncio.Lock()

    def needs(self, consumer: str, *, stream: str = LOG_STREAM) -> None:
        """The service cannot work without this durable consumer."""
        self._consumers.append((stream, consumer))

    async def readiness(self) -> Readiness:
        """How the service is now, or was less than a second ago."""
        async with self._looking:
            clock = asyncio.get_running_loop().time
            if clock() >= self._known_until:
                self._known = await self._look()
                self._known_until = clock() + CACHED_SECONDS
            return self._known

    async def _look(self) -> Readiness:
        if self.client is None or not self.client.is_connected:
            return Readiness(ready=False, reasons=["the NATS server cannot be reached"])
        reasons = [] if self.started else ["the service is starting"]
        if not self.asks_jetstream:
            return Readiness(ready=not reasons, reasons=reasons)
        try:
            full = await _ask(self.client, f"STREAM.INFO.{LOG_STREAM}")
            for stream, consumer in self._consumers:
                info = await _ask(self.client, f"CONSUMER.INFO.{stream}.{consumer}")
                reasons += _consumer_reasons(consumer, info)
        except (nats.errors.Error, TimeoutError):
            return Readiness(ready=False, reasons=["JetStream does not answer"])
        if full.error is not None:
            reasons.append(f"stream {LOG_STREAM}: {full.error.description}")
        return Readiness(
            ready=not reasons, reasons=reasons, warnings=list(fullness(full.state.bytes, full.config.max_bytes))
        )

    async def __call__(self, scope: _Message, _receive: _Receive, send: _Send) -> None:
        """Answer as an ASGI app."""
        match scope["path"]:
            case "/livez":
                await _answer(send, 200, {"alive": True})
            case "/readyz":
                readiness = await self.readiness()
                await _answer(send, 200 if readiness.ready else 503, readiness)
            case _:
                await _answer(send, 404, {"paths": ["/livez", "/readyz"]})


def fullness(size: int, limit: int) -> Iterator[str]:
    """The warning where a log of `size` bytes comes near its `limit` (-1: none)."""
    if 0 < limit * ALMOST_FULL <= size * 100:
        yield f"stream {LOG_STREAM} is at {100 * size // limit} % of its size limit; a full log refuses all commits"


def _consumer_reasons(name: str, info: _Info) -> Iterator[str]:
    if info.error is not None:
        yield f"consumer {name}: {info.error.description}"
    elif info.num_pending > LARGEST_LAG:
        yield f"consumer {name} is {info.num_pending} messages behind"


async def _ask(client: Client, what: str) -> _Info:
    return msgspec.json.decode((await client.request(f"$JS.API.{what}", timeout=ASK_SECONDS)).data, type=_Info)


async def _answer(send: _Send, status: int, body: object) -> None:
    data = msgspec.json.encode(body)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(data)),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": data})


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave the signals to the service."""
        yield


@contextlib.asynccontextmanager
async def serving(health: Health, settings: Settings) -> AsyncGenerator[None]:
    """Answer on the port that is set, if one is, in the loop of the service. Raises SettingsError for a taken port."""
    if settings.health_port is None:
        yield
        return
    listener = _listen(settings.health_host, settings.health_port)
    log.info("health is served", port=listener.getsockname()[1])
    config = uvicorn.Config(
        health,
        interface="asgi3",
        lifespan="off",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=END_SECONDS,
    )
    server = _Server(config)
    running = asyncio.create_task(server.serve([listener]))
    try:
        yield
    finally:
        server.should_exit = True
        await running


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise SettingsError(f"health cannot be served on {host}, port {port}: {error.strerror}") from None
