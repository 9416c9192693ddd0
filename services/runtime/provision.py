"""What there must be on the server: the streams and the durable consumers, described once and made by `migrate`."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, Self

import msgspec
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import APIError, NotFoundError

from schemas.codec import MAX_BYTES
from schemas.log import ROLES
from schemas.subjects import LOG_STREAM, LOG_SUBJECTS, TIMERS_FIRED, TIMERS_SET, TIMERS_STREAM, due_filter
from services.runtime.settings import Settings

GALLERY = "gallery"
"""The durable consumer of the gallery; that of a role is named as the role."""

TIMERS = "timers"
"""The durable consumer of the timers that have fired."""


class Durable(NamedTuple):
    """What a durable consumer is for: subjects of a stream."""

    stream: str
    subjects: str


CONSUMERS: dict[str, Durable] = {
    **{role: Durable(LOG_STREAM, due_filter(role)) for role in ROLES},
    GALLERY: Durable(LOG_STREAM, LOG_SUBJECTS),
    TIMERS: Durable(TIMERS_STREAM, TIMERS_FIRED),
}
"""The durable consumers: the tokens of a role, all commits for the gallery, and timers for the referees."""

ACK_WAIT = 1.0
"""Seconds after which a message that was not acked is delivered again."""

ASK_SECONDS = 5.0
"""How long the server may take to answer."""

PIN_SECONDS = 2.0
"""Seconds without a request of the gallery that works after which another one takes over."""


class ProvisionError(Exception):
    """The server refuses the stream or a consumer as it should be; the message says which and why."""


@dataclass
class DurableConfig(ConsumerConfig):
    """A consumer's configuration with what nats-py leaves out of it: who of several clients is served."""

    priority_groups: list[str] | None = None
    priority_policy: str | None = None
    priority_timeout: float | None = None  # in seconds

    @classmethod
    def from_response(cls, resp: dict[str, Any]) -> Self:
        """Read the server's form."""
        cls._convert_nanoseconds(resp, "priority_timeout")
        config: Self = super().from_response(resp)
        return config

    def as_dict(self) -> dict[str, object]:
        """Write the server's form."""
        return {**super().as_dict(), "priority_timeout": self._to_nanoseconds(self.priority_timeout)}


def log_stream(base: StreamConfig, settings: Settings) -> StreamConfig:
    """`base` as the stream LOG should be: when it is full it refuses, and it never forgets by itself (design §5)."""
    return replace(
        base,
        name=LOG_STREAM,
        subjects=[LOG_SUBJECTS],
        storage=StorageType.FILE,
        retention=RetentionPolicy.LIMITS,
        discard=DiscardPolicy.NEW,
        max_bytes=settings.log_max_bytes,
        max_msg_size=MAX_BYTES,
        num_replicas=settings.replicas,
        allow_direct=True,
        deny_delete=True,
    )


def timers_stream(base: StreamConfig, settings: Settings) -> StreamConfig:
    """`base` as the stream TIMERS should be: a match has one timer, and what was acted on is gone.

    A schedule is no work that a consumer could take, so it stays until it fires, however long that is.
    """
    return replace(
        base,
        name=TIMERS_STREAM,
        subjects=[TIMERS_SET, TIMERS_FIRED],
        storage=StorageType.FILE,
        retention=RetentionPolicy.WORK_QUEUE,
        max_msgs_per_subject=1,
        num_replicas=settings.replicas,
        allow_rollup_hdrs=True,  # the server needs it for schedules
        allow_msg_schedules=True,
    )


STREAMS: dict[str, Callable[[StreamConfig, Settings], StreamConfig]] = {
    LOG_STREAM: log_stream,
    TIMERS_STREAM: timers_stream,
}
"""The streams, each with what it should be."""


def durable_consumer(base: DurableConfig, name: str) -> DurableConfig:
    """`base` as a durable consumer should be: each message is delivered until it is acked, for ever.

    Of several galleries one is given all commits, so that frames go out in order, and acks many at once; the others
    stand by (design §6).
    """
    deliver_policy, ack_policy = DeliverPolicy.ALL, AckPolicy.EXPLICIT
    if name == GALLERY:
        base = replace(base, priority_groups=[GALLERY], priority_policy="pinned_client", priority_timeout=PIN_SECONDS)
        ack_policy = AckPolicy.ALL
    if base.opt_start_seq:  # it was made anew in the place of an older one
        deliver_policy = DeliverPolicy.BY_START_SEQUENCE
    return replace(
        base,
        name=name,
        durable_name=name,
        filter_subject=CONSUMERS[name].subjects,
        deliver_policy=deliver_policy,
        ack_policy=ack_policy,
        ack_wait=ACK_WAIT,
        max_deliver=-1,
        max_ack_pending=-1,  # a match that waits for a newer version keeps its token, and must not keep back others
    )


async def differences(client: Client, settings: Settings) -> list[str]:
    """What `provision` would do, a line each; nothing where all is as it should be."""
    stream = client.jetstream()
    lines: list[str] = []
    for name in STREAMS:
        lines += _stream_differences(await _stream(stream, name), name, settings)
    for name in CONSUMERS:
        lines += _consumer_differences(await _consumer(client, name), name)
    return lines


async def provision(client: Client, settings: Settings) -> list[str]:
    """Make or change what is not as it should be; the differences there were. Raises ProvisionError."""
    stream = client.jetstream()
    lines: list[str] = []
    for name, wanted in STREAMS.items():
        current = await _stream(stream, name)
        if found := list(_stream_differences(current, name, settings)):
            lines += found
            try:
                if current is None:
                    await stream.add_stream(wanted(StreamConfig(), settings))
                else:
                    await stream.update_stream(wanted(current, settings))
            except APIError as error:
                raise ProvisionError(f"stream {name}: {error.description}") from error
    for name, durable in CONSUMERS.items():
        consumer = await _consumer(client, name)
        if found := list(_consumer_differences(consumer, name)):
            lines += found
            config = durable_consumer(consumer or DurableConfig(), name)
            try:
                if consumer is not None and consumer.ack_policy != config.ack_policy:  # which the server never changes
                    acked, _ = await progress_of(client, name)
                    await _note(client, name, acked)
                    await stream.delete_consumer(durable.stream, name)
                    consumer = None
                if consumer is None and (noted := await _noted(client, name)) is not None:
                    config = durable_consumer(replace(config, opt_start_seq=noted + 1), name)
                await stream.add_consumer(durable.stream, config)
                await _note(client, name, None)
            except APIError as error:
                raise ProvisionError(f"consumer {name}: {error.description}") from error
    return lines


async def _note(client: Client, name: str, acked: int | None) -> None:
    """Note in the stream's metadata up to where all is acked, as long as there may be no consumer that knows it."""
    stream, key = client.jetstream(), _place_key(name)
    config = (await stream.stream_info(CONSUMERS[name].stream)).config
    others = {each: value for each, value in (config.metadata or {}).items() if each != key}
    metadata = others if acked is None else {**others, key: str(acked)}
    if metadata != (config.metadata or {}):
        await stream.update_stream(replace(config, metadata=metadata))


async def _noted(client: Client, name: str) -> int | None:
    metadata = (await client.jetstream().stream_info(CONSUMERS[name].stream)).config.metadata or {}
    return int(metadata[_place_key(name)]) if _place_key(name) in metadata else None


def _place_key(name: str) -> str:
    return f"fairdeal.acked.{name}"


async def progress_of(client: Client, name: str) -> tuple[int, int]:
    """Up to which message of the stream all is acked, and up to which the durable consumer has delivered.

    Raises what nats-py raises.
    """
    info = await client.jetstream().consumer_info(CONSUMERS[name].stream, name)
    return (info.ack_floor.stream_seq if info.ack_floor else 0), (info.delivered.stream_seq if info.delivered else 0)


async def missing_consumer(client: Client, name: str) -> bool:
    """Whether the durable consumer, or its stream, is not there: a service waits for it, and makes none of its own."""
    return await _consumer(client, name) is None


async def _stream(stream: JetStreamContext, name: str) -> StreamConfig | None:
    try:
        return (await stream.stream_info(name)).config
    except NotFoundError:
        return None


async def _consumer(client: Client, name: str) -> DurableConfig | None:
    answer = await client.request(f"$JS.API.CONSUMER.INFO.{CONSUMERS[name].stream}.{name}", timeout=ASK_SECONDS)
    info: dict[str, Any] = msgspec.json.decode(answer.data)
    if "error" in info:
        with contextlib.suppress(NotFoundError):
            APIError.from_error(info["error"])  # raises what the error is
        return None
    return DurableConfig.from_response(info["config"])


def _stream_differences(current: StreamConfig | None, name: str, settings: Settings) -> Iterator[str]:
    return _differences(f"stream {name}", current, current and STREAMS[name](current, settings))


def _consumer_differences(current: DurableConfig | None, name: str) -> Iterator[str]:
    return _differences(f"consumer {name}", current, current and durable_consumer(current, name))


def _differences(
    what: str, current: StreamConfig | ConsumerConfig | None, wanted: StreamConfig | ConsumerConfig | None
) -> Iterator[str]:
    if current is None or wanted is None:
        yield f"{what}: is not there"
        return
    now = asdict(current)
    for key, value in asdict(wanted).items():
        if now[key] != value:
            yield f"{what}: {key} is {now[key]}, not {value}"
