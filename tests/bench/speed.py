"""What the benchmarks share: cheap dice, sides that take turns, and a line for each result."""

import time
from collections.abc import Iterator, Mapping
from itertools import islice

CHUNK = 200
"""Steps between two looks at the clock."""


class Dice:
    """Cheap numbers, the same for both sides."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, bound: int) -> int:
        """A number in 0…bound−1."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % bound


def best(sides: Mapping[str, Iterator[None]], *, rounds: int, seconds: float) -> dict[str, float]:
    """Steps in a CPU second, the best of so many rounds in which each side goes on for so long, one after the other.

    The best is what the code can do: whatever else the machine does only takes away from it.
    """
    speeds = dict.fromkeys(sides, 0.0)
    for _ in range(rounds):
        for name, side in sides.items():
            speeds[name] = max(speeds[name], _speed(side, seconds))
    return speeds


def _speed(side: Iterator[None], seconds: float) -> float:
    start = time.process_time()
    steps = 0
    while (spent := time.process_time() - start) < seconds:
        steps += sum(1 for _ in islice(side, CHUNK))
    return steps / spent


def show(name: str, speed: float, unit: str, *, floor: float = 0, goal: float = 0) -> None:
    """Print a result, with what it should be at least and what it is hoped to be."""
    wanted = "".join(
        f"  {what} {mark:,.0f}{'' if speed >= mark else f' missed by {mark / speed - 1:.0%}'}"
        for what, mark in (("floor", floor), ("goal", goal))
        if mark
    )
    print(f"{name:<18}{speed:>12,.0f} {unit}{wanted}", flush=True)
