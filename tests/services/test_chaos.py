"""The services under fire: any of their processes, and their server, killed at random while many matches are played."""

import asyncio
import os
import re
import signal
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import pytest
from nats.aio.client import Client

from replay.audit import audit_entries
from schemas.actions import Action
from schemas.cards import Seat
from schemas.commands import Accepted
from schemas.digest import digest
from schemas.log import Commit, acting
from services.bots.bot import play
from services.bots.house import preside
from services.cli.connect import as_guest, as_operator
from services.client import Player, lasting, open_match
from services.games import GAMES
from services.games.fold import Fold
from services.games.match import Match, asked
from services.games.shuffle import Stream
from services.runtime.jetstream import JetStreamLog
from services.runtime.keys import house_token, store_secret
from services.runtime.log import Entry
from services.runtime.nats_server import server_url
from services.runtime.settings import Settings
from tests.house import shortened
from tests.services.conftest import Up, command_line, descendants, up

MATCHES = 20
STORM_SECONDS = 60.0
KILL_EVERY = 2.0
PACE = 0.3
"""Seconds a bot thinks while it storms, so that a match lasts for many kills."""

END_SECONDS = 90.0
"""Seconds in which all that was begun must have ended; most of them are for a machine that is busy with other tests."""

TURN_SECONDS = 5.0
"""How long a turn may take, from the commit that asked to the one that answers, what the bot thinks apart."""

GAMES_PLAYED = {"gongzhu": {"hands_limit": 1}, **{name: shortened(name).options for name in GAMES if name != "gongzhu"}}


class Told(NamedTuple):
    """What a player was told: that a command was accepted, in which commit."""

    match: str
    commit: int
    seat: Seat
    action: Action | None  # None: to join


class Noting(Player):
    """A player who notes what he is told, and thinks before he acts."""

    def __init__(self, nats: Client, match: str, told: list[Told], pace: Callable[[], float]) -> None:
        super().__init__(nats, match)
        self._told = told
        self._pace = pace

    async def join(self, seat: Seat | None = None) -> Accepted:
        """See Player."""
        accepted = await super().join(seat)
        self._told.append(Told(self.match, accepted.index, self.seat, None))
        return accepted

    async def act(self, action: Action, *, seen: int | None = None) -> Accepted:
        """See Player."""
        await asyncio.sleep(self._pace())
        accepted = await super().act(action, seen=seen)
        self._told.append(Told(self.match, accepted.index, self.seat, dict(action)))
        return accepted


class Arena:
    """Where matches are played on running services.

    Attributes:
        matches: the ids of those that were opened.
        told: what the players were told.
        pace: seconds that each of them thinks.
    """

    def __init__(self, store: Path, operator: Client, pace: float) -> None:
        self.matches: list[str] = []
        self.told: list[Told] = []
        self.pace = pace
        self._settings = Settings(store=store)
        self._operator = operator
        self._log = JetStreamLog(operator)
        self._house = house_token(store_secret(store))

    async def play(self, game: str) -> None:
        """Play a match to its end, each seat over a connection of its own."""
        seats = GAMES[game].seats[0]
        async with as_guest(self._settings) as guest:
            match = await open_match(guest, game, GAMES_PLAYED[game], seats=seats)
            self.matches.append(match)
            house = preside(self._log, self._operator, match, self._house)
            await asyncio.gather(house, *(self._sit(guest, match, seat) for seat in range(seats)))

    async def _sit(self, guest: Client, match: str, seat: Seat) -> None:
        player = Noting(guest, match, self.told, lambda: self.pace)
        await player.join(seat)
        async with player.seated(server_url(self._settings)):
            await play(player)

    async def judge(self) -> float:
        """See that each match has ended, is sound, and has what players were told and nothing else; the longest turn.

        In seconds, as the commits tell them.
        """
        longest = 0.0
        for match in self.matches:
            entries = await self._log.read(match)
            report = audit_entries(entries)
            assert (report.findings, report.ended, report.passed_over) == ((), True, 0), match
            played = list(steps(match, entries))
            told = sorted((each for each in self.told if each.match == match), key=lambda each: each.commit)
            assert [each.commit for each in told] == [commit.index for _, commit in played if is_command(commit)]
            assert all(stands(each, played[each.commit - 1][1]) for each in told)
            longest = max(longest, *(turn(before, commit) for before, commit in played[1:] if before is not None))
        return longest


def steps(match: str, entries: Iterable[Entry]) -> Iterator[tuple[Match | None, Commit]]:
    """Each commit, and the match before it."""
    fold = Fold(match)
    for entry in entries:
        before = fold.state
        message = fold.apply(*entry)
        assert message is not None
        yield before, message.commit


def is_command(commit: Commit) -> bool:
    """Whether a player sent what was committed."""
    seat, auto = acting(commit)
    return seat is not None and not auto


def stands(told: Told, commit: Commit) -> bool:
    """Whether the commit is that of the accepted command."""
    action = commit.action if commit.sealed_action is None else commit.sealed_action.value
    return acting(commit)[0] == told.seat and told.action in (None, action)


def turn(before: Match, commit: Commit) -> float:
    """Seconds from the commit that asked for this one: the seat if a seat was waited for, else the role."""
    seat, _ = acting(commit)
    since = before.times[seat].asked if seat is not None and seat in asked(before) else before.at
    return (commit.at - since) / 1000


@asynccontextmanager
async def arena(running: Up, *, pace: float) -> AsyncGenerator[Arena]:
    """An arena on these services."""
    async with as_operator(Settings(store=running.store)) as operator:
        yield Arena(running.store, lasting(operator), pace)


async def storm(pid: int, dice: Stream) -> None:
    """Kill one of the processes of services every two seconds for a minute."""
    begin = time.monotonic()
    for number in range(1, int(STORM_SECONDS / KILL_EVERY) + 1):
        await asyncio.sleep(begin + number * KILL_EVERY - time.monotonic())
        found = list(processes(pid, r"services\.cli run (\w+)"))
        victim, name = found[dice.below(len(found))]
        os.kill(victim, signal.SIGKILL)
        print(f"{time.monotonic() - begin:5.1f} s: kill -9 of a {name}")


def processes(pid: int, pattern: str) -> Iterator[tuple[int, str]]:
    """The processes that this one has started and in whose command line the pattern is found, and what it names."""
    for each in descendants(pid):
        if found := re.search(pattern, command_line(each)):
            yield each, found[1]


async def until(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    while not condition():
        await asyncio.sleep(0.01)


async def test_twenty_matches_end_as_told_while_services_are_killed_at_random(tmp_path: Path) -> None:
    """Two replicas of each service; twenty matches at once, a new one in the place of each that ends."""
    seed = 1
    print(f"seed {seed}")
    with up(tmp_path, "--replicas", "2") as running:
        async with arena(running, pace=PACE) as played:
            storming = asyncio.create_task(storm(running.pid, Stream(digest("tests/storm", seed))))

            async def play_on(game: str) -> None:
                while not storming.done():
                    await played.play(game)

            async with asyncio.timeout(STORM_SECONDS + END_SECONDS):
                playing = [asyncio.create_task(play_on(game)) for game in islice(cycle(GAMES), MATCHES)]
                await storming
                played.pace = 0.0
                await asyncio.gather(*playing)
            longest = await played.judge()
    print(f"{len(played.matches)} matches, {len(played.told)} commands, the longest turn {longest:.1f} s")
    assert len(played.matches) >= 2 * MATCHES
    assert longest - PACE < TURN_SECONDS


# nats-py leaves the streams of a try to reconnect that failed to the garbage collector.
@pytest.mark.filterwarnings("ignore:.*StreamWriter.__del__:pytest.PytestUnraisableExceptionWarning")
async def test_matches_go_on_when_the_server_is_killed_and_started_again_on_its_store(tmp_path: Path) -> None:
    """Twice in their middle; what was acknowledged before is still there."""
    with up(tmp_path) as running:
        async with arena(running, pace=0.1) as played, asyncio.timeout(END_SECONDS):
            playing = asyncio.gather(*map(played.play, GAMES))
            for told in (150, 300):
                await until(lambda: len(played.told) > told)  # noqa: B023 - it is waited for within the loop
                [(pid, _)] = processes(running.pid, r"(nats-server) -c")
                os.kill(pid, signal.SIGKILL)
            played.pace = 0.0
            await playing
            longest = await played.judge()
    print(f"{len(played.told)} commands, the longest turn {longest:.1f} s")
    assert longest < TURN_SECONDS
