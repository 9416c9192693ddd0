"""Tokens: a message that makes a role look is acked when its turn is taken, and else comes again, for ever."""

import asyncio
import gc
import hashlib
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NoReturn

import msgspec
import pytest
from faststream import FastStream
from nats.aio.client import Client
from nats.aio.msg import Msg
from pydantic import SecretStr

from schemas.actions import Open, as_action
from schemas.codec import to_log
from schemas.log import NO_CHAIN
from schemas.subjects import log_filter, log_match, log_subject
from services.dealer.app import turn
from services.games.decide import Draft, commit_of, open_match
from services.games.match import Match
from services.runtime import app
from services.runtime.health import Health
from services.runtime.jetstream import LEADER_GET, JetStreamLog
from services.runtime.log import Entry
from services.runtime.logging import configure_logging
from services.runtime.nats_server import NatsServer
from services.runtime.ready import until_ready
from services.runtime.settings import Settings
from services.runtime.worker import Turn

SECONDS = 20
A, B = "A" * 26, "B" * 26
HIDDEN = "5eA-hush"

StartDealer = Callable[[Turn], Awaitable[None]]


@pytest.fixture
def settings(server: NatsServer) -> Settings:
    """The settings of a dealer on the test's server."""
    seed = server.keys.users["dealer"]
    return Settings(nats_url=SecretStr(server.url), nats_seed=seed, secret=SecretStr("5e" * 32))


@pytest.fixture
async def start_dealer(client: Client, settings: Settings) -> AsyncIterator[StartDealer]:
    """Starts a dealer in this process that does the given on its turn."""
    broker = app.connection("dealer", settings)
    connected, dealer = await broker.connect(), FastStream(broker)

    async def start(turn: Turn) -> None:
        service = app.Service(name="dealer", settings=settings, app=dealer, client=connected)
        await app.take_tokens(service, app.role_worker("dealer", service, turn))
        await dealer.start()

    yield start
    await dealer.stop()


def opened(match: str) -> bytes:
    """The first commit of a match, after which the dealer is due."""
    wish = Open(key=hashlib.sha256(b"opener").digest(), game="gongzhu", options={"preset": "standard"}, seats=4)
    commit = commit_of(open_match(as_action(wish)), match=match, index=1, at=0, cause=bytes(16), prev=NO_CHAIN)
    return to_log(commit, bytes(32))


async def store(client: Client, match: str, data: bytes) -> None:
    """Append the first message of a match; it is a token for the dealer."""
    await JetStreamLog(client).append(log_subject(match, "referee", "dealer"), data, expected=0)


async def messages(client: Client, match: str, number: int) -> None:
    """Wait until the match has that many messages."""
    async with asyncio.timeout(SECONDS):
        while len(await JetStreamLog(client).read(match)) < number:
            await asyncio.sleep(0.005)


async def unanswered(client: Client, number: int) -> None:
    """Wait until the dealer's consumer waits for so many acks, and delivers nothing else."""
    async with asyncio.timeout(SECONDS):
        while True:
            info = await client.jetstream().consumer_info("LOG", "dealer")
            if (info.num_ack_pending, info.num_pending) == (number, 0):
                return
            await asyncio.sleep(0.005)


async def test_a_token_is_acked_when_the_turn_is_taken(
    client: Client, settings: Settings, start_dealer: StartDealer
) -> None:
    await start_dealer(turn(settings))
    await store(client, A, opened(A))
    await messages(client, A, 2)
    await unanswered(client, 0)


async def test_a_token_that_is_done_with_does_not_wait_for_the_search_for_garbage(
    client: Client, settings: Settings, start_dealer: StartDealer
) -> None:
    """So seldom is it looked for that a service would grow by megabytes meanwhile."""
    gc.collect()
    gc.disable()
    try:
        await start_dealer(turn(settings))
        matches = [f"{number:026}" for number in range(20)]
        for match in matches:
            await store(client, match, opened(match))
            await messages(client, match, 2)
        await unanswered(client, 0)
        assert sum(isinstance(each, Msg) and log_match(each.subject) in matches for each in gc.get_objects()) < 5
    finally:
        gc.enable()


async def test_a_token_whose_message_is_no_commit_is_acked(
    client: Client, settings: Settings, start_dealer: StartDealer
) -> None:
    await start_dealer(turn(settings))
    await store(client, A, b"garbage")
    await store(client, B, opened(B))
    await messages(client, B, 2)
    await unanswered(client, 0)


async def test_a_token_on_a_subject_that_names_no_match_is_acked_and_nothing_is_read_for_it(
    client: Client, settings: Settings, start_dealer: StartDealer
) -> None:
    """Else `*` would have all matches read, and of a long log there is no room for that."""
    filters: list[str] = []

    async def note(message: Msg) -> None:
        filters.append(str(msgspec.json.decode(message.data).get("last_by_subj")))

    await start_dealer(turn(settings))
    await client.subscribe(LEADER_GET, cb=note)
    for nobodys in ("*", ">", "short", "a" * 20, "A" * 27, "é" * 20):
        await client.jetstream().publish(f"log.{nobodys}.dealer.dealer", opened(A))
    await store(client, B, opened(B))
    await messages(client, B, 2)
    await unanswered(client, 0)
    await client.flush()
    assert set(filters) == {log_filter(B)}


async def test_a_token_comes_again_until_the_turn_succeeds_and_the_error_is_logged_without_its_words(
    client: Client, settings: Settings, start_dealer: StartDealer, output: io.StringIO
) -> None:
    configure_logging("dealer", form="json", stream=output)
    tries = 0

    def third_time(match: Match) -> Draft:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise KeyError(HIDDEN)
        return turn(settings)(match)

    await start_dealer(third_time)
    await store(client, A, opened(A))
    await messages(client, A, 2)
    await unanswered(client, 0)
    lines = [msgspec.json.decode(line) for line in output.getvalue().splitlines()]
    assert [(line["event"], line["level"], line["error"]) for line in lines] == [
        ("turn failed", "error", "KeyError")
    ] * 2
    assert "test_tokens.py" in lines[0]["at"][-1]
    assert HIDDEN not in output.getvalue()


async def test_a_match_for_a_newer_version_keeps_its_token_and_holds_up_no_other(
    client: Client, settings: Settings, start_dealer: StartDealer
) -> None:
    public, *rest = msgspec.msgpack.decode(opened(A))
    commit = msgspec.msgpack.decode(public)
    commit["events"][0]["rules"] += 1
    await start_dealer(turn(settings))
    await store(client, A, msgspec.msgpack.encode([msgspec.msgpack.encode(commit), *rest]))
    await store(client, B, opened(B))
    await messages(client, B, 2)
    await unanswered(client, 1)
    await messages(client, A, 1)


@pytest.mark.parametrize("error", [ValueError(HIDDEN), TimeoutError(HIDDEN)])
async def test_a_service_whose_work_fails_ends(settings: Settings, error: Exception) -> None:
    """Else it would look as if it worked; the one that is started in its place does."""
    output = io.StringIO()
    configure_logging("dealer", stream=output)

    async def fail() -> NoReturn:
        await asyncio.sleep(0.1)
        raise error

    async def setup(service: app.Service) -> None:
        app.go_on(service, fail())

    async with asyncio.timeout(SECONDS):
        await app.serve("dealer", settings, setup, health := Health())
    assert health.failed
    (line,) = [line for line in map(msgspec.json.decode, output.getvalue().splitlines()) if line["level"] == "error"]
    assert (line["event"], line["error"]) == ("ended by a fault", type(error).__name__)
    assert HIDDEN not in output.getvalue()


async def test_what_was_taken_is_done_before_the_service_ends(client: Client, settings: Settings) -> None:
    """Given a turn that takes a while; when the service is ended meanwhile; then the turn is taken, its token acked."""
    begun = asyncio.Event()

    async def setup(service: app.Service) -> None:
        async def act(_match: str, _token: Entry) -> None:
            begun.set()
            service.app.exit()
            await asyncio.sleep(0.3)

        await app.take_hints(service, "dealer", log_match, act)

    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(app.serve("dealer", settings, setup, health := Health()))
        await until_ready(client, "dealer")
        await store(client, A, opened(A))
        await running
        assert (begun.is_set(), health.failed) == (True, False)
        await unanswered(client, 0)


def test_the_delay_grows_up_to_its_limit() -> None:
    delays = [app.token_delay(delivered) for delivered in range(1, 1000)]
    assert delays[:3] == [0.05, 0.1, 0.2]
    assert delays == sorted(delays)
    assert delays[-1] == app.LONGEST_DELAY
