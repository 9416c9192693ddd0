"""Folding and auditing the logs of random Gongzhu matches, beside bare decoding and hashing in the same run.

    python -m tests.bench.bench_replay

All start from the stored bytes. Sides take turns, and CPU seconds are counted, because other load changes the speed of
a machine by half and more.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from itertools import cycle

import msgspec

from replay.audit import audit_entries
from schemas.digest import digest
from schemas.subjects import log_match
from services.games.fold import Fold
from services.runtime.log import Entry
from services.simulate import Simulation
from tests.bench.speed import best, show

MATCHES = 20
SECONDS = 2.0
ROUNDS = 5
FOLD_FLOOR, AUDIT_FLOOR, AUDIT_GOAL = 100_000, 20_000, 60_000

Log = list[Entry]


async def logs() -> list[Log]:
    """The logs of some matches of the preset `standard`."""
    seeds = [digest("bench/replay", number) for number in range(MATCHES)]
    return [await Simulation("gongzhu", {"preset": "standard"}, seats=4, seed=seed).run() for seed in seeds]


def decode(log: Log) -> None:
    """Decode each message into plain values and hash its public part: no types, no rules."""
    for entry in log:
        public, *_ = msgspec.msgpack.decode(entry.data)
        msgspec.msgpack.decode(public)
        hashlib.sha256(public).digest()


def fold(log: Log) -> None:
    """Fold a log to its end, as every service does."""
    following = Fold(log_match(log[0].subject))
    for entry in log:
        following.take(*entry)


def audit(log: Log) -> None:
    """Audit it: chain, form, deals, and every decision again."""
    report = audit_entries(log)
    assert not report.findings


def events_of(work: Callable[[Log], None], counted: list[tuple[Log, int]]) -> Iterator[None]:
    """Do the work on one log after the other, without end; a step for each event."""
    for log, events in cycle(counted):
        work(log)
        yield from [None] * events


def count(log: Log) -> int:
    """How many events a log holds."""
    following = Fold(log_match(log[0].subject))
    return sum(len(following.take(*entry).commit.events) for entry in log)


def main() -> None:
    """Measure all three."""
    counted = [(log, count(log)) for log in asyncio.run(logs())]
    works = {"bare decoding": decode, "fold": fold, "audit": audit}
    sides = {name: events_of(work, counted) for name, work in works.items()}
    speeds = best(sides, rounds=ROUNDS, seconds=SECONDS)
    commits = sum(len(log) for log, _ in counted)
    print(f"{MATCHES} matches, {commits} commits, {sum(events for _, events in counted)} events")
    show("bare decoding", speeds["bare decoding"], "events/s")
    show("fold", speeds["fold"], "events/s", floor=FOLD_FLOOR)
    show("audit", speeds["audit"], "events/s", floor=AUDIT_FLOOR, goal=AUDIT_GOAL)


if __name__ == "__main__":
    main()
