"""Nine workers, three of each role, on one log, under schedules and faults chosen at random: one match comes of it.

Tokens and commands come to any replica, several times and late; appends and reads fail in every way that a log may
fail; processes are killed. The players' choices are functions of what they see, so the same events must come about.
"""

import asyncio
from collections import defaultdict
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec.structs import replace

from replay.audit import audit_entries
from schemas.actions import Action
from schemas.codec import from_frame, from_log, from_reply, to_service
from schemas.commands import Accepted, Command, Reply, Request
from schemas.digest import digest
from schemas.log import ROLES, Role
from schemas.subjects import OPEN, join_subject, seat_subject
from schemas.views import Frame, Legal
from services.client import FOR_THE_MOMENT
from services.gallery.frames import Shown
from services.games.match import due
from services.games.pick import pick
from services.games.shuffle import Stream
from services.games.view import legal
from services.referee.desk import Desk
from services.runtime.log import Entry, Unavailable
from services.runtime.worker import Behind
from tests.house import SETTINGS, Player, Setting, a_worker, agreed, match_of, opening
from tests.schedules import ChosenLog, ChosenLoop, Killed

T = TypeVar("T")

SCHEDULES = 200
WHOLE_EVERY = 40
"""Most schedules end with the first hand, so that there is time for many; every so manieth is a whole match."""


class Floor:
    """Replicas of the roles and players around one log; the dice says to whom what comes, and how often.

    Attributes:
        replies: what was answered to each command, by its subject and bytes.
    """

    def __init__(
        self, setting: Setting, loop: ChosenLoop, dice: Stream, *, replicas: int, faults: int, hands: int
    ) -> None:
        self.request = opening(setting)
        self.match = match_of(self.request)
        self.replies = defaultdict[tuple[str, bytes], list[Reply]](list)
        self._loop = loop
        self._dice = dice
        self._replicas = replicas
        self._hands = hands
        self._group = asyncio.TaskGroup()
        self._log = ChosenLog(loop, dice, stored=self._on_stored, start=self._start, faults=faults)
        self._workers = {role: [a_worker(role, self._log) for _ in range(replicas)] for role in ROLES}
        self._desks = [Desk(worker) for worker in self._workers["referee"]]
        self._shown = Shown(self.match)
        self._frames = [asyncio.Queue[tuple[Frame, Legal] | None]() for _ in range(setting.seats)]
        self._entries: list[Entry] = []

    async def run(self) -> list[Entry]:
        """Play until all that was set going has come to rest; returns the log."""
        async with self._group:
            self._start(self._ask(OPEN, self.request))
            for seat in range(len(self._frames)):
                self._start(self._sit(Player(self.match, seat)))
        return self._entries

    def _start(self, work: Coroutine[Any, Any, object]) -> None:
        _ = self._group.create_task(work)

    def _copies(self) -> range:
        return range(1 + self._dice.below(self._replicas))

    # --- services ------------------------------------------------------------------------------------------------

    def _on_stored(self, entry: Entry) -> None:
        """Tokens go to the role that is due, frames to all seats; when enough hands were scored, players go home."""
        self._entries.append(entry)
        for role in ROLES:
            if entry.subject.endswith(f".{role}"):
                for _ in self._copies():
                    self._start(self._deliver(role, entry.sequence))
        step = self._shown.follow(*entry)
        assert step is not None
        self._hands -= step.message.commit.by == "scorer"
        for seat, frames in enumerate(self._frames):
            frames.put_nowait((from_frame(step.frame(seat))[0], legal(step.state, seat)))
            if self._hands == 0 or due(step.state) == "none":
                frames.put_nowait(None)

    async def _deliver(self, role: Role, sequence: int) -> None:
        """A token, delivered until it is acknowledged."""
        while True:
            await self._loop.turn()
            place = self._dice.below(self._replicas)
            try:
                return await self._workers[role][place].take_turns(self.match, sequence)
            except (Behind, Unavailable):
                pass
            except Killed:
                self._start_anew(role, place)

    def _start_anew(self, role: Role, place: int) -> None:
        """Another process takes the place of the one that was killed."""
        self._workers[role][place] = worker = a_worker(role, self._log)
        if role == "referee":
            self._desks[place] = Desk(worker)

    # --- players -------------------------------------------------------------------------------------------------

    async def _sit(self, player: Player) -> None:
        """Join what was opened, and answer when waited for; frames from before the last answer ask nothing new."""
        await self._frames[player.seat].get()
        index = (await self._ask(join_subject(self.match), player.join())).index
        while (shown := await self._frames[player.seat].get()) is not None:
            frame, listed = shown
            if frame.waited and frame.index >= index:
                command = player.command(f"at {frame.index}", answer(player, listed), seen=frame.index)
                index = (await self._ask(seat_subject(self.match, player.seat), command)).index

    async def _ask(self, subject: str, command: Request | Command) -> Accepted:
        """Send a command, perhaps several times at once; what comes back first counts."""
        data = to_service(command)
        copies = [self._group.create_task(self._send(subject, data)) for _ in self._copies()]
        await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
        return next(copy.result() for copy in copies if copy.done())

    async def _send(self, subject: str, data: bytes) -> Accepted:
        """One copy of a command, sent until it is answered for good."""
        while True:
            await self._loop.turn()
            place = self._dice.below(self._replicas)
            try:
                reply = from_reply(await self._desks[place].answer(subject, data))
            except Killed:
                self._start_anew("referee", place)
                continue
            if isinstance(reply, Accepted) or reply.code not in FOR_THE_MOMENT:
                self.replies[subject, data].append(reply)
                return agreed(reply)


def answer(player: Player, listed: Legal) -> Action:
    """What a player does, a function of what he is listed alone: claims and managing come sooner or later by chance."""
    dice = Stream(digest("tests/answer", player.seat, listed.choices))
    return pick(replace(listed, also=()), dice) or player.show()


def play(setting: Setting, seed: object, *, replicas: int, faults: int, hands: int) -> tuple[Floor, list[Entry]]:
    """Play under one schedule."""
    dice = Stream(digest("tests/schedule", seed))
    loop = ChosenLoop(dice)
    with asyncio.Runner(loop_factory=lambda: loop) as runner:

        async def run() -> tuple[Floor, list[Entry]]:
            floor = Floor(setting, loop, dice, replicas=replicas, faults=faults, hands=hands)
            return floor, await floor.run()

        return runner.run(run())


def events(entries: list[Entry]) -> list[bytes]:
    """What happened, without the order: seats that are asked together answer in any order."""
    commits = [from_log(entry.data).commit for entry in entries]
    return sorted(
        msgspec.msgpack.encode(event, enc_hook=lambda sealed: sealed.value) for c in commits for event in c.events
    )


@cache
def undisturbed(setting: Setting, hands: int) -> list[bytes]:
    """What happens where each role is there once and nothing fails."""
    return events(play(setting, "calm", replicas=1, faults=0, hands=hands)[1])


@pytest.mark.parametrize("number", range(SCHEDULES))
def test_nine_workers_write_one_log_with_the_same_events_as_undisturbed(number: int) -> None:
    setting = SETTINGS[number % len(SETTINGS)]
    hands = 10**6 if number % WHOLE_EVERY == 0 else 1

    floor, entries = play(setting, number, replicas=3, faults=number % 4, hands=hands)

    report = audit_entries(entries)
    assert (report.findings, report.undecided, report.passed_over) == ((), "", 0)
    assert events(entries) == undisturbed(setting, hands)
    indices = [{agreed(reply).index for reply in replies} for replies in floor.replies.values()]
    assert all(len(found) == 1 for found in indices)
    commits = [from_log(entry.data).commit for entry in entries]
    assert sorted(set.union(*indices)) == [commit.index for commit in commits if commit.by == "referee"]
    assert len(indices) == len(set.union(*indices))


def test_a_schedule_comes_about_again_and_another_one_does_not() -> None:
    first = play(SETTINGS[0], 1, replicas=3, faults=3, hands=1)[1]
    assert play(SETTINGS[0], 1, replicas=3, faults=3, hands=1)[1] == first
    assert play(SETTINGS[0], 2, replicas=3, faults=3, hands=1)[1] != first
