"""Clocks as players meet them: matches that nobody plays, that are left, void or interrupted, on real processes."""

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest
from nats.aio.client import Client

from replay.audit import audit_entries
from schemas.clock import Clock
from schemas.commands import Accepted
from schemas.events import SeatLost
from schemas.gongzhu import ClaimRuled
from schemas.log import Commit, Due
from schemas.refusals import Code
from schemas.subjects import timer_subject
from services.client import Player, Refused, act_as_house, open_match
from services.games.fold import Fold
from services.games.match import Match, asked, due
from services.games.view import legal
from services.runtime import app
from services.runtime.jetstream import JetStreamLog
from services.runtime.processes import Processes
from services.runtime.ready import until_ready
from tests.services.conftest import HOUSE_TOKEN, MakeChild, sit_and_play

SECONDS = 40
FAST = Clock(turn=1, bank=0, entropy=1, phases={"expose": 1})


class Followed:
    """A match as its log tells it."""

    def __init__(self, client: Client, match: str) -> None:
        self._log = JetStreamLog(client)
        self._fold = Fold(match)
        self.commits: list[Commit] = []

    async def now(self) -> Match:
        """The match as it is now."""
        for entry in await self._log.read(self._fold.match, self._fold.sequence):
            message = self._fold.apply(*entry)
            assert message is not None
            self.commits.append(message.commit)
        assert self._fold.state is not None
        return self._fold.state

    async def until(self, holds: Callable[[Match], bool]) -> Match:
        """Wait until this holds of the match."""
        async with asyncio.timeout(SECONDS):
            while not holds(state := await self.now()):
                await asyncio.sleep(0.005)
        return state

    async def until_due(self, who: Due) -> Match:
        """Wait until somebody is due."""
        return await self.until(lambda state: due(state) == who)

    async def is_sound(self) -> bool:
        """Whether the audit finds nothing in the match, which has ended."""
        report = audit_entries(await self._log.read(self._fold.match))
        return (report.findings, report.ended) == ((), True)


async def seated(client: Client, clock: Clock, **options: object) -> tuple[Followed, list[Player]]:
    """A match of one hand at which four players sit."""
    match = await open_match(client, "gongzhu", {"hands_limit": 1, **options}, seats=4, clock=clock)
    players = [Player(client, match) for _ in range(4)]
    for player in players:
        await player.join()
    return Followed(client, match), players


async def dealt(client: Client, clock: Clock, **options: object) -> tuple[Followed, list[Player]]:
    """Such a match after the deal."""
    match, players = await seated(client, clock, **options)
    await asyncio.gather(*(player.show_entropy() for player in players))
    await match.until(lambda state: state.deals == 1)
    return match, players


async def has_timer(client: Client, match: str) -> bool:
    """Whether the match has exactly one timer, or one that has fired and is being acted on."""
    info = await client.jetstream().stream_info("TIMERS", subjects_filter=f"timer.*.{match}")
    found = info.state.subjects or {}
    return found.get(timer_subject(match), 1) == 1 and len(found) >= 1


async def test_a_match_whose_every_seat_times_out_ends_by_itself_and_always_has_one_timer(
    client: Client, roles: Processes
) -> None:
    match, players = await dealt(client, FAST)
    async with asyncio.timeout(SECONDS):
        while due(state := await match.now()) != "none":
            assert await has_timer(client, players[0].match) or due(await match.now()) == "none"
    assert all(holder.managed for holder in state.holders)
    assert state.at - match.commits[0].at < 15_000
    assert await match.is_sound()
    async with asyncio.timeout(SECONDS):
        while (await client.jetstream().stream_info("TIMERS")).state.messages:
            await asyncio.sleep(0.01)


async def test_a_seat_that_returns_takes_over_again(client: Client, roles: Processes) -> None:
    """Given all seats are managed but 0, which was too and returns; then it is waited for, and plays itself."""
    match, players = await dealt(client, Clock(turn=60, bank=0, phases={"expose": 60}))
    for player in players:
        await player.act({"type": "manage", "on": True})
        if player.seat == 0:
            await player.act({"type": "manage", "on": False})
    for _ in range(3):
        state = await match.until(lambda state: 0 in asked(state) and due(state) != "referee")
        choice = legal(state, 0).choices[-1]
        accepted = await players[0].act(choice, seen=state.index)
        await match.now()
        commit = match.commits[accepted.index - 1]
        action = commit.action if commit.sealed_action is None else commit.sealed_action.value
        assert (action, commit.auto) == (choice, False)


async def test_a_seat_whose_answers_failed_to_come_takes_over_again_when_its_player_returns(
    client: Client, roles: Processes
) -> None:
    """The first for which the referee plays after two time-outs; its player comes back, and plays to the end."""
    match, players = await dealt(client, FAST)
    state = await match.until(lambda state: any(holder.managed for holder in state.holders))
    [seat] = [seat for seat, holder in enumerate(state.holders) if holder.managed]
    returned = await players[seat].act({"type": "manage", "on": False})

    def is_asked(state: Match) -> bool:
        return due(state) == "none" or (seat in asked(state) and not state.holders[seat].managed)

    answers: list[int] = []
    while due(state := await match.until(is_asked)) != "none":
        answers.append((await players[seat].act(legal(state, seat).choices[-1], seen=state.index)).index)
    assert len(answers) > 5
    own = [commit for commit in match.commits[returned.index :] if commit.seat == seat]
    assert [(commit.index, commit.auto) for commit in own] == [(index, False) for index in answers]
    assert await match.is_sound()


async def test_time_is_charged_from_the_question_and_not_from_the_restart(
    client: Client, roles: Processes, child: MakeChild
) -> None:
    """Given the referee is killed while a seat thinks, and comes back 2 s later; then the limit is as it was."""
    match, _ = await dealt(client, Clock(turn=6, bank=2), expose="none")
    state = await match.now()
    (seat,) = asked(state)
    question = state.times[seat].asked
    limit = question + 8000
    os.kill(roles.pid("referee"), signal.SIGKILL)
    await roles.wait("referee")
    async with asyncio.timeout(SECONDS):
        while app.now() < question + 2000:
            await asyncio.sleep(0.01)
    await roles.start(replace(child("referee"), name="again"), ready=partial(until_ready, client, "referee"))
    ready = app.now()
    await match.until(lambda _: any(commit.auto for commit in match.commits))
    first = next(commit for commit in match.commits if commit.auto)
    assert first.seat == seat
    assert limit <= first.at < max(limit, ready) + 1000


async def test_a_time_that_is_up_while_the_referee_is_down_ends_when_it_is_back(
    client: Client, roles: Processes, child: MakeChild
) -> None:
    match, _ = await dealt(client, FAST, expose="none")
    os.kill(roles.pid("referee"), signal.SIGKILL)
    await roles.wait("referee")
    async with asyncio.timeout(SECONDS):
        while not (await client.jetstream().consumer_info("TIMERS", "timers")).num_pending:
            await asyncio.sleep(0.005)
    await roles.start(replace(child("referee"), name="again"), ready=partial(until_ready, client, "referee"))
    await match.until_due("none")
    assert await match.is_sound()


async def test_who_does_not_show_his_entropy_loses_the_seat_and_another_plays(
    client: Client, roles: Processes, child: MakeChild
) -> None:
    """Given three bots and one who joins and is silent; when a fourth bot takes the seat; then they play to the end."""
    await roles.start(child("gallery"), ready=partial(until_ready, client, "gallery"))
    match = await open_match(
        client, "gongzhu", {"hands_limit": 1, "opening_must_play": False}, seats=4, clock=Clock(entropy=1)
    )
    followed = Followed(client, match)
    await followed.until_due("open")
    silent = Player(client, match)
    await silent.join(2)
    async with asyncio.TaskGroup() as tasks:
        for seat in (0, 1, 3):
            tasks.create_task(sit_and_play(Player(client, match), seat=seat))
        await followed.until(lambda _: any(SeatLost(seat=2) in commit.events for commit in followed.commits))
        tasks.create_task(sit_and_play(Player(client, match), seat=2))
    assert (await followed.until_due("none")).closed == ""
    assert await followed.is_sound()
    with pytest.raises(Refused) as refused:
        await silent.show_entropy()
    assert refused.value.reply.code == Code.BAD_TOKEN


async def test_a_match_that_all_have_left_is_closed(client: Client, roles: Processes) -> None:
    match, players = await dealt(client, Clock())
    for player in players:
        await player.leave()
    assert (await match.until_due("none")).closed == "abandoned"
    assert await match.is_sound()


async def test_the_house_gives_a_penalty_and_ends_a_match(client: Client, roles: Processes) -> None:
    match, players = await dealt(client, Clock())
    penalty = {"type": "penalty", "seat": 1, "points": -20}
    accepted = await act_as_house(client, players[0].match, HOUSE_TOKEN, penalty)
    assert isinstance(accepted, Accepted)
    assert due(await match.now()) == (0, 1, 2, 3)
    with pytest.raises(Refused) as refused:
        await act_as_house(client, players[0].match, bytes(32), penalty)
    assert refused.value.reply.code == Code.BAD_TOKEN
    await act_as_house(client, players[0].match, HOUSE_TOKEN, {"type": "void", "reason": "a storm"})
    assert (await match.until_due("none")).closed == "void"
    assert await match.is_sound()


async def test_the_house_acts_from_the_command_line(client: Client, roles: Processes, child: MakeChild) -> None:
    match, players = await dealt(client, Clock())
    environ = {**child("admin").env, "FAIRDEAL_TOKEN": HOUSE_TOKEN.hex()}

    def fairdeal(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "services.cli", "house", *arguments]
        return subprocess.run(command, env=environ | changes, capture_output=True, text=True, check=False)

    async def house(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
        return await asyncio.to_thread(fairdeal, *arguments, **changes)

    action = '{"type": "penalty", "seat": 1, "points": -20}'
    given = await house("act", players[0].match, action)
    assert (given.returncode, given.stdout) == (0, f"done, as commit {(await match.now()).index}\n")
    other = await house("void", players[0].match, "--reason", "no", FAIRDEAL_TOKEN="00" * 32)
    assert (other.returncode, "bad_token" in other.stderr) == (2, True)
    assert (await house("void", "x.>", "--reason", "no")).returncode == 2
    assert (await house("act", players[0].match, "[]")).returncode == 2
    assert (await house("void", players[0].match, "--reason", "a storm")).returncode == 0
    assert (await match.until_due("none")).closed == "void"
    assert hashlib.sha256(HOUSE_TOKEN).digest() == (await match.now()).opened.house


async def test_a_house_by_the_dice_rules_where_the_rules_leave_it_to_the_house(
    client: Client, roles: Processes, child: MakeChild
) -> None:
    """Given a claim that was challenged, on which only the house may rule; when it presides; then it has ruled."""
    match, players = await dealt(client, Clock(), claim_dispute="referee")
    for player in players:
        await player.act({"type": "pass"})
    await players[0].act({"type": "claim", "to": 0})
    await players[1].act({"type": "challenge"})
    await match.until_due("house")

    command = [sys.executable, "-m", "services.cli", "house", "preside", players[0].match]
    environ = {**child("admin").env, "FAIRDEAL_TOKEN": HOUSE_TOKEN.hex()}
    presiding = await asyncio.create_subprocess_exec(*command, env=environ)
    await match.until(lambda state: due(state) != "house")
    with suppress(Refused):  # a claim that was upheld has ended the match
        await act_as_house(client, players[0].match, HOUSE_TOKEN, {"type": "void", "reason": "that was all"})
    async with asyncio.timeout(SECONDS):
        assert await presiding.wait() == 0
    assert any(isinstance(event, ClaimRuled) for commit in match.commits for event in commit.events)


async def test_nobody_presides_over_a_match_that_there_is_not(client: Client, child: MakeChild) -> None:
    command = [sys.executable, "-m", "services.cli", "house", "preside", "A" * 26]
    environ = {**child("admin").env, "FAIRDEAL_TOKEN": HOUSE_TOKEN.hex()}
    presiding = await asyncio.create_subprocess_exec(*command, env=environ, stderr=asyncio.subprocess.PIPE)
    async with asyncio.timeout(SECONDS):
        _, complaint = await presiding.communicate()
    assert (presiding.returncode, complaint.count(b"there is no match")) == (2, 1)


async def test_quick_play_sets_few_timers(client: Client, roles: Processes, child: MakeChild) -> None:
    """Whole hands are played while the timer that was set at their beginning still lies ahead."""
    await roles.start(child("gallery"), ready=partial(until_ready, client, "gallery"))
    options = {"hands_limit": 2, "opening_must_play": False, "claim": False}
    match = await open_match(client, "gongzhu", options, seats=4)
    followed = Followed(client, match)
    await followed.until_due("open")
    await asyncio.gather(*(sit_and_play(Player(client, match), seat=seat) for seat in range(4)))
    await followed.until_due("none")
    assert len(followed.commits) > 50  # a hand may end before its last card
    assert (await client.jetstream().stream_info("TIMERS")).state.last_seq < 10
