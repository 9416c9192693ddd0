"""What many short matches leave behind in the services: nothing. `python -m tests.bench.soak` is the long form."""

from pathlib import Path

from services.runtime.provision import CONSUMERS
from tests.bench.soak import soak

GROWTH = 2.0
"""MiB that a service may need more after a hundred further matches; what it keeps of live ones is some 20 KB each."""


async def test_matches_that_are_over_leave_no_consumers_timers_or_memory_behind(tmp_path: Path) -> None:
    first, second = [each async for each in soak(200, every=100, store=tmp_path / "store")]
    assert (second.consumers, second.waiting, second.timers) == (len(CONSUMERS), 0, 0)
    grown = {name: size - first.memory[name] for name, size in second.memory.items()}
    assert [name for name, size in grown.items() if size > GROWTH] == []
