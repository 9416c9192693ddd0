"""The gallery's app: it follows the log in order, publishes frames, and answers viewers who missed some."""

import asyncio
import contextlib
from typing import NoReturn

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.subjects import LOG_STREAM, QUESTIONS, is_match_id, log_match
from services.gallery.gallery import Gallery
from services.runtime import app
from services.runtime.counter import take_requests
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry, Unavailable
from services.runtime.logging import fault
from services.runtime.provision import ACK_WAIT, GALLERY, PIN_SECONDS
from services.runtime.pull import Pull, pin_of, sequence_of
from services.runtime.settings import Settings

BATCH = 100
"""Commits asked for at once."""

WAIT = PIN_SECONDS - ACK_WAIT
"""Seconds for which a request for commits stands: by asking a gallery shows that it works.

No longer, so that what came to a gallery that ended comes again before another one is served.
"""

TRIES = 5
"""How often a commit is tried to be shown, before it keeps back all other matches too long."""

log = structlog.stdlib.get_logger()


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
        messages = await pull.fetch(BATCH, WAIT)
        for message in messages:
            if pin != pin_of(message):
                pin = pin_of(message)
                gallery.forget_all()
            await _show(gallery, message)
        if messages:
            with contextlib.suppress(nats.errors.Error):  # then they come again, and are known
                await messages[-1].ack()


async def _show(gallery: Gallery, message: Msg) -> None:
    """Publish a commit's frames, as soon as that can be done.

    A match that cannot be followed must not keep back the others; who plays it asks for what he has missed.
    """
    match = log_match(message.subject)
    if not is_match_id(match):  # it is nobody's
        return
    entry = Entry(sequence_of(message), message.subject, message.data)
    for _ in range(TRIES):
        try:
            await gallery.show(entry)
        except (nats.errors.Error, Unavailable) as reason:
            log.info("commit waits", match=match, reason=type(reason).__name__)
            await asyncio.sleep(app.PATIENCE)
        except Exception as error:  # noqa: BLE001 - it is logged without its words, which may hold what is hidden
            fault("commit not shown", error, match=match)
            return
        else:
            return
    log.warning("commit passed over", match=match)


def run(settings: Settings) -> None:
    """Run a gallery until SIGINT or SIGTERM."""
    app.run(GALLERY, settings, setup)
