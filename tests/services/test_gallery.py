"""The gallery and its viewers on a real server: who comes late or misses frames, who asks wrongly, what was changed."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import cast

import msgspec
import pytest
from msgspec.structs import replace
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import OutboundBufferLimitError

from schemas.codec import Covered, Message, from_player, from_service, from_synced, to_reply, to_service
from schemas.commands import Refused, Sync
from schemas.refusals import Code
from schemas.subjects import sync_subject, view_subject
from schemas.views import Frame, Opening, Synced, Table
from services import client as clients
from services.client import Player, View, open_match
from services.gallery.app import TRIES, follow, sender
from services.gallery.frames import SIGN
from services.gallery.gallery import Gallery
from services.runtime import app
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry, MemoryLog, Unavailable
from services.runtime.processes import Processes
from services.runtime.provision import GALLERY, progress_of
from services.runtime.ready import until_ready
from services.simulate import Simulation
from services.witness import BrokenChain
from tests.house import feed
from tests.services.conftest import MakeChild, sit_and_play

SECONDS = 20
OPTIONS = {"hands_limit": 1, "opening_must_play": False}
HALF = 40
NO_MATCH = "N" * 26


@pytest.fixture
async def gallery(client: Client, child: MakeChild) -> AsyncIterator[Processes]:
    """A gallery in a process of its own, ready."""
    async with Processes(first_delay=0.01) as processes:
        await processes.start(child("gallery"), ready=partial(until_ready, client, "gallery"))
        yield processes


@pytest.fixture
async def played() -> Simulation:
    """A match that was played, on a log in memory."""
    match = Simulation("gongzhu", OPTIONS, seats=4, seed=b"gallery".ljust(32))
    await match.run()
    return match


async def publish(client: Client, entries: list[Entry], *, after: int = 0) -> int:
    """Append entries of another log to that of the server, where `after` is the last sequence number; the new last."""
    log = JetStreamLog(client)
    for entry in entries:
        after = await log.append(entry.subject, entry.data, expected=after)
    return after


async def watch(view: View, count: int) -> list[tuple[Frame, Message]]:
    """The first frames that a viewer is shown."""
    seen: list[tuple[Frame, Message]] = []
    async with asyncio.timeout(SECONDS):
        async for each in view.frames():
            seen.append(each)
            if len(seen) == count:
                break
    return seen


async def collect_frames(view: View, seen: list[Frame]) -> None:
    """Add what a viewer is shown to `seen`."""
    async with asyncio.timeout(SECONDS):
        async for frame, _ in view.frames():
            seen.append(frame)


async def refusal(client: Client, subject: str, data: bytes) -> Code:
    """Why the gallery refuses a sync."""
    answer = from_synced((await client.request(subject, data, timeout=SECONDS)).data)
    assert isinstance(answer, Refused)
    return answer.code


async def answer_syncs(client: Client, gallery: Gallery, match: str) -> None:
    """Let a gallery in this process answer the rail of a match."""

    async def answer(message: Msg) -> None:
        await message.respond(await gallery.answer(message.subject, message.data))

    await client.subscribe(sync_subject(match, None), cb=answer)


async def test_a_viewer_who_comes_late_is_shown_the_match_from_its_first_commit(
    client: Client, gallery: Processes, played: Simulation
) -> None:
    entries = await played.log.read(played.match)
    await publish(client, entries)
    for view in (View(client, played.match), View(client, played.match, 2, played.tokens[2])):
        seen = await watch(view, len(entries))
        assert [frame.index for frame, _ in seen] == list(range(1, len(entries) + 1))
        assert seen[-1][0].table.over
        assert {frame.seat for frame, _ in seen} == {view.seat}


async def test_a_gallery_that_is_killed_and_started_again_goes_on(
    client: Client, child: MakeChild, played: Simulation
) -> None:
    """What came while it was away is shown too."""
    entries = await played.log.read(played.match)
    last = await publish(client, entries[:1])
    watching = asyncio.create_task(watch(View(client, played.match), len(entries)))
    ready = partial(until_ready, client, "gallery")
    async with Processes(grace=0) as processes:
        await processes.start(child("gallery"), ready=ready)
        last = await publish(client, entries[1:HALF], after=last)
    last = await publish(client, entries[HALF : 2 * HALF], after=last)
    async with Processes() as processes:
        await processes.start(child("gallery"), ready=ready)
        await publish(client, entries[2 * HALF :], after=last)
        assert [frame.index for frame, _ in await watching] == list(range(1, len(entries) + 1))


async def test_frames_that_were_dropped_are_asked_for(client: Client, played: Simulation) -> None:
    """Two of three frames do not arrive; the next one that does tells the viewer that he has missed some."""
    entries = await played.log.read(played.match)
    rail = view_subject(played.match, None)
    log, passed = await copy(entries[:1]), asyncio.Event()

    async def lossy(subject: str, data: bytes) -> None:
        if subject == rail and from_service(data, Frame).index % 3 == len(entries) % 3:
            await client.publish(subject, data)

    gallery = Gallery(log, lossy)
    seen: list[int] = []
    asked: list[int] = []

    async def answer(message: Msg) -> None:
        asked.append(from_player(message.data, Sync).after)
        await message.respond(await gallery.answer(message.subject, message.data))

    async def look() -> None:
        async for frame, _ in View(client, played.match).frames():
            seen.append(frame.index)
            passed.set()
            if frame.table.over:
                return

    await client.subscribe(sync_subject(played.match, None), cb=answer)
    looking = asyncio.create_task(look())
    async with asyncio.timeout(SECONDS):
        await passed.wait()
        for entry in entries[1:]:
            sequence = await log.append(entry.subject, entry.data, expected=entry.sequence - 1)
            await feed(gallery, Entry(sequence, entry.subject, entry.data))
        await looking
    assert seen == list(range(1, len(entries) + 1))
    assert asked[0] == 0
    assert len(asked) > 1


async def test_nothing_is_acked_that_has_not_gone_out(
    client: Client, played: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "PATIENCE", 0.01)
    entries = (await played.log.read(played.match))[:5]
    tried: list[str] = []
    sent: list[str] = []
    halted = True

    async def send(subject: str, _: bytes) -> None:
        tried.append(subject)
        if halted:
            raise OutboundBufferLimitError
        sent.append(subject)

    async def until(condition: Callable[[], Awaitable[bool]]) -> None:
        while not await condition():
            await asyncio.sleep(0.01)

    async def often() -> bool:
        return len(tried) > 2 * TRIES

    async def acked() -> bool:
        return (await progress_of(client, GALLERY))[0] == len(entries)

    following = asyncio.create_task(follow(client, Gallery(JetStreamLog(client), send)))
    await publish(client, entries)
    async with asyncio.timeout(SECONDS):
        await until(often)
        assert (await progress_of(client, GALLERY))[0] == 0
        halted = False
        await until(acked)
    following.cancel()
    assert Counter(sent) == {view_subject(played.match, seat): len(entries) for seat in (*range(4), None)}


async def test_a_frame_that_the_server_never_takes_holds_up_no_other(client: Client) -> None:
    send, came = sender(client), asyncio.Queue[Msg]()
    await client.subscribe(view_subject(NO_MATCH, 0), cb=came.put)
    await send(view_subject(NO_MATCH, 0), bytes(client.max_payload + 1))
    await send(view_subject(NO_MATCH, 0), b"next")
    async with asyncio.timeout(SECONDS):
        assert (await came.get()).data == b"next"


async def test_a_seat_is_shown_to_the_holder_of_its_token_only(
    client: Client, gallery: Processes, played: Simulation
) -> None:
    await publish(client, await played.log.read(played.match))
    for token in (b"", bytes(32), played.tokens[1], played.tokens[0][:-1]):
        assert await refusal(client, sync_subject(played.match, 0), to_service(Sync(token=token))) == Code.BAD_TOKEN
    assert await refusal(client, sync_subject(played.match, 9), to_service(Sync())) == Code.BAD_TOKEN
    with pytest.raises(clients.Refused, match="bad_token"):
        await watch(View(client, played.match, 0, played.tokens[1]), 1)


async def test_garbage_is_refused_and_the_gallery_goes_on(
    client: Client, gallery: Processes, played: Simulation
) -> None:
    await publish(client, (await played.log.read(played.match))[:3])
    rail = sync_subject(played.match, None)
    for garbage in (b"", b"\xc1", b"\xff" * 1000, bytes(70_000), msgspec.msgpack.encode({"after": "x"})):
        assert await refusal(client, rail, garbage) == Code.BAD_MESSAGE
    for subject in ("view.m1.rail.sync", f"view.{played.match}.seat.x.sync", f"view.{played.match}.seat.-1.sync"):
        assert await refusal(client, subject, to_service(Sync())) == Code.BAD_MESSAGE
    assert await refusal(client, sync_subject(NO_MATCH, None), to_service(Sync())) == Code.NO_SUCH_MATCH
    assert len(await watch(View(client, played.match), 3)) == 3


async def test_a_viewer_asks_again_while_the_log_cannot_be_read(client: Client, played: Simulation) -> None:
    class Away(MemoryLog):
        """A log that cannot be read at first."""

        tries = 0

        async def read(self, match: str, after: int = 0) -> list[Entry]:
            self.tries += 1
            if self.tries < 3:
                raise Unavailable
            return await played.log.read(match, after)

    await answer_syncs(client, Gallery(Away(), client.publish), played.match)
    assert len(await watch(View(client, played.match), HALF)) == HALF


def changed_public(frame: Frame) -> Frame:
    """The frame with another time in its commit."""
    public = msgspec.msgpack.decode(frame.public)
    return replace(frame, public=msgspec.msgpack.encode({**public, "at": public["at"] + 1}))


def changed_secret(frame: Frame) -> Frame:
    """The frame with other cards in the hand that it opens."""
    secrets = tuple(Opening(each.slot, each.salt, each.value[::-1]) for each in frame.secrets)
    return replace(frame, secrets=secrets)


def changed_opening(frame: Frame) -> Frame:
    """The frame with another salt in what it reveals of earlier commits."""
    revealed = tuple(replace(each, salt=bytes(16)) for each in frame.revealed)
    return replace(frame, revealed=revealed)


def changed_place(frame: Frame) -> Frame:
    """The frame that says to reveal other commits than it does."""
    return replace(frame, revealed=tuple(replace(each, index=each.index - 1) for each in frame.revealed))


def changed_index(frame: Frame) -> Frame:
    """The frame with another index than that of its commit."""
    return replace(frame, index=frame.index + 1)


def changed_seat(frame: Frame) -> Frame:
    """The frame of another seat."""
    return replace(frame, seat=1)


CHANGES = (changed_secret, changed_opening, changed_place, changed_index, changed_seat)
SEAT = 0


def encoded(frame: Frame) -> bytes:
    """The frame as the gallery encodes it, with all that is hidden on its table left out."""
    table = msgspec.Raw(Covered(frame.table).opened_to(SEAT))
    return msgspec.msgpack.encode(replace(frame, table=cast(Table, table)))


async def frames_of(match: Simulation) -> list[Frame]:
    """All frames of the seat."""
    frames: list[Frame] = []

    async def collect(to: str, data: bytes) -> None:
        if to == view_subject(match.match, SEAT):
            frames.append(from_service(data, Frame))

    gallery = Gallery(match.log, collect)
    for entry in await match.log.read(match.match):
        await feed(gallery, entry)
    return frames


def first_changed(frames: list[Frame], change: Callable[[Frame], Frame]) -> int:
    """The index of the first frame that opens hidden values, of its own or of earlier commits, and is changed."""
    return next(
        frame.index
        for frame in frames
        if (frame.secrets or frame.revealed) and encoded(change(frame)) != encoded(frame)
    )


@pytest.mark.parametrize("change", CHANGES)
async def test_a_frame_that_was_changed_on_its_way_is_asked_for_again(
    client: Client, played: Simulation, change: Callable[[Frame], Frame]
) -> None:
    """And the viewer is shown all frames as they are."""
    entries, frames = await played.log.read(played.match), await frames_of(played)
    changed = first_changed(frames, change)
    log = await copy(entries[: changed - 1])
    gallery = Gallery(log, client.publish)
    asked: list[int] = []

    async def answer(message: Msg) -> None:
        asked.append(from_player(message.data, Sync).after)
        await message.respond(await gallery.answer(message.subject, message.data))
        if len(asked) == 1:
            for entry in entries[changed - 1 :]:
                await log.append(entry.subject, entry.data, expected=entry.sequence - 1)
            await client.publish(message.subject.removesuffix(".sync"), encoded(change(frames[changed - 1])))

    await client.subscribe(sync_subject(played.match, SEAT), cb=answer)
    seen = await watch(View(client, played.match, SEAT, played.tokens[SEAT]), len(entries))
    assert [(frame.public, frame.secrets, frame.revealed) for frame, _ in seen] == [
        (frame.public, frame.secrets, frame.revealed) for frame in frames
    ]
    assert asked[:2] == [0, changed - 1]


@pytest.mark.parametrize("change", [changed_public, *CHANGES])
async def test_a_frame_that_is_wrong_when_it_is_asked_for_too_breaks_the_chain(
    client: Client, played: Simulation, change: Callable[[Frame], Frame]
) -> None:
    """A changed public part is found out by the next frame."""
    frames = await frames_of(played)
    changed = first_changed(frames, change)
    wrong = tuple(encoded(change(frame) if frame.index == changed else frame) for frame in frames)

    async def answer(message: Msg) -> None:
        after = from_player(message.data, Sync).after
        await message.respond(
            to_reply(Synced(match=played.match, seat=SEAT, frames=wrong[after : after + 1], more=True))
        )

    await client.subscribe(sync_subject(played.match, SEAT), cb=answer)
    with pytest.raises(BrokenChain):
        await watch(View(client, played.match, SEAT, played.tokens[SEAT]), len(frames))


@pytest.mark.parametrize("answer", [b"", b"\xc1", msgspec.msgpack.encode({"type": "accepted"})])
async def test_an_answer_to_a_sync_that_cannot_be_read_breaks_the_chain(
    client: Client, played: Simulation, answer: bytes
) -> None:
    async def respond(message: Msg) -> None:
        await message.respond(answer)

    await client.subscribe(sync_subject(played.match, None), cb=respond)
    with pytest.raises(BrokenChain):
        await watch(View(client, played.match), 1)


async def test_garbage_where_frames_are_published_stops_no_viewer(client: Client, played: Simulation) -> None:
    """It is dropped, and what may have been in its place is asked for."""
    entries = await played.log.read(played.match)
    log = await copy(entries[:HALF])
    gallery = Gallery(log, client.publish)

    async def answer(message: Msg) -> None:
        await message.respond(await gallery.answer(message.subject, message.data))
        for entry in (await log.read(played.match))[-1:]:
            if entry.sequence < len(entries):
                following = entries[entry.sequence]
                await log.append(following.subject, following.data, expected=entry.sequence)
        for garbage in (b"", b"\xc1", msgspec.msgpack.encode({"type": "refused", "code": "bad_message"})):
            await client.publish(view_subject(played.match, None), garbage)

    await client.subscribe(sync_subject(played.match, None), cb=answer)
    assert len(await watch(View(client, played.match), len(entries))) == len(entries)


async def test_who_is_slow_with_what_he_sees_lets_others_have_their_turn(
    client: Client, gallery: Processes, played: Simulation
) -> None:
    """Also where many frames have come already: else what else this process does would wait until it is given up."""
    await publish(client, await played.log.read(played.match))
    turns, before = 0, 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    working = asyncio.create_task(other())
    async with asyncio.timeout(SECONDS):
        async for frame, _ in View(client, played.match).frames():
            assert turns > before
            before = turns
            if frame.table.over:
                break
    working.cancel()


async def copy(entries: list[Entry]) -> MemoryLog:
    """A log that holds these entries."""
    log, last = MemoryLog(), 0
    for entry in entries:
        last = await log.append(entry.subject, entry.data, expected=last)
    return log


async def test_who_takes_a_seat_that_was_left_plays_on_and_who_left_it_hears_no_more_than_signs(
    client: Client, roles: Processes, gallery: Processes
) -> None:
    """He stays connected, and what is published for the seat is published for him as well."""
    match = await open_match(client, "gongzhu", {"hands_limit": 1}, seats=4)
    heard: list[bytes] = []

    async def hear(message: Msg) -> None:
        heard.append(message.data)

    async with asyncio.timeout(SECONDS):
        gone = Player(client, match)
        await gone.join(3)
        await client.subscribe(view_subject(match, 3), cb=hear)
        left = await gone.leave()
        await asyncio.gather(*(sit_and_play(Player(client, match), seat) for seat in range(4)))
        log = await JetStreamLog(client).read(match)
        while len(heard) < len(log) - HALF:
            await asyncio.sleep(0.01)
    assert len(heard) > left.index
    assert len([data for data in heard if data != SIGN]) < left.index
