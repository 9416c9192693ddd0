"""Cheats on the wire, through all services on the real server: what players forge, what a service gone bad writes."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

import msgspec
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from replay.audit import audit_entries
from schemas.codec import from_reply, to_service
from schemas.commands import Command, Refused
from schemas.log import Due
from schemas.refusals import Code
from schemas.subjects import log_subject, seat_subject, sync_subject, view_subject
from services.bots.bot import play
from services.client import Player, connect_guest, connect_seat, open_match, take_seat
from services.runtime.jetstream import DIRECT_GET, JetStreamLog
from services.runtime.log import Entry
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Processes
from tests.users import connected

SECONDS = 60
SEATS = 4
OPTIONS = {"hands_limit": 1, "opening_must_play": False}
DUES: tuple[Due, ...] = ("dealer", "scorer", "open", "none", (0,))
HEADERS = (None, {"Status": "404"}, {"Status": "100", "Nats-Sequence": "1", "Nats-Subject": "log.x.y.z"})
TOKENS = [bytes([seat + 1]) * 32 for seat in range(SEATS)]


@pytest.fixture
async def match(server: NatsServer, all_services: Processes) -> str:
    """A match that was opened, as anybody opens one."""
    async with connect_guest(server.url) as guest:
        return await open_match(guest, "gongzhu", OPTIONS, seats=SEATS)


@asynccontextmanager
async def seated(server: NatsServer, match: str) -> AsyncGenerator[list[Player]]:
    """Four players, who have taken their seats."""
    async with AsyncExitStack() as stack:
        seats = (take_seat(server.url, match, seat, token=token) for seat, token in enumerate(TOKENS))
        yield [await stack.enter_async_context(seat) for seat in seats]


async def bot(server: NatsServer, match: str, seat: int) -> None:
    """Take a seat and play to the end."""
    async with take_seat(server.url, match, seat, token=TOKENS[seat]) as player:
        await play(player)


async def entries(client: Client, match: str) -> list[Entry]:
    """All that is stored of the match."""
    return await JetStreamLog(client).read(match)


async def stored(client: Client) -> int:
    """How many messages are stored of all matches."""
    return (await client.jetstream().stream_info("LOG")).state.messages


async def sent(client: Client) -> None:
    """Wait until the server has taken all that was published."""
    for _ in range(2):
        await client.flush()


def garbage(valid: Entry) -> list[bytes]:
    """What a service might write that is no valid next commit; some of it nearly is."""
    public, secrets, signature = msgspec.msgpack.decode(valid.data)
    commit = msgspec.msgpack.decode(public)
    changed = (
        {**commit, "index": commit["index"] + 1},
        {**commit, "by": "scorer"},
        {**commit, "match": "N" * 26},
        {**commit, "index": 2**53 + 1},
        {**commit, "events": []},
    )
    return [
        b"",
        b"\xc1",
        os.urandom(1000),
        b"\x91" * 60_000,
        valid.data,
        valid.data[:-1],
        valid.data + b"\x00",
        *(msgspec.msgpack.encode([msgspec.msgpack.encode(each), secrets, signature]) for each in changed),
    ]


async def test_a_player_cannot_forge_a_commit_or_a_command_by_the_reply_he_asks_for(
    server: NatsServer, client: Client, match: str
) -> None:
    """The answer to a command goes where its sender says; within the account of players it means nothing."""
    async with seated(server, match), connect_seat(server.url, match, 0, TOKENS[0]) as cheat:
        heard: list[str] = []

        async def hear(message: Msg) -> None:
            heard.append(message.subject)

        await client.subscribe("cmd.>", cb=hear)
        await sent(client)
        before = await stored(client)
        command = to_service(Command(id="forged", token=bytes(32), action={"type": "manage", "on": True}))
        aims = (log_subject(match, "referee", "dealer"), log_subject(match, "dealer", "open"), seat_subject(match, 1))
        for aim in aims:
            await cheat.publish(seat_subject(match, 0), command, reply=aim)
            await cheat.publish(sync_subject(match, 0), b"", reply=aim)
            await cheat.publish(DIRECT_GET, b'{"seq": 1}', reply=aim)
        answer = from_reply((await cheat.request(seat_subject(match, 0), command, timeout=SECONDS)).data)
        assert isinstance(answer, Refused)
        assert answer.code == Code.BAD_TOKEN
        await sent(client)
        assert await stored(client) == before
        assert heard == [seat_subject(match, 0)] * (len(aims) + 1)


async def test_an_answer_aimed_at_the_view_of_another_is_taken_for_what_it_is(
    server: NatsServer, client: Client, match: str
) -> None:
    """It is no frame, and the viewer goes on."""
    async with seated(server, match) as players, connect_seat(server.url, match, 0, TOKENS[0]) as cheat:
        frames = players[1].view().frames()
        first = [(await anext(frames))[0].index for _ in range(6)]
        for subject in (seat_subject(match, 0), sync_subject(match, 0)):
            await cheat.publish(subject, b"", reply=view_subject(match, 1))
        await sent(cheat)
        await players[2].show_entropy()
        assert [*first, (await anext(frames))[0].index] == [1, 2, 3, 4, 5, 6, 7]
        await frames.aclose()


async def test_a_seat_acts_as_itself_only(server: NatsServer, client: Client, match: str) -> None:
    """With the subject of another it is denied by the server, with the token of another by the referee."""
    async with seated(server, match), connect_seat(server.url, match, 0, TOKENS[0]) as cheat:
        before = await stored(client)
        command = to_service(Command(id="as-1", token=TOKENS[1], action={"type": "manage", "on": True}))
        await cheat.publish(seat_subject(match, 1), command)
        answer = from_reply((await cheat.request(seat_subject(match, 0), command, timeout=SECONDS)).data)
        assert isinstance(answer, Refused)
        assert answer.code == Code.BAD_TOKEN
        assert await stored(client) == before


async def test_what_a_service_gone_bad_writes_is_passed_over_and_named_while_the_match_goes_on(
    server: NatsServer, client: Client, match: str
) -> None:
    """The dealer's key lets it write as dealer, and so also garbage; with headers, too, that readers might believe."""
    written: list[int] = []
    over = asyncio.Event()

    async def disturb(bad: Client) -> None:
        seen = await entries(client, match)
        while not over.is_set():
            for number, data in enumerate(garbage(seen[-1])):
                subject = log_subject(match, "dealer", DUES[number % len(DUES)])
                ack = await bad.jetstream().publish(subject, data, headers=HEADERS[number % len(HEADERS)])
                written.append(ack.seq)
            new: list[Entry] = []
            while not new and not over.is_set():
                await asyncio.sleep(0.01)
                new = await JetStreamLog(client).read(match, written[-1])
            seen = new or seen

    async with asyncio.timeout(SECONDS), connected(server, "dealer") as bad:
        disturbing = asyncio.create_task(disturb(bad))
        await asyncio.gather(*(bot(server, match, seat) for seat in range(SEATS)))
        over.set()
        await disturbing
    assert len(written) > 20
    report = audit_entries(await entries(client, match))
    assert report.ended
    assert [finding.sequence for finding in report.findings] == written
    assert report.passed_over == len(written)
    assert all(finding.text.startswith("passed over: ") for finding in report.findings)
