"""One hand, in which after every single commit the processes that wrote it and that are due are killed."""

import asyncio
import contextlib
import hashlib
import os
import signal
from dataclasses import replace

import msgspec
import pytest
from msgspec import structs
from nats.aio.client import Client
from nats.aio.msg import Msg

from replay.audit import audit_entries
from schemas.codec import from_log
from schemas.digest import digest
from schemas.log import ROLES
from schemas.subjects import log_filter
from services import client as clients
from services.dealer.app import turn
from services.games.match import asked, due
from services.games.pick import pick
from services.games.shuffle import Stream
from services.games.view import legal
from services.referee.desk import Desk
from services.runtime.keys import role_secret, salt_key
from services.runtime.log import Entry
from services.runtime.processes import Processes
from services.runtime.settings import Settings
from services.runtime.worker import Worker
from tests.house import House, agreed
from tests.services.conftest import HOUSE_TOKEN, SECRET, MakeChild
from tests.services.processed import OneHand, Processed

SECONDS = 120


SETTING = OneHand("show_hand", "standard", 2)


class Undisturbed(House):
    """Services in memory that have the secrets of the processes."""

    def __init__(self) -> None:
        super().__init__(SETTING)
        secret = role_secret(SECRET, "dealer")
        self.workers["dealer"] = Worker(
            "dealer", self.log, salt_key=salt_key(secret, "dealer"), turn=turn(Settings(secret=secret)), clock=int
        )
        self.desk = Desk(self.workers["referee"], house=hashlib.sha256(HOUSE_TOKEN).digest())


async def play(house: House) -> list[Entry]:
    """Play the match to its end, one seat after the other; what it does is a function of the log."""
    agreed(await house.open())
    while (who := due(state := await house.settle())) != "none":
        if who == "open":
            await house.fill(state)
            continue
        seat = asked(state)[0]
        dice = Stream(digest("tests/answer", state.index))
        choice = pick(structs.replace(legal(state, seat), also=()), dice) or house.players[seat].show()
        agreed(await house.send(seat, choice))
    return await house.entries()


def told(entries: list[Entry]) -> list[bytes]:
    """What each commit says, but for its time and its salts."""
    commits = [from_log(entry.data).commit for entry in entries]
    return [
        msgspec.msgpack.encode(
            (commit.index, commit.by, commit.cause, commit.seat, commit.auto, commit.events),
            enc_hook=lambda sealed: sealed.value,
        )
        for commit in commits
    ]


class Killer:
    """Kills, at every commit of a match, the process of the role that wrote it, and that of the role that is due."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._index = 0
        self.killed = 0

    async def take(self, message: Msg) -> None:
        """See a commit as soon as it is sent, perhaps before its writer is told that it is stored.

        Those of indices that were seen are refused: new processes do again what they do not know to be done.
        """
        index = from_log(message.data).commit.index
        if index <= self._index:
            return
        self._index = index
        _, _, by, who = message.subject.split(".")
        for role in {by, who if who in ROLES else "referee"}:
            with contextlib.suppress(ProcessLookupError):  # it is just being started again
                os.kill(self._processes.pid(role), signal.SIGKILL)
                self.killed += 1


async def test_a_hand_goes_on_as_undisturbed_when_after_each_commit_its_writer_and_who_is_due_are_killed(
    client: Client, child: MakeChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "ANSWER_SECONDS", 0.2)  # nobody is left to answer
    house = Processed(SETTING, client)
    async with Processes(first_delay=0.001, longest_delay=0.001) as processes, asyncio.timeout(SECONDS):
        for role in ROLES:
            await processes.start(replace(child(role), restart=True))
        killer = Killer(processes)
        await client.subscribe(log_filter(house.match), cb=killer.take)
        entries = await play(house)
    assert told(entries) == told(await play(Undisturbed()))
    assert killer.killed >= len(entries)
    report = audit_entries(entries)
    assert (report.findings, report.ended, report.passed_over) == ((), True, 0)
