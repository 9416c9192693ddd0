"""A referee who cheats a seat is noticed by the seat's own client, which holds the frames against what it sent."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.actions import Action
from schemas.cards import Seat
from schemas.codec import from_log, from_player, from_reply, to_reply, to_service
from schemas.commands import Accepted, Command
from schemas.events import EntropyShown
from schemas.log import ROLES
from schemas.subjects import COMMANDS, SYNC_RAIL, SYNC_SEATS, log_match
from schemas.views import Frame
from services.bots.bot import play
from services.client import Player, open_match
from services.gallery.gallery import Gallery
from services.games.fold import Fold
from services.games.match import due
from services.games.view import legal
from services.referee.desk import Desk
from services.runtime.log import MemoryLog
from services.simulate import Simulation
from services.witness import Altered, Dropped
from tests.house import feed
from tests.services.conftest import sit_and_play

SECONDS = 20
CHEATED: Seat = 0

Cheat = Callable[["House", str, Command, list[Action]], Awaitable[bytes]]
"""What the referee does with a command of the cheated seat instead, knowing other actions the seat might have sent."""


class House:
    """All services in this process on a log in memory, reached over a real server; its referee may cheat one seat."""

    def __init__(self, client: Client, cheat: Cheat | None) -> None:
        self.log = MemoryLog()
        self.workers = Simulation("gongzhu", {}, seats=4, seed=bytes(32), log=self.log).workers
        self.desk = Desk(self.workers["referee"])
        self._client = client
        self._cheat = cheat
        self._gallery = Gallery(self.log, client.publish)
        self._shown = 0
        self._one_at_a_time = asyncio.Lock()

    async def open(self) -> None:
        """Take commands and syncs."""
        await self._client.subscribe(COMMANDS, cb=self._take_command)
        for subject in (SYNC_SEATS, SYNC_RAIL):
            await self._client.subscribe(subject, cb=self._take_sync)

    async def fold(self, match: str) -> Fold:
        """The match as it is."""
        fold = Fold(match)
        for entry in await self.log.read(match):
            fold.apply(*entry)
        return fold

    async def _take_sync(self, message: Msg) -> None:
        await message.respond(await self._gallery.answer(message.subject, message.data))

    async def _take_command(self, message: Msg) -> None:
        async with self._one_at_a_time:
            reply = await self._answer(message.subject, message.data)
            await message.respond(reply)
            if match := from_reply(reply).match:
                await self._go_on(match)

    async def _answer(self, subject: str, data: bytes) -> bytes:
        if self._cheat is not None and subject.endswith(f".{CHEATED}"):
            command = from_player(data, Command)
            state = (await self.fold(log_match(subject))).state
            others = [each for each in legal(state, CHEATED).choices if each != command.action] if state else []
            if others:
                return await self._cheat(self, subject, command, others)
        return await self.desk.answer(subject, data)

    async def _go_on(self, match: str) -> None:
        """The roles take their turns, and all that is new is shown."""
        while (state := (fold := await self.fold(match)).state) is not None and (role := due(state)) in ROLES:
            await self.workers[role].take_turns(match, fold.sequence)
        for entry in await self.log.read(match, self._shown):
            await feed(self._gallery, entry)
            self._shown = entry.sequence


async def swap(house: House, subject: str, command: Command, others: list[Action]) -> bytes:
    """Record another action than the one that was sent."""
    other = Command(id=command.id, token=command.token, action=dict(others[0]))
    return await house.desk.answer(subject, to_service(other))


async def swap_and_rename(house: House, subject: str, command: Command, others: list[Action]) -> bytes:
    """Record another action, as if another command had brought it about."""
    other = Command(id="forged", token=command.token, action=dict(others[0]))
    return await house.desk.answer(subject, to_service(other))


async def drop(house: House, subject: str, command: Command, others: list[Action]) -> bytes:
    """Say that the action is the next commit, and record nothing."""
    fold = await house.fold(log_match(subject))
    return to_reply(Accepted(match=fold.match, index=fold.index + 1, seat=CHEATED))


async def drop_behind_another(house: House, subject: str, command: Command, others: list[Action]) -> bytes:
    """Say that the action is the last commit, which is another one."""
    fold = await house.fold(log_match(subject))
    return to_reply(Accepted(match=fold.match, index=fold.index, seat=CHEATED))


async def play_twice(house: House, subject: str, command: Command, others: list[Action]) -> bytes:
    """Record the action, and later one that was never sent."""
    reply = await house.desk.answer(subject, to_service(command))
    again = Command(id="forged", token=command.token, action={"type": "manage", "on": True})
    await house.desk.answer(subject, to_service(again))
    return reply


@asynccontextmanager
async def match_played(client: Client, cheat: Cheat | None) -> AsyncGenerator[list[asyncio.Task[None]]]:
    """Bots that play a match, that of the cheated seat first."""
    house = House(client, cheat)
    await house.open()
    match = await open_match(client, "gongzhu", {"preset": "standard"}, seats=4)
    tasks = [asyncio.create_task(sit_and_play(Player(client, match), seat=seat, seed=bytes(32))) for seat in range(4)]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize(
    ("cheat", "noticed"),
    [
        (swap, Altered),
        (swap_and_rename, Altered),
        (drop, Dropped),
        (drop_behind_another, Dropped),
        (play_twice, Altered),
    ],
)
async def test_a_client_notices_what_the_referee_does_to_its_actions(
    client: Client, cheat: Cheat, noticed: type[Exception]
) -> None:
    async with match_played(client, cheat) as (cheated, *_):
        with pytest.raises(noticed):
            await asyncio.wait_for(cheated, SECONDS)


async def test_an_honest_referee_is_not_suspected(client: Client) -> None:
    async with match_played(client, None) as tasks, asyncio.timeout(SECONDS):
        await asyncio.gather(*tasks)


# --- entropy -----------------------------------------------------------------------------------------------------


@pytest.fixture
async def table(client: Client) -> tuple[House, str]:
    """Services that do not cheat, and a match that they have opened."""
    house = House(client, None)
    await house.open()
    return house, await open_match(client, "gongzhu", {"hands_limit": 1, "opening_must_play": False}, seats=4)


async def sit(client: Client, match: str, seat: Seat) -> Player:
    """A new player, who takes this seat."""
    player = Player(client, match, token=secrets.token_bytes(32))
    await player.join(seat)
    return player


async def look(player: Player, index: int) -> Frame:
    """The frame of this index, once the player has seen all before it."""
    async with asyncio.timeout(SECONDS), aclosing(player.view().frames()) as frames:
        async for frame, _ in frames:
            if frame.index == index:
                return frame
    raise AssertionError("frames have no end")


async def give_up(client: Client, match: str, seat: Seat) -> int:
    """Somebody takes the seat and leaves it; the index of the commit by which it is free again."""
    return (await (await sit(client, match, seat)).leave()).index


async def test_a_player_shows_what_he_has_committed_to_though_a_seat_was_lost_meanwhile(
    client: Client, table: tuple[House, str]
) -> None:
    """Given he commits to other entropy, and has not seen that a second seat was freed before; then he can show it."""
    _, match = table
    players = [await sit(client, match, seat) for seat in range(3)]
    for player, freed in zip(players, [await give_up(client, match, 3)] * 3, strict=True):
        await look(player, freed)
    await give_up(client, match, 3)
    for player in players:
        await player.commit_entropy()
    last = await (await sit(client, match, 3)).show_entropy()
    for player in players:
        assert await player.give_entropy(await look(player, last.index))


async def test_a_player_who_is_started_again_shows_no_entropy_twice(client: Client, table: tuple[House, str]) -> None:
    """Given he has shown entropy for the second time, and another seat was lost; then he commits to a third and plays.

    All old frames come to him first; none of them makes him commit to what he has shown.
    """
    house, match = table
    players = [await sit(client, match, seat) for seat in range(3)]
    token = secrets.token_bytes(32)
    first = Player(client, match, token=token)
    await first.join(3)
    await first.show_entropy()
    freed = await players[0].leave()
    assert not await first.give_entropy(await look(first, freed.index))
    for player in players[1:]:
        await player.give_entropy(await look(player, freed.index))
    other = await sit(client, match, 0)
    joined = await other.show_entropy()
    assert await first.give_entropy(await look(first, joined.index))
    await players[1].leave()
    again = Player(client, match, token=token)
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as tasks:
        tasks.create_task(sit_and_play(again, seat=3))
        for player in (other, players[2], await sit(client, match, 1)):
            tasks.create_task(play(player))
    messages = [from_log(entry.data) for entry in await house.log.read(match)]
    shown = [event for message in messages for event in message.commit.events if isinstance(event, EntropyShown)]
    own = [event.entropy for event in shown if event.seat == again.seat]
    assert len(own) == len(set(own)) == 3
