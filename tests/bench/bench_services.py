"""Whole services beside a bare referee on nats-py: durable actions a second, and how soon other seats see them.

    python -m tests.bench.bench_services [SECONDS]

All processes share this machine with the seats that load them, each of which has a connection of its own, as has a
spectator of each match. The bare referee stores each action and sends five frames as long as ours; see
`tests/bench/bare.py`.
"""

import asyncio
import json
import secrets
import sys
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
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
from tests.bench.load import Load, Measured, SeatLoad, Turn, watch
from tests.bench.usage import Usage, usage

SEATS = 4
MATCHES = 100
OPTIONS = {"preset": "standard", "claim": False, "lose_at": -(10**9), "win_at": 10**9}
"""A match that does not end while it is measured."""

WARM_UP = 3.0
PACE = 200
FLOOR, GOAL = 0.5, 0.8
LATE_FLOOR, LATE_GOAL = 15.0, 7.0
"""Milliseconds from a command to the frame of another seat, 99 of 100, at this pace."""


class Result(NamedTuple):
    """What was measured in so many seconds, and the CPU seconds that each process used meanwhile."""

    measured: Measured
    seconds: float
    cpu: Usage

    @property
    def rate(self) -> float:
        """Actions a second."""
        return self.measured.actions / self.seconds


class Side:
    """One of the two that are measured: it adds matches, and its seats play at once.

    `add` starts the seats of one more match on the load.
    """

    def __init__(self, name: str, load: Load, add: Callable[[], Awaitable[None]]) -> None:
        self.name = name
        self.load = load
        self.matches = 0
        self._add = add

    async def grow(self, matches: int) -> None:
        """Play so many matches."""
        while self.matches < matches:
            await self._add()
            self.matches += 1

    async def measure(self, seconds: float, pace: float = 0.0) -> Result:
        """What happens in so many seconds after a warm-up; `pace` is how many commands are sent a second, 0: any."""
        async with self.load.paced(pace):
            await asyncio.sleep(WARM_UP)
            clock = asyncio.get_running_loop().time
            self.load.measured, before, start = Measured(), usage(), clock()
            await asyncio.sleep(seconds)
            measured, after, spent = self.load.measured, usage(), clock() - start
        result = Result(measured, spent, {name: used - before.get(name, 0.0) for name, used in after.items()})
        self._show(result, pace)
        return result

    def _show(self, result: Result, pace: float) -> None:
        matches = f"{self.matches} match" + "es" * (self.matches > 1)
        print(f"{self.name}, {matches}{f', {pace:.0f} a second' if pace else ''}: {result.rate:,.0f} actions/s")
        measured = result.measured
        for name, times in (("reply", measured.replies), ("another seat's frame", measured.others)):
            print(f"  command to {name:<22} p50 {at(times, 50):6.1f}  p99 {at(times, 99):6.1f} ms")
        used = sorted(result.cpu.items(), key=lambda item: -item[1])
        spent = ", ".join(f"{name} {1e6 * cpu / max(1, measured.actions):.0f}" for name, cpu in used if cpu)
        print(f"  CPU, µs an action              {spent}; {measured.refused} refused", flush=True)


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

        yield Side("fairdeal", load, add)


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

        yield Side("bare nats-py", load, add)


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
    """Measure ours, then the bare one, and compare."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        async with services(Path(folder)) as side:
            ours = await measured(side, seconds)
        frames = ours[1].measured
        async with bare(Path(other), frames.bytes // max(1, frames.frames)) as side:
            theirs = await measured(side, seconds)
    ratio = ours[1].rate / theirs[1].rate
    print(f"{MATCHES} matches: {ratio:.2f} of the bare referee's actions/s  {verdict(ratio, FLOOR, GOAL)}")
    late = at(ours[2].measured.others, 99)
    print(f"{PACE} actions a second: p99 to another seat {late:.1f} ms  {verdict(-late, -LATE_FLOOR, -LATE_GOAL)}")


async def measured(side: Side, seconds: float) -> tuple[Result, Result, Result]:
    """One match, then many, then many at a pace."""
    await side.grow(1)
    one = await side.measure(seconds)
    await side.grow(MATCHES)
    return one, await side.measure(seconds), await side.measure(seconds, PACE)


def verdict(value: float, floor: float, goal: float) -> str:
    """Whether it is as good as it must be, and as it is hoped to be."""
    marks = (("floor", floor), ("goal", goal))
    return "; ".join(f"{name} {abs(mark):g} {'met' if value >= mark else 'missed'}" for name, mark in marks)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(main(float(sys.argv[1]) if sys.argv[1:] else 10.0))
