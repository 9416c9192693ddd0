"""Races through processes: two referees, whom the server gives the commands by chance, and clients that hurry."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Self

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.actions import Action
from schemas.cards import Seat
from schemas.codec import from_log, from_reply, to_service
from schemas.commands import Accepted, Command, Refused, Reply, Request
from schemas.log import ROLES, Commit, Role
from schemas.refusals import Code
from schemas.subjects import OPEN, house_subject, join_subject, seat_subject, user_inbox
from services.client import FOR_THE_MOMENT
from services.games.match import asked, due
from services.games.view import legal
from services.runtime.nats_config import ADMIN
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Processes
from services.runtime.ready import until_ready
from tests.house import House, agreed
from tests.services.conftest import HOUSE_TOKEN, SECONDS, MakeChild, environ, start
from tests.services.processed import OneHand, Processed
from tests.users import TESTS, connected

GONGZHU = OneHand("gongzhu", "standard", 4)
ROUNDS = 10
"""How often players hurry where chance decides which referee is asked first."""

VERBS = {"open", "join", "leave", "commit_entropy", "show_entropy", "play", "manage", "penalty", "void"}

COPIES = 3
"""How many copies of a command are sent at once."""


async def ask(client: Client, subject: str, command: Command | Request) -> Reply:
    """Send a command once, and read what is answered."""
    return from_reply((await client.request(subject, to_service(command), timeout=SECONDS)).data)


async def commits(house: House) -> list[Commit]:
    """What stands in the log."""
    return [from_log(entry.data).commit for entry in await house.entries()]


# --- one turn ----------------------------------------------------------------------------------------------------

SENDER = """
import asyncio, sys
from services.client import connect

async def main(url, seed, inbox):
    client = await connect(url, nkeys_seed_str=seed, inbox_prefix=inbox.encode())
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        subject, data = line.decode().split()
        answer = await client.request(subject, bytes.fromhex(data), timeout=20)
        print(answer.data.hex(), flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


class Sender:
    """A process of its own that sends the commands that it is given."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def ask(self, subject: str, command: Command) -> Reply:
        """Send a command once, and read what is answered."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{subject} {to_service(command).hex()}\n".encode())
        return from_reply(bytes.fromhex((await self._process.stdout.readline()).decode()))


@pytest.fixture
async def senders(server: NatsServer, client: Client) -> AsyncIterator[list[Sender]]:
    """Two of them."""
    own = (server.url, server.keys.users[TESTS].get_secret_value(), user_inbox(ADMIN))
    command = [sys.executable, "-c", SENDER, *own]
    processes = [
        await asyncio.create_subprocess_exec(*command, env=environ(), stdin=PIPE, stdout=PIPE) for _ in range(2)
    ]
    yield [Sender(process) for process in processes]
    for process in processes:
        process.kill()
        await process.communicate()


async def hurry(house: Processed, senders: list[Sender]) -> Counter[Code]:
    """Play a hand; at each turn two processes answer at once, and the loser's answer comes once more as a late click.

    Why what was not accepted was refused.
    """
    codes = Counter[Code]()
    state = await house.seat_all()
    while due(state) != "none":
        seat = asked(state)[0]
        player, subject = house.players[seat], seat_subject(house.match, seat)
        listed = legal(state, seat).choices
        pair = [player.command(f"{state.index} {which}", listed[which], state.index) for which in (0, -1)]
        replies = await asyncio.gather(*(sender.ask(subject, each) for sender, each in zip(senders, pair, strict=True)))
        late = player.command(f"{state.index} late", pair[isinstance(replies[0], Accepted)].action, state.index)
        replies.append(await house.ask(subject, late))
        [accepted] = [reply for reply in replies if isinstance(reply, Accepted)]
        assert accepted.index == state.index + 1
        before, state = state, await house.settle()
        assert state.index == before.index + 1 or due(state) == "none"
        refused = {reply.code for reply in replies if isinstance(reply, Refused)}
        if seat in asked(state):
            assert refused == {Code.STALE}
        codes.update(refused)
    return codes


async def test_of_two_commands_for_one_turn_one_is_accepted_and_a_late_click_answers_no_next_question(
    client: Client, referees: Processes, senders: list[Sender]
) -> None:
    """Hands are played until one has had a seat that was asked anew at once."""
    codes, number = Counter[Code](), 0
    async with asyncio.timeout(SECONDS):
        while not codes[Code.STALE]:
            codes = await hurry(Processed(GONGZHU, client, str(number)), senders)
            number += 1
    assert not codes.keys() & FOR_THE_MOMENT


async def test_four_sealed_answers_in_the_same_millisecond_are_all_accepted(
    server: NatsServer, referees: Processes
) -> None:
    """Each over a connection of its own, to whichever referee; none is stale, since none knows of the others."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(server)) for _ in range(4)]
        for number in range(ROUNDS):
            house = Processed(GONGZHU, clients[0], str(number))
            state = await house.seat_all()
            assert asked(state) == (0, 1, 2, 3)
            answers = [
                house.players[seat].command("answer", legal(state, seat).choices[-1], state.index) for seat in range(4)
            ]
            replies = await asyncio.gather(
                *(ask(clients[seat], seat_subject(house.match, seat), answers[seat]) for seat in range(4))
            )
            indexes = sorted(agreed(reply).index for reply in replies)
            assert indexes == list(range(state.index + 1, state.index + 5))
            made = (await commits(house))[state.index :]
            assert {commit.seat for commit in made} == {0, 1, 2, 3}


# --- retries -----------------------------------------------------------------------------------------------------


async def test_a_retry_of_each_command_has_the_same_answer_and_one_commit(client: Client, referees: Processes) -> None:
    """Three copies at once, to whichever referee, and one more when the match is over."""
    house = Processed(GONGZHU, client)
    sent: list[tuple[str, Command | Request, Accepted]] = []

    async def send(subject: str, command: Command | Request) -> None:
        replies = await asyncio.gather(*(ask(client, subject, command) for _ in range(COPIES)))
        assert len(set(replies)) == 1
        sent.append((subject, command, agreed(replies[0])))
        await house.settle()

    async def act(seat: Seat, action: Action) -> None:
        command = house.players[seat].command(f"command {len(sent)}", action)
        await send(seat_subject(house.match, seat), command)

    async def rule(action: Action) -> None:
        command = Command(id=f"ruling {len(sent)}", token=HOUSE_TOKEN, action=dict(action))
        await send(house_subject(house.match), command)

    await send(OPEN, house.request)
    for player in house.players:
        await send(join_subject(house.match), player.join())
    await act(3, {"type": "leave"})
    house.players[3] = house.players[3]._replace(name="another")
    await send(join_subject(house.match), house.players[3].join())
    for player in house.players[:3]:
        await act(player.seat, player.commit())
    for player in house.players:
        await act(player.seat, player.show())
    for _ in range(6):
        state = await house.state()
        seat = asked(state)[0]
        await act(seat, legal(state, seat).choices[0])
    seat = asked(await house.state())[0]
    await act(seat, {"type": "manage", "on": True})
    await act(seat, {"type": "manage", "on": False})
    await act(seat, {"type": "leave"})
    await rule({"type": "penalty", "seat": 1, "points": -20})
    await rule({"type": "void", "reason": "a storm"})

    for subject, command, accepted in sent:
        assert await ask(client, subject, command) == accepted
    assert {command.action["type"] for _, command, _ in sent} >= VERBS
    causes = [commit.cause for commit in await commits(house)]
    assert len(set(causes)) == len(causes)
    assert len({accepted.index for _, _, accepted in sent}) == len(sent)


# --- what a referee does not hear --------------------------------------------------------------------------------


class Proxy:
    """Stands between a service and the server, and can keep from the service what becomes of its next commit.

    Attributes:
        port: where the service connects.
        keeps: whether the service hears nothing any more once it has sent its next commit.
    """

    def __init__(self, server: NatsServer) -> None:
        self.keeps = False
        self.deaf = asyncio.Event()
        self.port = 0
        self._server = server
        self._open = set[asyncio.StreamWriter]()

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Break the connections; new ones are whole."""
        self.keeps = False
        self.deaf.clear()
        for each in self._open:
            each.close()
        self._open.clear()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._server.port)
        self._open |= {writer, back}
        await asyncio.gather(self._up(reader, back), self._down(there, writer))

    async def _up(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(1 << 16):
                if self.keeps and b"HPUB log." in data:
                    self.deaf.set()
                target.write(data)
        target.close()

    async def _down(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(1 << 16):
                if not self.deaf.is_set():
                    target.write(data)
        target.close()


@pytest.mark.parametrize("role", ["referee", "dealer"])
async def test_a_commit_whose_acknowledgement_is_lost_is_there_once_and_answered_for(
    server: NatsServer, client: Client, child: MakeChild, role: Role
) -> None:
    """The append lands, but the connection breaks before the service hears of it."""
    house = Processed(GONGZHU, client)
    async with Processes() as processes, Proxy(server) as proxy:
        urls = {str(role): f"nats://127.0.0.1:{proxy.port}"}
        children = [(each, urls.get(each.name, server.url)) for each in map(child, ROLES)]
        await start(
            processes, client, *(replace(one, env={**one.env, "FAIRDEAL_NATS_URL": url}) for one, url in children)
        )
        await house.open()
        await house.settle()
        for player in house.players:
            agreed(await house.join(player))
        for player in house.players[:3]:
            agreed(await house.send(player.seat, player.show()))
        before = len(await commits(house))
        proxy.keeps = True
        last = house.players[3].command("last", house.players[3].show())
        answer = asyncio.create_task(ask(client, seat_subject(house.match, 3), last))
        async with asyncio.timeout(SECONDS):
            await proxy.deaf.wait()
            while role not in [commit.by for commit in (await commits(house))[before:]]:
                await asyncio.sleep(0.005)
        proxy.cut()
        shown = agreed(await answer).index
        state = await house.settle()
        agreed(await house.send(0, legal(state, 0).choices[0], seen=state.index))
        made = await commits(house)
    assert [commit.by for commit in made[shown - 1 :]] == ["referee", "dealer", "referee"]
    assert len({commit.cause for commit in made}) == len(made)


def is_for_good(reply: Reply) -> bool:
    """Whether the sender need not send the command again."""
    return isinstance(reply, Accepted) or reply.code not in FOR_THE_MOMENT


class Inbox:
    """Sends commands, copies of each, and collects whatever is answered, however late.

    Attributes:
        replies: the answers to each command, by its id.
        copies: how many copies were sent of each.
    """

    def __init__(self, client: Client) -> None:
        self.replies = defaultdict[str, list[Reply]](list)
        self.copies = Counter[str]()
        self._client = client
        self._inbox = client.new_inbox()

    async def listen(self) -> None:
        """Hear what is answered from now on."""
        await self._client.subscribe(f"{self._inbox}.*", cb=self._take)

    async def _take(self, message: Msg) -> None:
        self.replies[message.subject.removeprefix(f"{self._inbox}.")].append(from_reply(message.data))

    async def send(self, subject: str, command: Command) -> Reply:
        """Send copies of a command until there is an answer to one."""
        async with asyncio.timeout(SECONDS):
            while not self.replies[command.id]:
                for _ in range(COPIES):
                    await self._client.publish(subject, to_service(command), reply=f"{self._inbox}.{command.id}")
                self.copies[command.id] += COPIES
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.2):
                        while not self.replies[command.id]:
                            await asyncio.sleep(0.002)
        return self.replies[command.id][0]


async def test_a_referee_that_slept_while_another_worked_refuses_nothing_wrongly(
    client: Client, roles: Processes, child: MakeChild, tmp_path: Path
) -> None:
    """It wakes up with an old fold and with copies of commands that the other has answered; then it is alone."""
    house, inbox = Processed(GONGZHU, client), Inbox(client)
    await inbox.listen()
    state = await house.seat_all()
    other = replace(child("referee"), name="other", log=tmp_path / "other.log")
    await roles.start(other, ready=partial(until_ready, client, "referee", count=2))
    os.kill(roles.pid("referee"), signal.SIGSTOP)
    for number in range(12):
        seat = asked(state)[0]
        command = house.players[seat].command(f"{number}", legal(state, seat).choices[0], state.index)
        agreed(await inbox.send(seat_subject(house.match, seat), command))
        state = await house.settle()
    os.kill(roles.pid("other"), signal.SIGKILL)
    await roles.wait("other")
    seat = asked(state)[0]
    last = house.players[seat].command("last", legal(state, seat).choices[0], state.index)
    answer = asyncio.create_task(house.ask(seat_subject(house.match, seat), last))
    os.kill(roles.pid("referee"), signal.SIGCONT)
    assert agreed(await answer).index == state.index + 1
    async with asyncio.timeout(SECONDS):
        while any(len(inbox.replies[each]) < copies for each, copies in inbox.copies.items()):
            await asyncio.sleep(0.005)
    answers = [set(filter(is_for_good, replies)) for replies in inbox.replies.values()]
    assert len({agreed(reply).index for [reply] in answers}) == len(inbox.copies)
    made = await commits(house)
    assert len({commit.cause for commit in made}) == len(made) == state.index + 1
