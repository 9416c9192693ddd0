"""The three roles as processes of their own: from the first command to the hand that is dealt."""

import asyncio
import hashlib
import json
import os
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path

from nats.aio.client import Client

from schemas.actions import Open, as_action
from schemas.codec import from_reply, to_service
from schemas.commands import Accepted, Command, Refused, Reply, Request
from schemas.events import DealerCommitted, EntropyShown, MatchOpened, SeatJoined, ShareUsed
from schemas.log import ROLES
from schemas.refusals import Code
from schemas.subjects import OPEN, join_subject, seat_subject
from services.client import Player, open_match
from services.games.fold import Fold
from services.runtime.jetstream import JetStreamLog
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Child, Processes
from services.runtime.provision import provision
from services.runtime.ready import until_ready
from services.runtime.settings import Settings
from tests.services.conftest import MakeChild

SECONDS = 20
MATCH = "M" * 26


async def ask(client: Client, subject: str, data: bytes) -> Reply:
    """Send bytes and read the answer."""
    return from_reply((await client.request(subject, data, timeout=SECONDS)).data)


async def fold(client: Client, match: str, *, index: int) -> Fold:
    """The match once it has commit `index`, with every message of it valid."""
    log, fold = JetStreamLog(client), Fold(match)
    async with asyncio.timeout(SECONDS):
        while fold.index < index:
            for entry in await log.read(match, fold.sequence):
                assert fold.apply(*entry) is not None
    return fold


async def says(child: Child, text: str) -> None:
    """Wait until the text stands in the child's log."""
    assert child.log is not None
    while not child.log.exists() or text not in child.log.read_text():
        await asyncio.sleep(0.005)


async def kinds(client: Client, match: str) -> list[list[type]]:
    """The types of the events of each commit."""
    log, fold = JetStreamLog(client), Fold(match)
    messages = [fold.apply(*entry) for entry in await log.read(match)]
    return [[type(event) for event in message.commit.events] for message in messages if message is not None]


def opening(command: str) -> Request:
    """A request to open a match of Gongzhu."""
    key = hashlib.sha256(b"opener").digest()
    return Request(id=command, action=as_action(Open(key=key, game="gongzhu", options={"preset": "standard"}, seats=4)))


async def test_four_players_join_show_their_entropy_and_are_dealt_a_hand(client: Client, roles: Processes) -> None:
    match = await open_match(client, "gongzhu", {"preset": "standard"}, seats=4)
    players = [Player(client, match) for _ in range(4)]
    assert [(await player.join()).seat for player in players] == [0, 1, 2, 3]
    await asyncio.gather(*(player.show_entropy() for player in players))
    state = (await fold(client, match, index=11)).state
    assert state is not None
    assert state.deals == 1
    commits = await kinds(client, match)
    assert commits[:10] == [[MatchOpened], [DealerCommitted], *[[SeatJoined]] * 4, *[[EntropyShown]] * 4]
    assert commits[10][0] is ShareUsed


async def test_a_retried_command_is_answered_as_the_first_was(client: Client, roles: Processes) -> None:
    data = to_service(opening("once"))
    first = await ask(client, OPEN, data)
    assert isinstance(first, Accepted)
    await fold(client, first.match, index=2)
    assert await ask(client, OPEN, data) == first
    assert await kinds(client, first.match) == [[MatchOpened], [DealerCommitted]]


async def test_garbage_and_unknown_subjects_are_refused_and_the_referee_goes_on(
    client: Client, roles: Processes
) -> None:
    for subject in (OPEN, "cmd.nonsense", "cmd.m1.join", seat_subject(MATCH, 999), join_subject(MATCH)):
        for garbage in (b"", b"\xc1", b"\xff" * 1000, b'{"id": "x"}'):
            answer = await ask(client, subject, garbage)
            assert isinstance(answer, Refused)
            assert answer.code == Code.BAD_MESSAGE
    assert isinstance(await ask(client, OPEN, to_service(opening("after"))), Accepted)


async def test_a_command_to_no_match_is_refused(client: Client, roles: Processes) -> None:
    command = Command(id="c", token=bytes(32), action={"type": "manage", "on": True})
    answer = await ask(client, seat_subject(MATCH, 0), to_service(command))
    assert isinstance(answer, Refused)
    assert answer.code == Code.NO_SUCH_MATCH


async def test_no_command_is_lost_when_one_of_two_referees_is_stopped(
    client: Client, roles: Processes, child: MakeChild, tmp_path: Path
) -> None:
    """Each command is sent once only, by eight senders that never pause; SIGTERM comes in between."""
    other = replace(child("referee"), name="other", log=tmp_path / "other.log")
    await roles.start(other, ready=partial(until_ready, client, "referee", count=2))
    stopped = asyncio.create_task(roles.wait("referee"))

    async def send(sender: int) -> list[Reply]:
        replies: list[Reply] = []
        while not stopped.done():
            replies.append(await ask(client, OPEN, to_service(opening(f"{sender}.{len(replies)}"))))
            if sender == 0 and len(replies) == 20:
                os.kill(roles.pid("referee"), signal.SIGTERM)
        return replies

    replies = [reply for each in await asyncio.gather(*map(send, range(8))) for reply in each]
    assert [reply for reply in replies if not isinstance(reply, Accepted)] == []
    assert await stopped == 0
    lines = [json.loads(line) for line in (tmp_path / "referee.log").read_text().splitlines()]
    assert [line for line in lines if line["level"] != "info"] == []


async def test_sigterm_ends_a_role_whose_server_is_gone(roles: Processes, server: NatsServer) -> None:
    await server.stop()
    for role in ROLES:
        os.kill(roles.pid(role), signal.SIGTERM)
    async with asyncio.timeout(SECONDS):
        assert [await roles.wait(role) for role in ROLES] == [0, 0, 0]


async def test_a_role_without_its_consumer_says_what_to_do_and_goes_on_when_it_is_there(
    bare_client: Client, child: MakeChild
) -> None:
    dealer = child("dealer")
    async with Processes() as processes:
        await processes.start(dealer, ready=lambda: says(dealer, "run `fairdeal migrate`"))
        await provision(bare_client, Settings())
        assert await asyncio.wait_for(until_ready(bare_client, "dealer"), SECONDS) == {processes.pid("dealer")}


async def test_a_role_waits_for_a_server_that_is_not_there_yet(
    server: NatsServer, client: Client, child: MakeChild
) -> None:
    await server.stop()
    scorer = child("scorer")
    async with Processes() as processes:
        await processes.start(scorer, ready=lambda: says(scorer, "connecting"))
        await server.restart()
        assert await asyncio.wait_for(until_ready(client, "scorer"), SECONDS) == {processes.pid("scorer")}
