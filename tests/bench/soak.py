"""Many short matches through all services: what consumers, timers and processes hold meanwhile, and at the end.

    python -m tests.bench.soak [MATCHES]

Of ten matches one is played to its end by two bots, who are let in by the callout; one is joined and left; the others
are only opened. All but the first are then ended by the house.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

from nats.aio.client import Client

from schemas.actions import Void, as_action
from schemas.clock import Clock
from schemas.subjects import LOG_STREAM, TIMERS_STREAM
from services.bots.bot import play
from services.cli.fleet import SERVICES, Fleet, fleet
from services.client import Player, act_as_house, connect_guest, open_match, take_seat
from services.runtime.logging import configure_logging
from services.runtime.provision import CONSUMERS
from services.runtime.settings import Settings
from tests.measure import resident

AT_ONCE = 20
"""So many matches go on at the same time."""

SECONDS = 120.0
"""How long the last timers may take to fire."""

GAME, SEATS, OPTIONS = "texas_holdem", 2, {"max_hands": 1}
CLOCK = Clock(turn=10, bank=0, join=10, entropy=10)
"""Timers of matches that are over fire at the latest then."""


class Sample(NamedTuple):
    """What there is after so many matches: memory by service in MiB, consumers, what they wait for, and timers."""

    matches: int
    memory: dict[str, float]
    consumers: int
    waiting: int
    timers: int

    def __str__(self) -> str:
        memory = "  ".join(f"{name} {size:.1f}" for name, size in self.memory.items())
        held = f"{self.consumers} consumers, {self.waiting} messages waiting, {self.timers} timers"
        return f"{self.matches:>6} matches: {held}; MiB {memory}"


async def soak(matches: int, *, every: int, store: Path) -> AsyncGenerator[Sample]:
    """Run so many matches; a sample after each `every`, when all of them are over and nothing waits any more."""
    settings = Settings(store=store, opens_burst=1_000_000)
    async with fleet(settings) as running, connect_guest(running.url) as guest:
        for done in range(0, matches, every):
            numbers = iter(range(done, done + every))

            async def worker() -> None:
                for number in numbers:  # noqa: B023 - each round has its workers
                    await one(running, guest, number)

            await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
            yield await sample(running, done + every)


async def one(running: Fleet, guest: Client, number: int) -> None:
    """A short match."""
    match = await open_match(guest, GAME, OPTIONS, seats=SEATS, clock=CLOCK)
    match number % 10:
        case 0:
            async with AsyncExitStack() as stack:
                seats = [await stack.enter_async_context(take_seat(running.url, match, s)) for s in range(SEATS)]
                await asyncio.gather(*map(play, seats))
            return
        case 1:
            player = Player(guest, match)
            await player.join()
        case _:
            pass
    await act_as_house(running.client, match, running.house, as_action(Void(reason="short")))


async def sample(running: Fleet, matches: int) -> Sample:
    """What there is, once nothing waits and all timers have fired."""
    stream = running.client.jetstream()
    async with asyncio.timeout(SECONDS):
        while True:
            timers = (await stream.stream_info(TIMERS_STREAM)).state.messages
            infos = [await stream.consumer_info(of.stream, name) for name, of in CONSUMERS.items()]
            waiting = sum((info.num_pending or 0) + (info.num_ack_pending or 0) for info in infos)
            if not timers and not waiting:
                break
            await asyncio.sleep(0.1)
    streams = [await stream.stream_info(name) for name in (LOG_STREAM, TIMERS_STREAM)]
    consumers = sum(info.state.consumer_count for info in streams)
    memory = {name: resident(running.processes.pid(name)) for name in SERVICES}
    return Sample(matches, memory, consumers, waiting, timers)


async def main(matches: int) -> None:
    """Print samples as they come."""
    configure_logging("soak", level="warning")
    with tempfile.TemporaryDirectory() as folder:
        async for each in soak(matches, every=max(1, matches // 20), store=Path(folder) / "store"):
            print(each, flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
