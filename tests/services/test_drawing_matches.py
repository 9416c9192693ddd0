"""Whole matches of Piquet, the fishing game and Seven-qiao, with each number of seats, through the real services."""

import asyncio
from pathlib import Path

import pytest

from replay.archive import export
from replay.audit import audit, audit_entries
from replay.fold import archive_of
from services.bots.bot import play
from services.cli.connect import as_guest, as_operator
from services.client import open_match, take_seat
from services.games import GAMES
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry
from services.runtime.nats_server import server_url
from services.runtime.settings import Settings

SECONDS = 120
OPTIONS: dict[str, list[dict[str, object]]] = {
    "piquet": [{"preset": "seed", "target": 40}, {"preset": "classic", "partie_hands": 2}],
    "cassino": [{"preset": "seed"}, {"preset": "online", "deck": 52, "multi_take": True}],
    "seven_qiao": [{"preset": "seed"}, {"preset": "seed", "free_draw": "any"}],
}


@pytest.mark.parametrize("game", OPTIONS)
async def test_matches_of_each_number_of_seats_end_audited(store: Path, game: str) -> None:
    """The auditor's file tells all; the rail's is sound as far as it tells. In Seven-qiao all may draw at once."""
    settings = Settings(store=store)
    room = asyncio.Semaphore(3)  # so that a busy machine answers within the clocks

    async def sit(match: str, seat: int, token: bytes) -> None:
        async with take_seat(server_url(settings), match, seat, token=token) as player:
            await play(player)

    async def played(number: int, options: dict[str, object], seats: int) -> list[Entry]:
        async with room:
            async with as_guest(settings) as guest:
                match = await open_match(guest, game, options, seats=seats)
            await asyncio.gather(*(sit(match, seat, bytes([number, seats, seat, 9]) * 8) for seat in range(seats)))
            async with as_operator(settings) as operator:
                return await JetStreamLog(operator).read(match)

    async with asyncio.timeout(SECONDS):
        kinds = [(number, each, seats) for number, each in enumerate(OPTIONS[game]) for seats in GAMES[game].seats]
        matches = await asyncio.gather(*(played(*kind) for kind in kinds))
    for entries in matches:
        report = audit_entries(entries)
        assert (report.ok, report.ended, report.passed_over, report.deal) == (True, True, 0, "protocol")
        archive, _ = archive_of(entries)
        rail = audit(export(archive, "rail"))
        assert (rail.ok, rail.commits) == (True, len(archive.messages))
