"""Whole services beside a bare referee on nats-py: durable actions a second, and how soon other seats see them.

    python -m tests.bench.bench_services [SECONDS]

All processes share this machine with the seats that load them, each of which has a connection of its own, as has a
spectator of each match. The bare referee stores each action and sends five frames as long as ours; see
`tests/bench/bare.py`. Both sides are up at once and play by turns, short ones, because the speed of a machine changes
within seconds; and they are started anew several times, because one start is by some percent faster than another.
"""

import asyncio
import json
import secrets
import sys
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from ctypes import CDLL
from pathlib import Path
from typing import NamedTuple

from nats.aio.client import Client
from uvloop import new_event_loop

from schemas.subjects import join_subject
from services.cli.fleet import fleet
from services.client import ask, connect, connect_guest, connect_seat, open_match
from services.runtime.child import end, spawn
from services.runtime.nats_server import find_binary, server_config
from services.runtime.settings import Settings
from services.runtime.tether import be_patient
from tests.bench.load import Load, Measured, SeatLoad, Turn, watch
from tests.bench.usage import Usage, usage

SIDES = ("fairdeal", "bare nats-py")
SEATS = 4
MATCHES = 100
OPTIONS = {"preset": "standard", "claim": False, "lose_at": -(10**9), "win_at": 10**9}
"""A match that does not end while it is measured."""

SPREAD = 5.0
"""Seconds within which the matches begin, about as long as their hands last: these must not all end together."""

WARM_UP = 0.5
STARTS = 4
ROUNDS = 5
"""So often both sides are started, and so many turns each has then; together they last as long as is measured."""

FRAME_BYTES = 985
"""How long our frames are on average in such a match."""

PACE = 200
FLOOR, GOAL = 0.5, 0.8
LATE_FLOOR, LATE_GOAL = 15.0, 7.0
"""Milliseconds from a command to the frame of another seat, 99 of 100, at this pace."""


class Result(NamedTuple):
    """What was measured in so many seconds, and the CPU seconds that each process used meanwhile."""

    measured: Measured
    seconds: float
    cpu: Usage

    def show(self, title: str) -> None:
        """Print it."""
        print(f"{title}: {self.rate:,.0f} actions/s")
        measured = self.measured
        for name, times in (("reply", measured.replies), ("another seat's frame", measured.others)):
            print(f"  command to {name:<22} p50 {at(times, 50):6.1f}  p99 {at(times, 99):6.1f} ms")
        used = sorted(self.cpu.items(), key=lambda item: -item[1])
        spent = ", ".join(f"{name} {1e6 * cpu / max(1, measured.actions):.0f}" for name, cpu in used if cpu)
        print(f"  CPU, µs an action              {spent}; {measured.refused} refused", flush=True)

    @property
    def rate(self) -> float:
        """Actions a second."""
        return self.measured.actions / self.seconds


class Side:
    """One of the two that are measured; `add` starts the seats of one more match on the load."""

    def __init__(self, load: Load, add: Callable[[], Awaitable[None]]) -> None:
        self.load = load
        self.matches = 0
        self._add = add

    async def grow(self, matches: int) -> None:
        """Play so many matches."""
        while self.matches < matches:
            await self._add()
            self.matches += 1
        await self.load.begin(SPREAD)

    async def measure(self, seconds: float, pace: float, into: Result) -> Result:
        """Add what happens in so many seconds; `pace` is how many commands are sent a second, 0: any."""
        clock = asyncio.get_running_loop().time
        async with self.load.playing(pace):
            await asyncio.sleep(WARM_UP)
            self.load.measured, before, start = into.measured, usage(), clock()
            await asyncio.sleep(seconds)
            self.load.measured, after, spent = Measured(), usage(), clock() - start
        await asyncio.sleep(0.5)  # for what is on its way
        cpu = {name: into.cpu.get(name, 0.0) + used - before.get(name, 0.0) for name, used in after.items()}
        return Result(into.measured, into.seconds + spent, cpu)


@asynccontextmanager
async def services(store: Path) -> AsyncGenerator[Side]:
    """All services, each a process of its own."""
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(fleet(Settings(store=store)))
        load = Load()

        async def add() -> None:
            async with connect_guest(running.url) as guest:
                match, turn = await open_match(guest, "gongzhu", OPTIONS, seats=SEATS), Turn()
                seats = [SeatLoad(load, turn, match=match, seat=seat) for seat in range(SEATS)]
                for seat in seats:
                    await ask(guest, join_subject(match), seat.join())
            await watch(await stack.enter_async_context(connect_guest(running.url)), match)
            for seat in seats:
                await seat.start(
                    await stack.enter_async_context(connect_seat(running.url, match, seat.seat, seat.token))
                )
            for seat in seats:
                await seat.show_entropy()

        yield Side(load, add)


@asynccontextmanager
async def bare(store: Path, frame_bytes: int) -> AsyncGenerator[Side]:
    """A bare NATS server, and a bare referee in a process of its own, whose frames hold `frame_bytes` bytes."""
    async with AsyncExitStack() as stack:
        url = await _bare_server(store, stack)
        process = await spawn([sys.executable, "-m", "tests.bench.bare", url, str(frame_bytes)], log=store / "ready")
        stack.push_async_callback(end, process, grace=5.0)
        await _filled(store / "ready")
        load = Load()

        async def add() -> None:
            match, turn = f"M{secrets.token_hex(6)}", Turn()
            seats = [SeatLoad(load, turn, match=match, seat=seat) for seat in range(SEATS)]
            await watch(await stack.enter_async_context(_connected(url)), match)
            for seat in seats:
                await seat.start(await stack.enter_async_context(_connected(url)))
            await seats[0].begin()

        yield Side(load, add)


async def _bare_server(store: Path, stack: AsyncExitStack) -> str:
    config = store / "nats.conf"
    config.write_text(json.dumps(server_config(store=store, run=store, port=-1, accounts={})), encoding="utf-8")
    server = await spawn([str(find_binary()), "-c", str(config)], log=store / "nats.log")
    stack.push_async_callback(end, server, grace=5.0)
    ports = await _filled(store / f"nats-server_{server.pid}.ports")
    return str(json.loads(ports)["nats"][0])


async def _filled(path: Path) -> str:
    """What a file holds, once it holds anything."""

    def read() -> str:
        return path.read_text() if path.exists() else ""

    while not (text := await asyncio.to_thread(read)):
        await asyncio.sleep(0.01)
    return text


@asynccontextmanager
async def _connected(url: str) -> AsyncGenerator[Client]:
    client = await connect(url)
    try:
        yield client
    finally:
        await client.close()


def at(times: list[float], percent: int) -> float:
    """The milliseconds within which so many of a hundred are."""
    ordered = sorted(times)
    return 1000 * ordered[len(ordered) * percent // 100] if ordered else 0.0


async def main(seconds: float) -> None:
    """Measure both by turns: one match, then many, then many at a pace."""
    one, many, paced = Both(1), Both(MATCHES), Both(MATCHES, PACE)
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
            async with services(Path(folder)) as ours, bare(Path(other), FRAME_BYTES) as theirs:
                for both in (one, many, paced):
                    await both.measure((ours, theirs), seconds / STARTS)
    for both in (one, many, paced):
        both.show()
    our, their = many.results
    ratio = our.rate / their.rate
    print(f"{MATCHES} matches: {ratio:.3f} of the bare referee's actions/s  {verdict(ratio, FLOOR, GOAL)}")
    late = at(paced.results[0].measured.others, 99)
    print(f"{PACE} actions a second: p99 to another seat {late:.1f} ms  {verdict(-late, -LATE_FLOOR, -LATE_GOAL)}")


class Both:
    """What both sides do with so many matches, as fast as they can or at a pace."""

    def __init__(self, matches: int, pace: float = 0.0) -> None:
        self.results = [Result(Measured(), 0.0, {}) for _ in SIDES]
        self._matches = matches
        self._pace = pace

    async def measure(self, sides: Sequence[Side], seconds: float) -> None:
        """Add what happens in so many seconds of each side, round by round."""
        for side in sides:
            await side.grow(self._matches)
        for _ in range(ROUNDS):
            self.results = [
                await side.measure(seconds / ROUNDS, self._pace, result)
                for side, result in zip(sides, self.results, strict=True)
            ]

    def show(self) -> None:
        """Print it."""
        pace = f", {self._pace:.0f} a second" * (self._pace > 0)
        for side, result in zip(SIDES, self.results, strict=True):
            result.show(f"{side}, {self._matches} match{'es' * (self._matches > 1)}{pace}")


def verdict(value: float, floor: float, goal: float) -> str:
    """Whether it is as good as it must be, and as it is hoped to be."""
    marks = (("floor", floor), ("goal", goal))
    return "; ".join(f"{name} {abs(mark):g} {'met' if value >= mark else 'missed'}" for name, mark in marks)


if __name__ == "__main__":
    be_patient(CDLL(None))  # as all the processes are that this one starts
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(main(float(sys.argv[1]) if sys.argv[1:] else 10.0))
