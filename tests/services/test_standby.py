"""Two galleries: one works, in order, and the other takes over when it is gone; no viewer loses a frame."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.codec import from_frame
from schemas.subjects import view_subject
from services.client import View
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Processes
from services.runtime.provision import GALLERY
from services.runtime.pull import Pull
from services.runtime.ready import until_ready
from services.simulate import Simulation
from tests.services.conftest import MakeChild

SECONDS = 20
TAKE_OVER = 4.0
"""Seconds in which the other gallery works: two until it is served, and what a busy machine takes."""

MANY = 40
"""Matches of which a gallery holds a commit when it ends."""

RESUME = 3.0
"""Seconds after which a gallery works again whose server was restarted."""


class Rail:
    """What is published for the rail of a match, and a log to append to."""

    def __init__(self, client: Client, entries: list[Entry], match: str) -> None:
        self.match = match
        self.indexes: list[int] = []
        self._log = JetStreamLog(client)
        self._entries = iter(entries)
        self._client = client
        self._came = asyncio.Condition()
        self._sequence = 0
        self.appended = 0

    async def listen(self) -> None:
        """Note the index of every frame for the rail."""
        await self._client.subscribe(view_subject(self.match, None), cb=self._note)
        await self._client.flush()

    async def _note(self, message: Msg) -> None:
        async with self._came:
            self.indexes.append(from_frame(message.data)[0].index)
            self._came.notify_all()

    async def append(self, number: int = 1) -> None:
        """Append the next commits of the match."""
        for _ in range(number):
            entry = next(self._entries)
            self._sequence = await self._log.append(entry.subject, entry.data, expected=self._sequence)
            self.appended += 1

    async def shown(self, *, within: float) -> None:
        """Wait until the frame of the last commit is published."""
        async with asyncio.timeout(within), self._came:
            await self._came.wait_for(lambda: self.appended in self.indexes)


@pytest.fixture
async def rail(client: Client) -> Rail:
    """A match that is not begun yet."""
    play = Simulation("gongzhu", {"preset": "standard"}, seats=4, seed=bytes(32))
    rail = Rail(client, await play.run(), play.match)
    await rail.listen()
    return rail


@pytest.fixture
async def galleries(client: Client, child: MakeChild, rail: Rail) -> AsyncIterator[Processes]:
    """Gallery `gallery` works, gallery `other` stands by."""
    async with Processes() as processes:
        first = child("gallery")
        await processes.start(first, ready=partial(until_ready, client, "gallery"))
        await rail.append()
        await rail.shown(within=SECONDS)
        await processes.start(replace(first, name="other"), ready=partial(until_ready, client, "gallery", count=2))
        yield processes


async def test_frames_go_out_in_order_each_once(rail: Rail, galleries: Processes) -> None:
    await rail.append(100)
    await rail.shown(within=SECONDS)
    assert rail.indexes == list(range(1, 102))


async def test_the_other_takes_over_and_no_viewer_loses_a_frame(
    client: Client, rail: Rail, galleries: Processes
) -> None:
    view = View(client, rail.match).frames()
    seen = [(await anext(view))[0].index]
    appending = asyncio.create_task(rail.append(60))
    async with asyncio.timeout(SECONDS):
        while rail.appended < 30:
            await asyncio.sleep(0)
    os.kill(galleries.pid("gallery"), signal.SIGKILL)
    await appending
    await rail.shown(within=TAKE_OVER)
    await rail.append(40)
    await rail.shown(within=1.0)
    async with asyncio.timeout(SECONDS):
        while len(seen) < rail.appended:
            seen.append((await anext(view))[0].index)
    assert seen == list(range(1, 102))
    await view.aclose()


async def test_a_gallery_that_is_served_again_shows_what_came_meanwhile_as_known(
    client: Client, rail: Rail, galleries: Processes
) -> None:
    """The server takes turns in whom it serves; whoever it is, the frame of the last commit goes out."""
    for _ in range(12):
        await client.request("$JS.API.CONSUMER.UNPIN.LOG.gallery", b'{"group": "gallery"}')
        await rail.append(3)
        await rail.shown(within=TAKE_OVER)


async def test_a_gallery_resumes_when_its_server_was_restarted(
    rail: Rail, galleries: Processes, server: NatsServer
) -> None:
    await server.restart()
    await rail.append(3)
    await rail.shown(within=RESUME)
    assert rail.indexes == list(range(1, 5))


async def test_what_a_gallery_held_of_many_matches_when_it_ended_is_shown_by_the_other(
    client: Client, child: MakeChild
) -> None:
    """It comes again in any order, or not at all where a newer commit was acked before; that of each match is shown."""
    matches = [await log_of(number) for number in range(MANY)]
    shown: set[tuple[str, int]] = set()

    async def note(message: Msg) -> None:
        frame, _ = from_frame(message.data)
        shown.add((frame.match, frame.index))

    await client.subscribe(view_subject("*", None), cb=note)
    held = Pull(client, "LOG", GALLERY, group=GALLERY)
    await held.start()
    async with asyncio.timeout(SECONDS), Processes() as processes:
        for index in range(2):
            fetching = asyncio.create_task(fetched(held, MANY))
            await asyncio.sleep(0.1)
            for match in matches:
                await client.publish(match[index].subject, match[index].data)
            messages = await fetching
            if index == 0:
                await messages[-1].ack()
        await processes.start(child("gallery"), ready=partial(until_ready, client, "gallery"))
        while {index for _, index in shown} != {2} or len(shown) < MANY:
            await asyncio.sleep(0.01)


async def log_of(number: int) -> list[Entry]:
    """The log of a short match."""
    seed = number.to_bytes(32)
    return await Simulation("gongzhu", {"preset": "standard", "hands_limit": 1}, seats=4, seed=seed).run()


async def fetched(pull: Pull, count: int) -> list[Msg]:
    """So many messages."""
    messages: list[Msg] = []
    while len(messages) < count:
        messages += await pull.fetch(count, 1.0)
    return messages
