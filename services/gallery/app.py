"""The gallery's app: it follows the log in order, publishes frames, and answers viewers who missed some."""

import asyncio
import contextlib
from typing import NoReturn

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.subjects import LOG_STREAM, QUESTIONS, is_match_id, log_match
from services.gallery.gallery import Gallery
from services.runtime import app
from services.runtime.counter import take_requests
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry
from services.runtime.logging import fault
from services.runtime.provision import GALLERY
from services.runtime.pull import Pull, pin_of
from services.runtime.settings import Settings

BATCH = 100
"""Commits asked for at once."""

WAIT = 1.0
"""Seconds for which a request for commits stands: by asking a gallery shows that it works."""


async def setup(service: app.Service) -> None:
    """Follow the log, and answer viewers."""
    await app.require_consumer(service, GALLERY)
    gallery = Gallery(JetStreamLog(service.client), service.client.publish)
    await take_requests(service, QUESTIONS, gallery.answer)
    following = asyncio.create_task(_follow(service.client, gallery))

    @service.app.on_shutdown
    async def stop() -> None:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def _follow(client: Client, gallery: Gallery) -> NoReturn:
    """Show what comes; what was followed before another gallery was served may be out of date."""
    pull, pin = Pull(client, LOG_STREAM, GALLERY, group=GALLERY), ""
    await pull.start()
    while True:
        for message in await pull.fetch(BATCH, WAIT):
            if pin != pin_of(message):
                pin = pin_of(message)
                gallery.forget_all()
            await _show(gallery, message)


async def _show(gallery: Gallery, message: Msg) -> None:
    """Publish a commit's frames; a match that cannot be followed now must not keep back the others."""
    match, metadata = log_match(message.subject), message.metadata
    try:
        if is_match_id(match):  # else it is nobody's
            await gallery.show(Entry(metadata.sequence.stream, message.subject, message.data))
    except Exception as error:  # noqa: BLE001 - it is logged without its words, which may hold what is hidden
        fault("commit not shown", error, match=match)
        with contextlib.suppress(nats.errors.Error):
            await message.nak(delay=app.token_delay(metadata.num_delivered))
        return
    with contextlib.suppress(nats.errors.Error):  # then it comes again, and is known
        await message.ack()


def run(settings: Settings) -> None:
    """Run a gallery until SIGINT or SIGTERM."""
    app.run(GALLERY, settings, setup)
