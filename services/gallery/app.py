"""The gallery's app: it follows the log in order, publishes frames, and answers viewers who missed some."""

import asyncio
import contextlib
from typing import NoReturn

import nats.errors
import structlog
from faststream.nats import NatsMessage
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.client import JetStreamContext

from schemas.subjects import LOG_STREAM, SYNC_RAIL, SYNC_SEATS, log_match
from services.gallery.gallery import Gallery
from services.runtime import app
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry
from services.runtime.logging import fault
from services.runtime.provision import GALLERY
from services.runtime.settings import Settings

BATCH = 100
"""Commits asked for at once."""

WAIT = 1.0
"""Seconds for which a request for commits stands, and until one is made anew that broke."""

log = structlog.stdlib.get_logger()


async def setup(service: app.Service) -> None:
    """Follow the log, and answer syncs."""
    await app.require_consumer(service, GALLERY)
    gallery = Gallery(JetStreamLog(service.client), service.client.publish)
    _take_syncs(service, gallery)
    following = asyncio.create_task(_follow(service.client, gallery))

    @service.app.on_shutdown
    async def stop() -> None:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


def _take_syncs(service: app.Service, gallery: Gallery) -> None:
    async def answer(message: NatsMessage) -> None:
        asked: Msg = message.raw_message
        if asked.reply:
            await service.client.publish(asked.reply, await gallery.sync(asked.subject, asked.data))

    for subject in (SYNC_SEATS, SYNC_RAIL):
        service.broker.subscriber(subject, GALLERY, decoder=app.whole, no_reply=True)(answer)


async def _follow(client: Client, gallery: Gallery) -> NoReturn:
    subscription = await client.jetstream().pull_subscribe_bind(GALLERY, LOG_STREAM)
    try:
        while True:
            for message in await _fetch(subscription):
                await _show(gallery, message)
    finally:
        # A drain of the connection would wait for what nats-py has fetched and does not count as done.
        with contextlib.suppress(nats.errors.Error):
            await subscription.unsubscribe()


async def _fetch(subscription: JetStreamContext.PullSubscription) -> list[Msg]:
    try:
        return await subscription.fetch(BATCH, timeout=WAIT)
    except (nats.errors.TimeoutError, TimeoutError):
        return []
    except nats.errors.Error as error:
        fault("log not followed", error)
        await asyncio.sleep(WAIT)
        return []


async def _show(gallery: Gallery, message: Msg) -> None:
    """Publish a commit's frames; a match that cannot be followed now must not keep back the others."""
    match, metadata = log_match(message.subject), message.metadata
    try:
        await gallery.show(Entry(metadata.sequence.stream, message.subject, message.data))
    except Exception as error:  # noqa: BLE001 - it is logged without its words, which may hold what is hidden
        fault("commit not shown", error, match=match)
        gallery.forget(match)
        with contextlib.suppress(nats.errors.Error):
            await message.nak(delay=app.token_delay(metadata.num_delivered))
        return
    await message.ack()


def run(settings: Settings) -> None:
    """Run a gallery until SIGINT or SIGTERM."""
    app.run(GALLERY, settings, setup)
