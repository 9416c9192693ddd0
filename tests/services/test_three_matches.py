"""Three matches at once through the real services: dealer, referee, scorer and gallery, and three processes of bots."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import NamedTuple

from nats.aio.client import Client

from replay.audit import audit_entries
from replay.fold import archive_of
from schemas.cards import Seat
from schemas.codec import Message, Viewer, may_open, opening
from schemas.events import HandRevealed
from schemas.gongzhu import Claimed
from schemas.log import NO_CHAIN
from schemas.views import Frame, Revealed
from services.cli.connect import as_guest, as_operator
from services.client import View, connect_seat, open_match
from services.runtime.jetstream import JetStreamLog
from services.runtime.nats_server import server_url
from services.runtime.settings import Settings
from tests.services.conftest import environ

SEATS = 4
OPTIONS = {"hands_limit": 1, "opening_must_play": False}
SECONDS = 60
BOTS = """
import asyncio, sys
from services.bots.bot import play
from services.client import take_seat
from services.runtime.nats_server import server_url
from services.runtime.settings import load_settings

async def main(match, tokens):
    async def one(seat, token):
        async with take_seat(server_url(load_settings()), match, seat, token=bytes.fromhex(token)) as player:
            await play(player)

    await asyncio.gather(*(one(seat, token) for seat, token in enumerate(tokens)))

asyncio.run(main(sys.argv[1], sys.argv[2:]))
"""


class Seen(NamedTuple):
    """What one viewer was shown of a match, from the first frame to the last."""

    seat: Seat | None
    frames: list[tuple[Frame, Message]]


class Played(NamedTuple):
    """A match that was played while its rail and all its seats were watched."""

    match: str
    viewers: list[Seen]


async def watch(view: View, seated: asyncio.Event) -> Seen:
    """See a match to its end; `seated` is set once all seats are taken."""
    frames: list[tuple[Frame, Message]] = []
    async for frame, message in view.frames():
        frames.append((frame, message))
        if all(place.joined for place in frame.table.places):
            seated.set()
        if frame.table.over:
            break
    return Seen(view.seat, frames)


async def watch_seat(url: str, match: str, seat: Seat, token: bytes, seated: asyncio.Event) -> Seen:
    """See a match to its end with the eyes of a seat, over a connection of its own."""
    async with connect_seat(url, match, seat, token) as own:
        return await watch(View(own, match, seat, token), seated)


async def play(guest: Client, store: Path) -> Played:
    """Let four bots of one process play a match; watch it from the rail, and from each seat once it is taken."""
    match = await open_match(guest, "gongzhu", OPTIONS, seats=SEATS)
    tokens = [bytes([seat]) * 32 for seat in range(SEATS)]
    bots = await asyncio.create_subprocess_exec(
        sys.executable, "-c", BOTS, match, *(token.hex() for token in tokens), env=environ(store=store), stderr=PIPE
    )
    url, seated = server_url(Settings(store=store)), asyncio.Event()
    try:
        rail = asyncio.create_task(watch(View(guest, match), seated))
        await seated.wait()
        seats = (watch_seat(url, match, seat, token, seated) for seat, token in enumerate(tokens))
        viewers = await asyncio.gather(rail, *seats)
        _, errors = await bots.communicate()
        assert (bots.returncode, errors) == (0, b"")
    finally:
        if bots.returncode is None:
            bots.kill()
            await bots.wait()
    return Played(match, viewers)


def revealed_by(message: Message, log: tuple[Message, ...]) -> tuple[Revealed, ...]:
    """The secrets of earlier commits that this one opens to everybody."""
    return tuple(
        Revealed(index, secret.slot, secret.salt, secret.value)
        for event in message.commit.events
        if isinstance(event, HandRevealed)
        for index in range(event.first, event.last + 1)
        for secret in log[index - 1].secrets
    )


def assert_shown_as_logged(seen: Seen, log: tuple[Message, ...]) -> None:
    """Every commit once, in order, unchanged and chained; its secrets those of the viewer; no hand open but his own,

    and those that were shown to all with a claim (gongzhu §6.1).
    """
    assert [frame.index for frame, _ in seen.frames] == list(range(1, len(log) + 1))
    head = NO_CHAIN
    claimed: set[Seat] = set()
    for (frame, shown), message in zip(seen.frames, log, strict=True):
        assert frame.seat == seen.seat
        assert frame.public == message.public
        assert shown.commit.prev == head
        head = shown.chain
        viewer: Viewer = "rail" if seen.seat is None else seen.seat
        assert frame.secrets == tuple(opening(each) for each in message.secrets if may_open(each.audience, viewer))
        assert frame.revealed == revealed_by(message, log)
        claimed |= {event.seat for event in message.commit.events if isinstance(event, Claimed)}
        opened = {seat for seat, place in enumerate(frame.table.places) if place.hand.is_open}
        assert opened <= {seen.seat} | claimed


async def test_three_matches_at_once_end_audited_and_shown_as_logged(store: Path) -> None:
    """Each process serves all three; nobody misses a commit or sees a secret that is not his."""
    async with asyncio.timeout(SECONDS), as_guest(Settings(store=store)) as guest:
        matches = await asyncio.gather(*(play(guest, store) for _ in range(3)))
    for played in matches:
        async with as_operator(Settings(store=store)) as operator:
            entries = await JetStreamLog(operator).read(played.match)
        report = audit_entries(entries)
        assert (report.ok, report.ended, report.passed_over) == (True, True, 0)
        archive, _ = archive_of(entries)
        assert [seen.seat for seen in played.viewers] == [None, 0, 1, 2, 3]
        for seen in played.viewers:
            assert_shown_as_logged(seen, archive.messages)
        assert any(frame.secrets for seen in played.viewers[1:] for frame, _ in seen.frames)
        assert not any(frame.secrets for frame, _ in played.viewers[0].frames)
