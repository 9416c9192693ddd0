"""Whole matches of each poker game, with two, six and nine seats, through the real services and with bots."""

import asyncio
from pathlib import Path

import pytest

from replay.archive import export
from replay.audit import audit, audit_entries
from replay.fold import archive_of
from tests.matches import played

SECONDS = 60
OPTIONS: dict[str, dict[str, object]] = {
    "show_hand": {"starting_stack": 200, "max_hands": 3, "showdown": "muck_losing"},
    "seven_card_stud": {"starting_stack": 300, "max_hands": 3},
    "texas_holdem": {"starting_stack": 1500, "max_hands": 3},
}


@pytest.mark.parametrize("game", OPTIONS)
async def test_matches_of_two_six_and_nine_seats_end_audited(store: Path, game: str) -> None:
    """The auditor's file tells all; the rail's holds no hidden card, and is sound as far as it tells."""
    async with asyncio.timeout(SECONDS):
        matches = await asyncio.gather(*(played(store, game, OPTIONS[game], seats) for seats in (2, 6, 9)))
    for entries in matches:
        report = audit_entries(entries)
        assert (report.ok, report.ended, report.passed_over, report.deal) == (True, True, 0, "protocol")
        assert sum(facts["score"] for facts in report.standing) == 0
        archive, _ = archive_of(entries)
        rail = audit(export(archive, "rail"))
        assert (rail.ok, rail.commits) == (True, len(archive.messages))
