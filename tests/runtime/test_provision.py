"""Streams and consumers: made where they are missing, changed where they differ, and else left alone."""

import json
from dataclasses import replace

import pytest
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, StorageType, StreamConfig
from nats.js.errors import NotFoundError

from services.runtime.provision import (
    CONSUMERS,
    STREAMS,
    DurableConfig,
    ProvisionError,
    differences,
    durable_consumer,
    provision,
)
from services.runtime.settings import Settings

SETTINGS = Settings()


@pytest.fixture
def stream(bare_client: Client) -> JetStreamContext:
    """JetStream with nothing on it."""
    return bare_client.jetstream()


async def test_everything_is_made_where_nothing_is(bare_client: Client, stream: JetStreamContext) -> None:
    streams = [f"stream {name}: is not there" for name in STREAMS]
    missing = [*streams, *(f"consumer {name}: is not there" for name in CONSUMERS)]
    assert await differences(bare_client, SETTINGS) == missing
    assert await provision(bare_client, SETTINGS) == missing
    found = {info.name for name in STREAMS for info in await stream.consumers_info(name)}
    assert found == set(CONSUMERS)


async def test_a_second_time_there_is_nothing_to_do(bare_client: Client, stream: JetStreamContext) -> None:
    await provision(bare_client, SETTINGS)
    assert await differences(bare_client, SETTINGS) == []
    assert await provision(bare_client, SETTINGS) == []


async def test_asking_for_the_differences_makes_nothing(bare_client: Client, stream: JetStreamContext) -> None:
    await differences(bare_client, SETTINGS)
    with pytest.raises(NotFoundError):
        await stream.stream_info("LOG")


async def test_the_log_refuses_when_it_is_full_and_lets_no_message_be_deleted(
    bare_client: Client, stream: JetStreamContext
) -> None:
    await provision(bare_client, SETTINGS)
    config = (await stream.stream_info("LOG")).config
    assert (config.storage, config.discard, config.allow_direct, config.deny_delete) == ("file", "new", True, True)
    assert (config.subjects, config.max_msg_size) == (["log.*.*.*"], 64 * 1024)
    assert (config.max_bytes, config.max_age, config.max_msgs) == (SETTINGS.log_max_bytes, 0, -1)


async def test_a_token_is_delivered_until_it_is_acked(bare_client: Client, stream: JetStreamContext) -> None:
    await provision(bare_client, SETTINGS)
    filters = {"dealer": "log.*.*.dealer", "referee": "log.*.*.referee", "scorer": "log.*.*.scorer"}
    for name, subject in {**filters, "gallery": "log.*.*.*"}.items():
        config = (await stream.consumer_info("LOG", name)).config
        assert config.filter_subject == subject
        acks = "all" if name == "gallery" else "explicit"
        assert (config.ack_policy, config.ack_wait, config.max_deliver) == (acks, 1.0, -1)


async def test_a_timer_stays_until_it_is_acted_on(bare_client: Client, stream: JetStreamContext) -> None:
    await provision(bare_client, SETTINGS)
    config = (await stream.stream_info("TIMERS")).config
    assert (config.retention, config.max_msgs_per_subject, config.max_age) == ("workqueue", 1, 0)
    assert config.allow_msg_schedules
    assert (await stream.consumer_info("TIMERS", "timers")).config.filter_subject == "timer.fire.*"


async def test_one_gallery_is_served_and_others_stand_by(client: Client) -> None:
    answer = await client.request("$JS.API.CONSUMER.INFO.LOG.gallery")
    config = json.loads(answer.data)["config"]
    found = {key: value for key, value in config.items() if key.startswith("priority")}
    assert found == {
        "priority_groups": ["gallery"],
        "priority_policy": "pinned_client",
        "priority_timeout": 2_000_000_000,
    }


@pytest.fixture
async def old_gallery(bare_client: Client, stream: JetStreamContext) -> None:
    """A gallery's consumer from before the groups, that has acked two commits of three."""
    await provision(bare_client, SETTINGS)
    await stream.delete_consumer("LOG", "gallery")
    base = durable_consumer(DurableConfig(), "dealer")
    await stream.add_consumer("LOG", replace(base, name="gallery", durable_name="gallery", filter_subject="log.*.*.*"))
    for number in range(3):
        await stream.publish(f"log.{number}.referee.dealer", b"")
    pulled = await stream.pull_subscribe_bind("gallery", "LOG")
    for message in await pulled.fetch(2):
        await message.ack_sync()


@pytest.mark.usefixtures("old_gallery")
async def test_a_gallery_consumer_from_before_the_groups_is_changed(
    bare_client: Client, stream: JetStreamContext
) -> None:
    assert [line.split(" is ")[0] for line in await provision(bare_client, SETTINGS)] == [
        "consumer gallery: ack_policy",
        "consumer gallery: priority_groups",
        "consumer gallery: priority_policy",
        "consumer gallery: priority_timeout",
    ]
    assert (await stream.consumer_info("LOG", "gallery")).num_pending == 1, "what was shown is not shown again"
    assert await differences(bare_client, SETTINGS) == []


@pytest.mark.usefixtures("old_gallery")
async def test_a_consumer_that_is_gone_while_it_is_made_anew_keeps_its_place(
    bare_client: Client, stream: JetStreamContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(JetStreamContext, "add_consumer", killed)
        with pytest.raises(KeyboardInterrupt):
            await provision(bare_client, SETTINGS)
    assert await provision(bare_client, SETTINGS) == ["consumer gallery: is not there"]
    assert (await stream.consumer_info("LOG", "gallery")).num_pending == 1, "what was shown is not shown again"
    assert await differences(bare_client, SETTINGS) == []
    await stream.delete_consumer("LOG", "gallery")
    await provision(bare_client, SETTINGS)
    assert (await stream.consumer_info("LOG", "gallery")).num_pending == 3, "what was noted holds for that time only"


async def test_a_consumer_of_a_role_that_others_made_is_made_anew(
    bare_client: Client, stream: JetStreamContext
) -> None:
    await provision(bare_client, SETTINGS)
    await stream.delete_consumer("LOG", "dealer")
    base = durable_consumer(DurableConfig(), "dealer")
    await stream.add_consumer("LOG", replace(base, ack_policy=AckPolicy.NONE))
    await stream.publish("log.A.referee.dealer", b"")
    assert len(await provision(bare_client, SETTINGS)) == 1
    assert await provision(bare_client, SETTINGS) == []
    assert (await stream.consumer_info("LOG", "dealer")).num_pending == 1


async def test_what_differs_is_told_and_changed(bare_client: Client, stream: JetStreamContext) -> None:
    await provision(bare_client, SETTINGS)
    dealer = (await stream.consumer_info("LOG", "dealer")).config
    await stream.add_consumer("LOG", replace(dealer, ack_wait=30.0))
    larger = Settings(log_max_bytes=2 * SETTINGS.log_max_bytes)
    found = [
        f"stream LOG: max_bytes is {SETTINGS.log_max_bytes}, not {larger.log_max_bytes}",
        "consumer dealer: ack_wait is 30.0, not 1.0",
    ]
    assert await provision(bare_client, larger) == found
    assert await differences(bare_client, larger) == []


async def test_what_is_not_ours_to_say_stays_as_it_is(bare_client: Client, stream: JetStreamContext) -> None:
    await provision(bare_client, SETTINGS)
    config = (await stream.stream_info("LOG")).config
    await stream.update_stream(replace(config, description="of the operator", max_bytes=1 << 20))
    assert len(await provision(bare_client, SETTINGS)) == 1
    assert (await stream.stream_info("LOG")).config.description == "of the operator"


async def test_a_change_that_the_server_refuses_is_told(bare_client: Client, stream: JetStreamContext) -> None:
    await stream.add_stream(StreamConfig(name="LOG", subjects=["log.*.*.*"], storage=StorageType.MEMORY))
    with pytest.raises(ProvisionError, match=r"stream LOG: .*storage"):
        await provision(bare_client, SETTINGS)
