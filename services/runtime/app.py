"""What the apps of all services share: how one is connected, run, ready and ended, and how a role takes its tokens."""

import asyncio
import gc
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn

import nats.errors
import structlog
from faststream import FastStream
from faststream.nats import NatsBroker
from faststream.nats.security import NatsNKey
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.codec import NeedsNewer
from schemas.log import Role
from schemas.subjects import is_match_id, log_match, user_inbox
from services.runtime import keys
from services.runtime.health import Health, serving
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry, Unavailable
from services.runtime.logging import configure_logging, fault
from services.runtime.nats_server import server_url
from services.runtime.provision import CONSUMERS, missing_consumer
from services.runtime.pull import Pull, numbers_of
from services.runtime.ready import say_ready
from services.runtime.settings import Settings
from services.runtime.tails import listen, teller
from services.runtime.tasks import Tasks
from services.runtime.worker import Behind, Turn, Watch, Worker, unwatched

if sys.platform == "win32":
    from asyncio import new_event_loop
else:
    from uvloop import new_event_loop

log = structlog.stdlib.get_logger()

TOKENS = 50
"""So many are asked for at once while fewer are acted on; they are hints, whose order does not matter."""

WAIT = 1.0
"""Seconds for which a request for tokens stands; so long may one that was lost go unseen."""

GRACE = 2.0
"""Seconds for the tokens that were taken to be acted on as the service ends; a supervisor may wait for only 5."""

FIRST_DELAY = 0.05
LONGEST_DELAY = 10.0
"""Seconds until a token comes again that could not be acted on: at first, and at most."""


RECONNECT_SECONDS = 0.2
"""How long to wait between tries to have the server back: less than players do, whom the callout must let in."""

PING_SECONDS = 10
"""How often a silent server is asked whether it is there; after two answers missed the connection is made anew."""

GARBAGE = 50_000
"""So many new objects are there before garbage is looked for: each search keeps all matches waiting."""

PATIENCE = 1.0
"""Seconds until the server is asked again that could not answer."""


@dataclass(frozen=True, kw_only=True)
class Service:
    """A service that is connected and about to start: what `setup` adds its work to."""

    name: str
    settings: Settings
    app: FastStream
    client: Client
    health: Health = field(default_factory=Health)


Setup = Callable[[Service], Awaitable[None]]

Act = Callable[[str, Entry], Awaitable[None]]
"""Does what is to be done in a match because of a message."""


def run(name: str, settings: Settings, setup: Setup) -> None:
    """Run a service in this process until SIGINT or SIGTERM.

    Raises what `setup` raises, and SystemExit with code 1 where a part of the service has failed.
    """
    configure_logging(name, level=settings.log_level, form=settings.log_format)
    health = Health()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(serve(name, settings, setup, health))
    if health.failed:
        sys.exit(1)


async def serve(name: str, settings: Settings, setup: Setup, health: Health) -> None:
    """Connect, set up, start, say ready, and wait for the end; answer meanwhile how it is."""
    async with serving(health, settings):
        await _serve(name, settings, setup, health)


async def _serve(name: str, settings: Settings, setup: Setup, health: Health) -> None:
    broker = connection(name, settings)
    log.info("connecting")
    client = health.client = await broker.connect()
    app = FastStream(broker, logger=structlog.stdlib.get_logger("faststream"))

    @app.after_startup
    async def ready() -> None:
        gc.collect()
        gc.freeze()  # what is here now stays, and need not be looked through again
        gc.set_threshold(GARBAGE)
        await client.flush()
        await say_ready(client, name)
        health.started = True
        log.info("ready")

    try:
        await setup(Service(name=name, settings=settings, app=app, client=client, health=health))
        await app.run()
    except nats.errors.ConnectionReconnectingError:
        log.warning("ended while the server could not be reached")
    finally:
        await client.close()


class _Broker(NatsBroker):
    """With what nats-py can do and FastStream does not hand on.

    Our subjects are made of ids that were looked at, and to look at each again takes as long as to send it. Headers
    come with each commit, and nats-py's own reader takes three times as long for them.
    """

    async def _connect(self) -> Client:
        self._connection_kwargs |= {"skip_subject_validation": True, "reconnect_time_wait": RECONNECT_SECONDS}
        client = await super()._connect()
        client._parse_header_lines = header_lines  # type: ignore[method-assign]  # noqa: SLF001
        return client


def header_lines(raw: bytes) -> dict[str, str]:
    """Headers as they stand in a message, one on a line; a line that is none is passed over, as nats-py does."""
    lines = [line.partition(":") for line in raw.decode("utf-8", "replace").split("\r\n")]
    return {name: value.strip(" \t") for name, colon, value in lines if colon}


def connection(name: str, settings: Settings) -> NatsBroker:
    """The broker of a service; its connection is made anew for ever."""
    seed = settings.nats_seed
    return _Broker(
        server_url(settings),
        name=name,
        security=None if seed is None else NatsNKey.from_seed(seed.get_secret_value()),
        inbox_prefix=user_inbox(name),
        max_reconnect_attempts=-1,
        ping_interval=PING_SECONDS,
        no_echo=True,  # what one tells the others one knows
        logger=structlog.stdlib.get_logger("faststream"),
    )


def role_worker(role: Role, service: Service, turn: Turn, watch: Watch = unwatched) -> Worker:
    """The worker of a role's service. Raises SettingsError where it has no secret."""
    salt_key = keys.salt_key(keys.required(service.settings), role)
    return Worker(
        role,
        JetStreamLog(service.client),
        salt_key=salt_key,
        turn=turn,
        clock=now,
        watch=watch,
        tell=teller(service.client, role),
    )


async def require_consumer(service: Service, name: str) -> None:
    """Wait until the durable consumer is there; `fairdeal migrate` makes it."""
    stream, complaint = CONSUMERS[name].stream, ""
    service.health.needs(name, stream=stream)
    while reason := await _missing(service.client, name):
        if reason != complaint:
            log.warning(reason, consumer=name, stream=stream)
        complaint = reason
        await asyncio.sleep(PATIENCE)


async def _missing(client: Client, consumer: str) -> str:
    """Why the consumer cannot be used yet; empty where it can."""
    try:
        return "there is no such consumer: run `fairdeal migrate`" if await missing_consumer(client, consumer) else ""
    except (nats.errors.Error, TimeoutError):
        return "JetStream does not answer"


async def take_tokens(service: Service, worker: Worker) -> None:
    """Let the worker take its turns as tokens come."""

    async def act(match: str, token: Entry) -> None:
        worker.hear(match, [token])
        await worker.take_turns(match, token.sequence)

    await listen(service.client, worker.hear)
    await take_hints(service, worker.role, log_match, act)


async def take_hints(service: Service, name: str, match_of: Callable[[str], str], act: Act) -> None:
    """Act on the messages of a durable consumer, which say no more than that a match must be looked at.

    One that cannot be acted on comes again, for ever.
    """
    await require_consumer(service, name)
    pull, tasks = Pull(service.client, CONSUMERS[name].stream, name), Tasks()

    async def acted(token: Msg) -> bool:
        """Whether what is to be done because of a token could be done."""
        match = match_of(token.subject)
        try:
            if is_match_id(match):  # else it is nobody's, and `*` would stand for all matches
                await act(match, Entry(numbers_of(token).sequence, token.subject, token.data))
        except (Behind, Unavailable, NeedsNewer) as reason:
            log.info("token waits", match=match, reason=type(reason).__name__)
            return False
        except Exception as error:  # noqa: BLE001 - it is logged without its words, which may hold what is hidden
            fault("turn failed", error, match=match)
            return False
        return True

    async def take(token: Msg) -> None:
        done = await acted(token)
        with suppress(nats.errors.Error):  # then it comes again in any case
            if done:
                await token.ack()
            else:
                await token.nak(delay=token_delay(token.metadata.num_delivered))

    async def take_all() -> NoReturn:
        await pull.start()
        try:
            while True:
                await tasks.fewer_than(TOKENS)
                for token in await pull.fetch(TOKENS, WAIT):
                    tasks.start(take(token))
        finally:
            await pull.stop()

    go_on(service, take_all())

    @service.app.on_shutdown
    async def settle() -> None:
        """Act on what was taken, and ack it: else it would be acted on again. Acks are sent as the connection ends."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await tasks.settle()


def go_on(service: Service, work: Coroutine[Any, Any, NoReturn]) -> None:
    """Do this as long as the service runs. Where it fails the service ends, lest it keeps another one from the work."""
    task = asyncio.create_task(work)

    @task.add_done_callback
    def ended(task: asyncio.Task[NoReturn]) -> None:
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            fault("ended by a fault", error)
            service.health.failed = True
            service.app.exit()

    @service.app.on_shutdown
    async def stop() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def token_delay(delivered: int) -> float:
    """Seconds until a token comes again that was delivered so often."""
    return min(FIRST_DELAY * 2.0 ** min(delivered - 1, 20), LONGEST_DELAY)


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
