"""Whole matches of each poker game, with two, six and nine seats, through the real services and with bots."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client

from replay.archive import export
from replay.audit import audit, audit_entries
from replay.fold import archive_of
from services.bots.bot import play
from services.client import Player, open_match
from services.runtime.jetstream import JetStreamLog
from services.runtime.nats_server import server_url
from services.runtime.settings import Settings

SECONDS = 60
OPTIONS: dict[str, dict[str, object]] = {
    "show_hand": {"starting_stack": 200, "max_hands": 3, "showdown": "muck_losing"},
    "seven_card_stud": {"starting_stack": 300, "max_hands": 3},
    "texas_holdem": {"starting_stack": 1500, "max_hands": 3},
}


@pytest.fixture
async def client(store: Path) -> AsyncIterator[Client]:
    """A connection to the running services."""
    client = await nats.connect(server_url(Settings(store=store)))
    yield client
    await client.close()


@pytest.mark.parametrize("game", OPTIONS)
async def test_matches_of_two_six_and_nine_seats_end_audited(client: Client, game: str) -> None:
    """The auditor's file tells all; the rail's holds no hidden card, and is sound as far as it tells."""

    async def played(seats: int) -> str:
        match = await open_match(client, game, OPTIONS[game], seats=seats)
        players = [Player(client, match, token=bytes([seats, seat]) * 16) for seat in range(seats)]
        await asyncio.gather(*(play(player, seat=seat) for seat, player in enumerate(players)))
        return match

    async with asyncio.timeout(SECONDS):
        matches = await asyncio.gather(*map(played, (2, 6, 9)))
    for match in matches:
        entries = await JetStreamLog(client).read(match)
        report = audit_entries(entries)
        assert (report.ok, report.ended, report.passed_over, report.deal) == (True, True, 0, "protocol")
        assert sum(facts["score"] for facts in report.standing) == 0
        archive, _ = archive_of(entries)
        rail = audit(export(archive, "rail"))
        assert (rail.ok, rail.commits) == (True, len(archive.messages))
