"""What the log on JetStream does where it cannot keep its promises: it says so."""

import asyncio
import contextlib

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from structlog.testing import capture_logs

from schemas.subjects import log_subject
from services.runtime import jetstream
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Conflict, Unavailable, Uncertain
from services.runtime.nats_server import NatsServer
from services.runtime.provision import provision
from services.runtime.settings import Settings

MATCH = "M" * 26
SUBJECT = log_subject(MATCH, "referee", "dealer")


async def test_without_a_stream_an_append_is_uncertain_and_a_read_unavailable(bare_client: Client) -> None:
    log = JetStreamLog(bare_client)
    with pytest.raises(Uncertain):
        await log.append(SUBJECT, b"", expected=0)
    with pytest.raises(Unavailable):
        await log.read(MATCH)


async def test_an_answer_that_cannot_be_read_leaves_an_append_uncertain(bare_client: Client) -> None:
    async def answer(message: Msg) -> None:
        await message.respond(b"?")

    await bare_client.subscribe(SUBJECT, cb=answer)
    with pytest.raises(Uncertain):
        await JetStreamLog(bare_client).append(SUBJECT, b"", expected=0)


async def test_without_a_server_an_append_is_uncertain_a_read_unavailable_and_nothing_is_stored_twice(
    server: NatsServer, client: Client
) -> None:
    log = JetStreamLog(client)
    await server.stop()
    appended, read = await asyncio.gather(log.append(SUBJECT, b"", expected=0), log.read(MATCH), return_exceptions=True)
    assert isinstance(appended, Uncertain)
    assert isinstance(read, Unavailable)
    await server.restart()
    with contextlib.suppress(Conflict):
        await log.append(SUBJECT, b"", expected=0)
    assert len(await log.read(MATCH)) == 1


async def test_a_full_log_takes_no_more_and_forgets_nothing(bare_client: Client) -> None:
    await provision(bare_client, Settings(log_max_bytes=2000))
    log = JetStreamLog(bare_client)
    first = await log.append(SUBJECT, bytes(1000), expected=0)
    with capture_logs() as logged:
        for _ in range(3):
            with pytest.raises(Unavailable, match="maximum bytes"):
                await log.append(SUBJECT, bytes(1000), expected=first)
    assert [entry.sequence for entry in await log.read(MATCH)] == [first]
    assert [(each["event"], each["reason"]) for each in logged] == [
        ("the log takes no commit", "maximum bytes exceeded")
    ]


async def test_every_append_carries_one_and_the_same_filter_for_its_match(client: Client) -> None:
    log = JetStreamLog(client)
    first = await log.append(SUBJECT, b"", expected=0)
    second = await log.append(log_subject(MATCH, "dealer", (0, 1)), b"", expected=first)
    for sequence, expected in ((first, 0), (second, first)):
        message = await client.jetstream().get_msg("LOG", sequence)
        assert message.headers == {
            "Nats-Expected-Last-Subject-Sequence": str(expected),
            "Nats-Expected-Last-Subject-Sequence-Subject": f"log.{MATCH}.>",
        }


async def test_a_server_that_does_not_answer_in_time_is_told_of_in_words(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A time-out has none of its own."""
    monkeypatch.setattr(jetstream, "TIMEOUT", 0.0)
    with pytest.raises(Unavailable, match="does not answer in time"):
        await JetStreamLog(client).page(MATCH, 0, 1)
