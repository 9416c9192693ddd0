"""A match of every game with every number of seats through the real services, played by bots."""

import asyncio
from pathlib import Path

import pytest

from replay.audit import audit_entries
from services.games import GAMES
from tests.house import shortened
from tests.matches import played

SECONDS = 240
MANY = 6
"""Of more numbers of seats than this, those of `short.json` are played."""


@pytest.mark.parametrize("game", GAMES)
async def test_matches_with_each_number_of_seats_end_audited(store: Path, game: str) -> None:
    numbers = GAMES[game].seats if len(GAMES[game].seats) <= MANY else shortened(game).seats
    room = asyncio.Semaphore(3)

    async def one(seats: int) -> None:
        async with room:
            report = audit_entries(await played(store, game, shortened(game).options, seats))
        assert (report.ok, report.ended, report.deal) == (True, True, "protocol"), (seats, report.findings)

    async with asyncio.timeout(SECONDS):
        await asyncio.gather(*map(one, numbers))
