"""The gallery's app: it follows the log in order, publishes frames, and answers viewers who missed some."""

import asyncio
import contextlib
from operator import itemgetter
from typing import NoReturn

import nats.errors
import structlog
from nats.aio.client import Client

from schemas.subjects import LOG_STREAM, QUESTIONS, is_match_id, log_match
from services.gallery.gallery import Gallery, Publish
from services.runtime import app
from services.runtime.counter import take_requests
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry, Unavailable
from services.runtime.logging import fault
from services.runtime.provision import ACK_WAIT, GALLERY, PIN_SECONDS, progress_of
from services.runtime.pull import Pull, numbers_of
from services.runtime.settings import Settings

BATCH = 25
"""Commits asked for at once: few, since by asking a gallery shows that it works, and one may take long to be shown."""

WAIT = (PIN_SECONDS - ACK_WAIT) / 2
"""Seconds for which a request for commits stands."""

PAGE = 1000
"""Commits read at once where another gallery may not have shown them."""

TRIES = 5
"""How often it is tried to take a commit in, or to publish, before that keeps back all other matches too long."""

log = structlog.stdlib.get_logger()


async def setup(service: app.Service) -> None:
    """Follow the log, and answer viewers."""
    await app.require_consumer(service, GALLERY)
    gallery = Gallery(JetStreamLog(service.client), sender(service.client))
    await take_requests(service, QUESTIONS, gallery.answer)
    app.go_on(service, follow(service.client, gallery))


def sender(client: Client) -> Publish:
    """How frames go out; one that the server never takes must not keep back all others."""

    async def send(subject: str, frame: bytes) -> None:
        try:
            await client.publish(subject, frame)
        except nats.errors.MaxPayloadError:
            log.warning("frame too large", subject=subject)

    return send


async def follow(client: Client, gallery: Gallery) -> NoReturn:
    """Show what comes, and ack all of it at once by its last message."""
    pull, last, stuck = Pull(client, LOG_STREAM, GALLERY, group=GALLERY), 0, set[str]()
    await pull.start()
    while True:
        messages = [(numbers_of(message), message) for message in await pull.fetch(BATCH, WAIT)]
        for (sequence, delivery), message in messages:
            if delivery != last + 1:
                await _take_over(client, gallery, stuck)
            last = delivery
            await take(gallery, Entry(sequence, message.subject, message.data), stuck)
        if await publish(gallery) and messages:
            _, newest = max(messages, key=itemgetter(0))
            with contextlib.suppress(nats.errors.Error):  # then they come again, and are known
                await newest.ack()


async def _take_over(client: Client, gallery: Gallery, stuck: set[str]) -> None:
    """Show what was given to others and not acked: it may come again in any order, or be acked by what comes first."""
    log_of_all = JetStreamLog(client)
    while True:
        try:
            after, delivered = await progress_of(client, GALLERY)
            gallery.forget_all(after)
            while after < delivered and (entries := await log_of_all.page("*", after, PAGE)):
                for entry in entries:
                    await take(gallery, entry, stuck)
                await publish(gallery)
                after = entries[-1].sequence
        except (nats.errors.Error, TimeoutError, Unavailable) as reason:
            log.info("place not taken over yet", reason=type(reason).__name__)
            await asyncio.sleep(app.PATIENCE)
        else:
            return


async def take(gallery: Gallery, entry: Entry, stuck: set[str]) -> None:
    """Let the gallery take a message in, as soon as that can be done.

    A match that cannot be followed must not keep back the others: once it is stuck, each of its commits is tried only
    once. Who plays it asks for what he has missed.
    """
    match = log_match(entry.subject)
    if not is_match_id(match):  # it is nobody's
        return
    for tries in range(1, TRIES + 1):
        try:
            await gallery.take(entry)
        except Unavailable as reason:
            log.info("commit waits", match=match, reason=type(reason).__name__)
            if tries == TRIES or match in stuck:
                break
            await publish(gallery)  # what came before it need not wait
            await asyncio.sleep(app.PATIENCE)
        except Exception as error:  # noqa: BLE001 - it is logged without its words, which may hold what is hidden
            fault("commit not shown", error, match=match)
            return
        else:
            stuck.discard(match)
            return
    stuck.add(match)
    log.warning("commit passed over", match=match)


async def publish(gallery: Gallery) -> bool:
    """Let what was taken in go out, as soon as that can be done; False where some of it is still to go out."""
    for _ in range(TRIES):
        try:
            await gallery.publish()
        except (nats.errors.Error, OSError) as reason:
            log.info("frames wait", reason=type(reason).__name__)
            await asyncio.sleep(app.PATIENCE)
        else:
            return True
    return False


def run(settings: Settings) -> None:
    """Run a gallery until SIGINT or SIGTERM."""
    app.run(GALLERY, settings, setup)
