"""Makes the golden logs anew, one short match of each preset of each game: python -m tests.games.golden [GAME…].

The diff is to be read: after the first release a golden log is never made anew, but audited for ever.
"""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from replay.archive import SUFFIX, export
from replay.fold import archive_of
from schemas.digest import digest
from services.games import GAMES
from services.simulate import Simulation
from tests.house import shortened

SHORT: Mapping[str, Mapping[str, Any]] = {"gongzhu": {"hands_limit": 2}}
"""Options that keep a match short, by game."""


def folder(game: str) -> Path:
    """Where the golden logs of a game are."""
    return Path(__file__).parent / game / "golden"


def golden(game: str, preset: str) -> bytes:
    """The auditor's file of one random match, in which claims, cuts and managed seats occur as chance has it."""
    options = {"preset": preset, **shortened(game).options, **SHORT.get(game, {})}
    numbers = shortened(game).seats or GAMES[game].seats
    seats = numbers[len(numbers) // 2]
    simulation = Simulation(game, options, seats=seats, seed=digest("tests/golden", game, preset))
    archive, _ = archive_of(asyncio.run(simulation.run()))
    return export(archive, "auditor")


def main(games: list[str]) -> None:
    """Write the golden logs of these games, or of all."""
    for game in games or GAMES:
        folder(game).mkdir(exist_ok=True)
        for preset in GAMES[game].presets:
            (folder(game) / f"{preset}{SUFFIX}").write_bytes(golden(game, preset))


if __name__ == "__main__":
    main(sys.argv[1:])
