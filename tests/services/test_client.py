"""The client against a real referee in this process, which loses answers and is not ready yet."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

import msgspec
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.codec import from_reply
from schemas.commands import Refused
from schemas.events import MatchOpened, SeatJoined
from schemas.log import Role
from schemas.refusals import Code
from schemas.subjects import COMMANDS, join_subject
from services import client as clients
from services.client import Player, ask_until_answered, open_match
from services.games.decide import deal, play_managed
from services.games.fold import Fold
from services.games.shuffle import share
from services.referee.desk import Desk
from services.runtime.jetstream import JetStreamLog
from services.runtime.nats_server import NatsServer
from services.runtime.worker import Turn, Worker
from tests.users import TESTS

SECONDS = 20
OPTIONS = {"preset": "standard"}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client asks again soon."""
    monkeypatch.setattr(clients, "ANSWER_SECONDS", 0.05)


class Referee:
    """Answers commands; the first `lost` answers do not arrive."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.lost = 0
        self.asked: list[Msg] = []
        self.refused: list[Code] = []
        self.on_refusal: Callable[[Refused], Awaitable[None]] | None = None
        self._desk = Desk(self.worker("referee", play_managed))

    def worker(self, role: Role, turn: Turn) -> Worker:
        """A worker on the server's log."""
        return Worker(role, JetStreamLog(self.client), salt_key=bytes(32), turn=turn, clock=int)

    async def take(self, message: Msg) -> None:
        """Answer a command."""
        self.asked.append(message)
        answer = await self._desk.answer(message.subject, message.data)
        if len(self.asked) > self.lost:
            await message.respond(answer)
        reply = from_reply(answer)
        if isinstance(reply, Refused):
            self.refused.append(reply.code)
            if self.on_refusal is not None:
                await self.on_refusal(reply)

    async def deal(self, match: str) -> None:
        """Let the dealer take his turn."""
        dealer = self.worker("dealer", lambda state: deal(state, partial(share, bytes(32), match), "test"))
        await dealer.take_turns(match, 1)


@pytest.fixture
async def referee(client: Client) -> AsyncIterator[Referee]:
    """A referee that answers on the test's server."""
    referee = Referee(client)
    subscription = await client.subscribe(COMMANDS, cb=referee.take)
    yield referee
    await subscription.unsubscribe()


async def events(client: Client, match: str) -> list[type]:
    """The types of all events of the match."""
    fold = Fold(match)
    messages = [fold.apply(*entry) for entry in await JetStreamLog(client).read(match)]
    return [type(event) for message in messages if message for event in message.commit.events]


async def test_a_command_whose_answers_are_lost_is_sent_again_with_its_id_and_done_once(
    client: Client, referee: Referee
) -> None:
    referee.lost = 2
    async with asyncio.timeout(SECONDS):
        match = await open_match(client, "gongzhu", OPTIONS, seats=4)
    assert len({message.data for message in referee.asked}) == 1
    assert len(referee.asked) >= 3
    assert await events(client, match) == [MatchOpened]


async def test_a_join_waits_for_the_dealer(client: Client, referee: Referee) -> None:
    """It is refused `not_ready` until he has committed to his shares, and then accepted, once."""
    match = await open_match(client, "gongzhu", OPTIONS, seats=4)

    async def ready(reply: Refused) -> None:
        if referee.refused == [Code.NOT_READY] * 2:
            await referee.deal(match)

    referee.on_refusal = ready
    async with asyncio.timeout(SECONDS):
        accepted = await Player(client, match).join()
    assert accepted.seat == 0
    assert referee.refused == [Code.NOT_READY] * 2
    ids = {msgspec.msgpack.decode(each.data)["id"] for each in referee.asked if each.subject == join_subject(match)}
    assert len(ids) == 1
    assert (await events(client, match)).count(SeatJoined) == 1


async def test_a_token_has_its_seat_back_and_no_second_one(client: Client, referee: Referee) -> None:
    """A player that is started again joins as before, and is given the seat he holds."""
    match = await open_match(client, "gongzhu", OPTIONS, seats=4)
    await referee.deal(match)
    async with asyncio.timeout(SECONDS):
        first = await Player(client, match, token=b"a" * 32).join(2)
        other = await Player(client, match, token=b"b" * 32).join()
        again = await Player(client, match, token=b"a" * 32).join()
    assert (first.seat, other.seat) == (2, 0)
    assert again == first
    assert (await events(client, match)).count(SeatJoined) == 2


async def test_what_is_refused_for_good_is_raised(client: Client, referee: Referee) -> None:
    with pytest.raises(clients.Refused, match="no_such_game"):
        await open_match(client, "chess", {}, seats=2)
    assert len(referee.asked) == 1


async def test_a_connection_whose_server_is_away_comes_back_and_until_then_costs_next_to_nothing(
    server: NatsServer,
) -> None:
    seed = server.keys.users[TESTS].get_secret_value()
    nats = clients.lasting(await clients.connect(server.url, nkeys_seed_str=seed))
    await server.stop()
    before = time.process_time()
    await asyncio.sleep(1.0)
    assert time.process_time() - before < 0.2
    await server.restart()
    async with asyncio.timeout(SECONDS):
        while not nats.is_connected:
            await asyncio.sleep(0.01)
    await nats.close()


async def test_a_cancellation_that_comes_with_an_answer_is_not_lost(client: Client) -> None:
    asking = asyncio.create_task(ask_until_answered(client, join_subject("M" * 26), b""))
    answers: dict[str, asyncio.Future[Msg]] = client._resp_map  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001
    async with asyncio.timeout(SECONDS):
        while not answers:
            await asyncio.sleep(0)
    await asyncio.sleep(0)  # the task waits for it by now
    for answer in answers.values():
        answer.add_done_callback(lambda _: asking.cancel())
    done, _ = await asyncio.wait([asking], timeout=SECONDS)
    assert done
    assert asking.cancelled()
