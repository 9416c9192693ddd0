"""Whole matches of each poker game, with two, six and nine seats, through the real services and with bots."""

import asyncio
from pathlib import Path

import pytest

from replay.archive import export
from replay.audit import audit, audit_entries
from replay.fold import archive_of
from services.bots.bot import play
from services.cli.connect import as_guest, as_operator
from services.client import open_match, take_seat
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry
from services.runtime.nats_server import server_url
from services.runtime.settings import Settings

SECONDS = 60
OPTIONS: dict[str, dict[str, object]] = {
    "show_hand": {"starting_stack": 200, "max_hands": 3, "showdown": "muck_losing"},
    "seven_card_stud": {"starting_stack": 300, "max_hands": 3},
    "texas_holdem": {"starting_stack": 1500, "max_hands": 3},
}


@pytest.mark.parametrize("game", OPTIONS)
async def test_matches_of_two_six_and_nine_seats_end_audited(store: Path, game: str) -> None:
    """The auditor's file tells all; the rail's holds no hidden card, and is sound as far as it tells."""
    settings = Settings(store=store)

    async def sit(match: str, seat: int, token: bytes) -> None:
        async with take_seat(server_url(settings), match, seat, token=token) as player:
            await play(player)

    async def played(seats: int) -> list[Entry]:
        async with as_guest(settings) as guest:
            match = await open_match(guest, game, OPTIONS[game], seats=seats)
        await asyncio.gather(*(sit(match, seat, bytes([seats, seat]) * 16) for seat in range(seats)))
        async with as_operator(settings) as operator:
            return await JetStreamLog(operator).read(match)

    async with asyncio.timeout(SECONDS):
        matches = await asyncio.gather(*map(played, (2, 6, 9)))
    for entries in matches:
        report = audit_entries(entries)
        assert (report.ok, report.ended, report.passed_over, report.deal) == (True, True, 0, "protocol")
        assert sum(facts["score"] for facts in report.standing) == 0
        archive, _ = archive_of(entries)
        rail = audit(export(archive, "rail"))
        assert (rail.ok, rail.commits) == (True, len(archive.messages))
