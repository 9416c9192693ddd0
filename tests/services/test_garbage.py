"""Garbage through the real server, by players and by a service gone bad: all services go on, in no more memory."""

import asyncio
import contextlib
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from statistics import median
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
import nats
import pytest
from nats.aio.client import Client

from schemas.actions import Join, as_action
from schemas.codec import MAX_COMMAND_BYTES, from_reply, to_service
from schemas.commands import Accepted, Command, Refused, Request, Sync
from schemas.log import ROLES
from schemas.refusals import Code
from schemas.subjects import GUEST, guest_inbox, join_subject, log_subject, seat_subject, sync_subject
from services.client import ask, connect_guest, connect_seat, open_match
from services.games.match import key_of
from services.games.shuffle import Stream
from services.runtime.jetstream import JetStreamLog
from services.runtime.nats_config import CALLOUT, SUBSCRIPTIONS
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Processes
from services.runtime.provision import GALLERY
from tests.measure import resident
from tests.users import connected

SECONDS = 20
TOKEN = b"t" * 32
PASSWORD = "a-guest-of-this-test"
SERVICES = (*ROLES, GALLERY, CALLOUT)
MANAGE = {"type": "manage", "on": True}

RATE, FLOOD_SECONDS = 10_000, 2
PROMPT = 2.0
"""Seconds within which others are answered during a flood; after so long a client asks again."""

GROWTH = 16.0
"""MiB that a service may need more after a flood."""


class Sat(NamedTuple):
    """A match whose seat 0 is taken, and the request by which it was."""

    match: str
    joined: Request
    accepted: Accepted


async def sat(server: NatsServer) -> Sat:
    """Open a match and take its seat 0."""
    async with connect_guest(server.url) as guest:
        match = await open_match(guest, "gongzhu", {}, seats=4)
        request = Request(id="join", action=as_action(Join(key=key_of(TOKEN), commitment=bytes(32), seat=0)))
        return Sat(match, request, await ask(guest, join_subject(match), request))


@pytest.fixture
async def taken(server: NatsServer, all_services: Processes) -> AsyncIterator[Sat]:
    """A match on running services, which are the same processes afterwards, and without complaint."""
    before = [all_services.pid(name) for name in SERVICES]
    yield await sat(server)
    assert [all_services.pid(name) for name in SERVICES] == before
    assert await sat(server)


def encoded(**changes: object) -> bytes:
    """A command of seat 0, with some fields changed."""
    return msgspec.msgpack.encode({"id": "garbage", "token": TOKEN, "action": MANAGE, **changes})


def doing(action: object) -> bytes:
    """A command of seat 0 to do this."""
    return encoded(action=action)


NO_ACTIONS: tuple[object, ...] = (None, [], "play", 3)
NO_VERBS: tuple[object, ...] = (None, [], {}, 3, b"play")

STRANGE = ("*", ">", "a.b", "a\r\nb", "\0", " ", "٣", "\U0001f0a1")
"""Texts that mean something in a subject, or break a line."""

GARBAGE: list[tuple[bytes, Code]] = [
    (b"", Code.BAD_MESSAGE),
    (b"\xc1", Code.BAD_MESSAGE),
    (b"\x91" * MAX_COMMAND_BYTES, Code.BAD_MESSAGE),
    (b"{}\r\nPUB log.x.dealer.dealer 1\r\nx\r\n", Code.BAD_MESSAGE),
    *((Stream(bytes([n])).block() * n, Code.BAD_MESSAGE) for n in range(1, 40)),
    *((encoded(id=text), Code.BAD_MESSAGE) for text in ("", "x" * 65, 7, None)),
    *((encoded(token=token), Code.BAD_MESSAGE) for token in (b"", TOKEN + b"t", TOKEN.decode())),
    *((encoded(token=token), Code.BAD_TOKEN) for token in (bytes(32), TOKEN[::-1][:-1] + b"T")),
    *((encoded(seen=number), Code.BAD_MESSAGE) for number in (-1, 2**53, -(2**53), 2**64 - 1, 1e300, float("nan"))),
    *((doing({"type": "play", "cards": number}), Code.BAD_MESSAGE) for number in (2**53, [[2**63]], {"x": -(2**60)})),
    *((doing(action), Code.BAD_MESSAGE) for action in NO_ACTIONS),
    *((doing({"type": verb}), Code.BAD_ACTION) for verb in NO_VERBS),
    *((doing({"type": verb}), Code.BAD_ACTION) for verb in ("fly", "", *STRANGE)),
    (doing({}), Code.BAD_ACTION),
    (doing({"type": "timeout"}), Code.NOT_ALLOWED),
    (doing({"type": "void", "reason": "mine"}), Code.NOT_ALLOWED),
]


async def test_whatever_a_player_sends_is_refused_by_its_code_and_is_not_in_the_log(
    server: NatsServer, client: Client, taken: Sat
) -> None:
    before = await JetStreamLog(client).read(taken.match)
    async with connect_seat(server.url, taken.match, 0, TOKEN) as seat:
        for data, code in GARBAGE:
            reply = from_reply((await seat.request(seat_subject(taken.match, 0), data, timeout=SECONDS)).data)
            assert isinstance(reply, Refused)
            assert (data[:100], reply.code, reply.match) == (data[:100], code, taken.match)
        await ask(seat, seat_subject(taken.match, 0), Command(id="leave", token=TOKEN, action={"type": "leave"}))
    assert len(await JetStreamLog(client).read(taken.match)) == len(before) + 1


async def test_old_commands_sent_again_are_answered_as_they_were_and_change_nothing(
    server: NatsServer, client: Client, taken: Sat
) -> None:
    """By whoever has overheard them; ids may be any text."""
    other = await sat(server)
    leave = [Command(id=text, token=TOKEN, action={"type": "leave"}) for text in STRANGE]
    async with connect_guest(server.url) as guest, connect_seat(server.url, taken.match, 0, TOKEN) as seat:
        left = await ask(seat, seat_subject(taken.match, 0), leave[0])
        log = await JetStreamLog(client).read(taken.match)
        for _ in range(3):
            assert await ask(guest, join_subject(taken.match), taken.joined) == taken.accepted
            assert await ask(seat, seat_subject(taken.match, 0), leave[0]) == left
            for command in leave[1:]:
                data = to_service(command)
                reply = from_reply((await seat.request(seat_subject(taken.match, 0), data, timeout=SECONDS)).data)
                assert isinstance(reply, Refused)
                assert reply.code == Code.BAD_TOKEN
        assert await ask(guest, join_subject(other.match), other.joined) == other.accepted
    assert await JetStreamLog(client).read(taken.match) == log


async def test_a_match_id_that_is_none_reaches_no_match(server: NatsServer, client: Client, taken: Sat) -> None:
    """Among what a guest may say there are wildcards and nonsense; all else the server denies."""
    denied: list[str] = []

    async def note(error: Exception) -> None:
        denied.append(str(error))

    before = (await client.jetstream().stream_info("LOG")).state.messages
    request = to_service(taken.joined)
    login = {"user": GUEST, "password": PASSWORD, "inbox_prefix": guest_inbox(PASSWORD)}
    async with await nats.connect(server.url, error_cb=note, **login) as guest:
        for text in ("*", ">", "x", "lower" * 4, "Z" * 27, "٣" * 12):
            reply = from_reply((await guest.request(f"cmd.{text}.join", request, timeout=SECONDS)).data)
            assert isinstance(reply, Refused)
            assert reply.code == Code.BAD_MESSAGE
        for subject in ("cmd.>", "cmd.*.0", "log.>", log_subject(taken.match, "referee", "dealer"), "$JS.API.>"):
            await guest.publish(subject, request)
        async with asyncio.timeout(SECONDS):
            while len(denied) < 5:
                await guest.flush()
    assert all("permissions violation for publish" in each.lower() for each in denied)
    assert (await client.jetstream().stream_info("LOG")).state.messages == before


BREAKING = (
    b"PUB cmd.open\r\n 2\r\n{}\r\n",
    b"PUB log.a\nb.dealer.dealer 2\r\n{}\r\n",
    b"PUB cmd.open 99999999\r\n",
    b"PUB cmd.open -1\r\n",
    b"\x00\xff" * 5000,
    b"PUB cmd.open %d\r\n%b\r\n" % (MAX_COMMAND_BYTES + 1, bytes(MAX_COMMAND_BYTES + 1)),
    b"".join(b"SUB view.*.rail %d\r\n" % number for number in range(SUBSCRIPTIONS + 1)),
)


async def test_a_connection_that_breaks_the_protocol_or_its_limits_is_told_so_and_nothing_is_stored(
    server: NatsServer, client: Client, taken: Sat
) -> None:
    """As by a line break in a subject, which our client would not send, by a huge payload, or by too many ears."""
    before = (await client.jetstream().stream_info("LOG")).state.messages
    address = urlsplit(server.url)
    for line in BREAKING:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        async with asyncio.timeout(SECONDS):
            writer.write(b'CONNECT {"verbose":false,"user":"guest","pass":"%b"}\r\nPING\r\n' % PASSWORD.encode())
            while await reader.readline() != b"PONG\r\n":
                pass
            writer.write(line)
            with contextlib.suppress(ConnectionError):
                while (heard := await reader.read(4096)) and b"-ERR" not in heard:
                    pass
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
    assert (await client.jetstream().stream_info("LOG")).state.messages == before


async def test_what_a_service_gone_bad_stores_for_no_match_is_passed_over_by_all(
    server: NatsServer, client: Client, taken: Sat
) -> None:
    """On subjects that its key may write to, where `*` would stand for all matches; every token is acked."""
    async with connected(server, "dealer") as bad:
        for nobodys in ("*", ">", "x", "é" * 12):
            for due in (*ROLES, "open", "none"):
                await bad.jetstream().publish(f"log.{nobodys}.dealer.{due}", b"\xc1")
    async with asyncio.timeout(SECONDS):
        for name in (*ROLES, GALLERY):
            while (info := await client.jetstream().consumer_info("LOG", name)).num_pending or info.num_ack_pending:
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("service", ["referee", GALLERY])
async def test_a_flood_from_one_seat_holds_up_no_other_and_leaves_nothing_behind(
    server: NatsServer, all_services: Processes, taken: Sat, service: str
) -> None:
    """Given 10,000 messages a second; then each is answered, and so is meanwhile who sits elsewhere."""
    if service == GALLERY:
        subject, body = sync_subject(taken.match, 0), to_service(Sync(token=TOKEN))
    else:
        subject, body = seat_subject(taken.match, 0), encoded(token=bytes(32))
    other = await sat(server)
    await flooded(server, taken.match, subject, body, seconds=1)  # what is loaded once stays
    before = resident(all_services.pid(service))
    flood = asyncio.create_task(flooded(server, taken.match, subject, body, seconds=FLOOD_SECONDS))
    waits: list[float] = []
    async with connect_seat(server.url, other.match, 0, TOKEN) as seat:
        while not flood.done():
            began = time.monotonic()
            await seat.request(subject.replace(taken.match, other.match), body, timeout=PROMPT)
            waits.append(time.monotonic() - began)
    sent, answered = await flood
    assert sent == answered == RATE * FLOOD_SECONDS
    assert len(waits) > 10
    assert median(waits) < PROMPT / 4
    assert resident(all_services.pid(service)) - before < GROWTH


async def flooded(server: NatsServer, match: str, subject: str, body: bytes, *, seconds: int) -> tuple[int, int]:
    """Let another process flood the subject; how many it has sent, and how many were answered."""
    arguments = (server.url, match, TOKEN.hex(), subject, body.hex(), str(RATE), str(seconds))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.services.flood", *arguments, stdout=PIPE
    )
    output, _ = await process.communicate()
    sent, answered, _ = output.split()
    return int(sent), int(answered)
