"""Timers on a real server: a match has one, which is set before it is needed and fires also after a crash."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from faststream import FastStream
from nats.aio.client import Client
from nats.js.api import DeliverPolicy
from nats.js.errors import NotFoundError
from pydantic import SecretStr

from schemas.clock import Clock
from schemas.subjects import fired_subject, timer_subject
from services.client import open_match
from services.dealer import app as dealer
from services.games import clock
from services.games.fold import Fold
from services.games.match import Match, due
from services.referee import app as referee
from services.runtime import app
from services.runtime.jetstream import JetStreamLog
from services.runtime.keys import credentials
from services.runtime.log import Unavailable
from services.runtime.nats_server import NatsServer
from services.runtime.provision import DurableConfig, durable_consumer
from services.runtime.settings import Settings
from services.runtime.timers import Timers
from tests.users import connected

SECONDS = 20
MATCH = "M" * 26
HOUR = 3_600_000


@pytest.fixture
def timers(client: Client) -> Timers:
    """The timers of one process."""
    return Timers(client, clock=app.now)


async def set_for(client: Client, match: str = MATCH) -> str | None:
    """What the timer of the match says; None where none is set."""
    try:
        message = await client.jetstream().get_last_msg("TIMERS", timer_subject(match))
    except NotFoundError:
        return None
    headers = message.headers or {}
    assert headers["Nats-Schedule-Target"] == fired_subject(match)
    return str(headers["Nats-Schedule"])


async def sets(client: Client) -> int:
    """How often a timer was set or has fired, on the whole stream."""
    return (await client.jetstream().stream_info("TIMERS")).state.last_seq


async def on_stream(client: Client) -> dict[str, int]:
    """How many messages there are of each timer, set or fired."""
    info = await client.jetstream().stream_info("TIMERS", subjects_filter=">")
    return info.state.subjects or {}


async def fires(client: Client) -> str:
    """Wait until a timer fires; the subject."""
    subscription = await client.jetstream().pull_subscribe_bind("timers", "TIMERS")
    (message,) = await subscription.fetch(1, timeout=SECONDS)
    await message.ack_sync()
    return message.subject


# --- one process -------------------------------------------------------------------------------------------------


async def test_a_timer_is_set_to_the_millisecond(client: Client, timers: Timers) -> None:
    await timers.arm(MATCH, 4_102_444_800_007)
    assert await set_for(client) == "@at 2100-01-01T00:00:00.007Z"


async def test_a_timer_fires_and_is_gone_when_it_is_acted_on(client: Client, timers: Timers) -> None:
    at = app.now() + 300
    await timers.arm(MATCH, at)
    assert await fires(client) == fired_subject(MATCH)
    assert app.now() >= at
    assert await on_stream(client) == {}


async def test_a_timer_is_only_ever_set_earlier(client: Client, timers: Timers) -> None:
    """What is needed later is served by the timer that is there, and costs nothing; earlier takes its place."""
    soon = app.now() + HOUR
    await timers.arm(MATCH, soon)
    first = await set_for(client)
    for later in range(3):
        await timers.arm(MATCH, soon + later)
    assert (await set_for(client), await sets(client)) == (first, 1)
    await timers.arm(MATCH, soon - 1)
    assert await set_for(client) != first
    assert await on_stream(client) == {timer_subject(MATCH): 1}


async def test_what_has_fired_is_set_anew(client: Client, timers: Timers) -> None:
    """Given a timer that this process believes in; when its time is past; then it sets the next."""
    await timers.arm(MATCH, app.now() + 50)
    await fires(client)
    await timers.arm(MATCH, app.now() + HOUR)
    assert await on_stream(client) == {timer_subject(MATCH): 1}


async def test_what_is_long_past_fires_at_once(client: Client, timers: Timers) -> None:
    await timers.arm(MATCH, 1)
    assert await fires(client) == fired_subject(MATCH)


async def test_without_the_stream_nothing_is_promised(bare_client: Client) -> None:
    with pytest.raises(Unavailable):
        await Timers(bare_client, clock=app.now).arm(MATCH, app.now())


# --- several processes -------------------------------------------------------------------------------------------


async def test_a_timer_that_another_process_has_set_is_found(client: Client, timers: Timers) -> None:
    soon = app.now() + HOUR
    await Timers(client, clock=app.now).arm(MATCH, soon)
    await timers.arm(MATCH, soon + 1)
    assert await sets(client) == 1
    await timers.arm(MATCH, soon - 1)
    assert await sets(client) == 2


async def test_a_later_timer_never_takes_the_place_of_an_earlier_one(client: Client, timers: Timers) -> None:
    """Given a process that believes in a timer which another has meanwhile set earlier; then the earlier one stays."""
    soon = app.now() + HOUR
    await timers.arm(MATCH, soon)
    await Timers(client, clock=app.now).arm(MATCH, soon - 10)
    earliest = await set_for(client)
    await timers.arm(MATCH, soon - 5)
    assert await set_for(client) == earliest


async def test_what_is_overdue_is_never_put_off_for_long(client: Client, timers: Timers) -> None:
    """Given a timer that has not fired in time, and a commit that is never stored; then the match is looked at."""
    await timers.arm(MATCH, app.now() - 1)
    await Timers(client, clock=app.now).arm(MATCH, app.now() + HOUR)
    assert await fires(client) == fired_subject(MATCH)


async def test_of_many_at_once_the_earliest_stands(client: Client) -> None:
    soon = app.now() + HOUR
    processes = [Timers(client, clock=app.now) for _ in range(12)]
    order = [5, 11, 2, 7, 0, 9, 3, 10, 1, 8, 4, 6]
    await asyncio.gather(*(process.arm(MATCH, soon + ms) for process, ms in zip(processes, order, strict=True)))
    earliest = Timers(client, clock=app.now)
    before = await sets(client)
    await earliest.arm(MATCH, soon)
    assert await sets(client) == before
    assert await on_stream(client) == {timer_subject(MATCH): 1}


async def test_timers_survive_kill_9_of_the_server(server: NatsServer, client: Client, timers: Timers) -> None:
    """Given one timer that fires while the server is down, and one after; then both fire when it is back."""
    await timers.arm(MATCH, app.now() + 100)
    await timers.arm("N" * 26, app.now() + 1500)
    os.kill(server.pid, signal.SIGKILL)
    await server.wait()
    await server.restart()
    async with connected(server) as again:
        assert [await fires(again), await fires(again)] == [fired_subject(MATCH), fired_subject("N" * 26)]


# --- a referee ---------------------------------------------------------------------------------------------------


class Services:
    """A dealer and a referee in this process, each started when it is asked for."""

    def __init__(self, server: NatsServer) -> None:
        self._server = server
        self._apps: list[FastStream] = []

    async def start(self, name: str) -> None:
        """Start one of the two."""
        own = credentials(self._server.keys, SecretStr("5e" * 32))[name]
        settings = Settings(nats_url=SecretStr(self._server.url)).model_copy(update=own)
        broker = app.connection(name, settings)
        running = FastStream(broker)
        self._apps.append(running)
        client = await broker.connect()
        service = app.Service(name=name, settings=settings, app=running, client=client)
        await (dealer if name == "dealer" else referee).setup(service)
        await running.start()

    async def stop(self) -> None:
        """Stop them."""
        for running in self._apps:
            await running.stop()


@pytest.fixture
async def services(server: NatsServer) -> AsyncIterator[Services]:
    """Services that have not been started."""
    services = Services(server)
    yield services
    await services.stop()


async def becomes(client: Client, match: str, who: str) -> Match:
    """Wait until `who` is due in the match."""
    log, fold = JetStreamLog(client), Fold(match)
    async with asyncio.timeout(SECONDS):
        while fold.state is None or due(fold.state) != who:
            for entry in await log.read(match, fold.sequence):
                fold.apply(*entry)
            await asyncio.sleep(0.005)
    return fold.state


async def test_a_match_has_its_timer_before_it_has_a_commit(client: Client, services: Services) -> None:
    """Given no stream for timers; then no match is opened that nobody would look at."""
    await services.start("referee")
    await client.jetstream().delete_stream("TIMERS")
    opening = asyncio.create_task(open_match(client, "gongzhu", {}, seats=4))
    done, _ = await asyncio.wait([opening], timeout=0.5)
    assert done == set()
    opening.cancel()
    assert (await client.jetstream().stream_info("LOG")).state.messages == 0


async def test_a_lost_token_is_mended(client: Client, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given the dealer's token is gone for good; when he has been due for long; then a commit calls him again."""
    monkeypatch.setattr(clock, "OVERDUE", 500)
    await services.start("referee")
    match = await open_match(client, "gongzhu", {}, seats=4)
    stream = client.jetstream()
    await stream.delete_consumer("LOG", "dealer")
    from_now_on = replace(durable_consumer(DurableConfig(), "dealer"), deliver_policy=DeliverPolicy.NEW)
    await stream.add_consumer("LOG", from_now_on)
    await services.start("dealer")

    state = await becomes(client, match, "open")

    assert state.root
    fold, found = Fold(match), list[tuple[str, int]]()
    for entry in await JetStreamLog(client).read(match):
        message = fold.apply(*entry)
        assert message is not None
        found.append((entry.subject.removeprefix(f"log.{match}."), len(message.commit.events)))
    assert found[0] == ("referee.dealer", 1)
    assert found[1] == ("referee.dealer", 0)
    assert found[-1] == ("dealer.open", 1)


async def test_a_match_that_is_not_filled_is_closed_and_leaves_no_timer(client: Client, services: Services) -> None:
    await services.start("referee")
    await services.start("dealer")
    match = await open_match(client, "gongzhu", {}, seats=4, clock=Clock(join=1))
    opened = await becomes(client, match, "open")
    assert await on_stream(client) == {timer_subject(match): 1}
    closed = await becomes(client, match, "none")
    assert closed.closed == "unfilled"
    assert 1000 <= closed.at - opened.at < 2000
    async with asyncio.timeout(SECONDS):
        while await on_stream(client):
            await asyncio.sleep(0.005)


async def test_a_timer_of_a_match_that_is_not_there_is_acted_on_in_vain(client: Client, services: Services) -> None:
    await services.start("referee")
    await Timers(client, clock=app.now).arm(MATCH, app.now())
    async with asyncio.timeout(SECONDS):
        while await on_stream(client):
            await asyncio.sleep(0.005)
