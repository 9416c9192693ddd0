"""A match of each preset of Gongzhu through the real services, played by bots that use all that is allowed."""

import asyncio
from pathlib import Path

from replay.audit import audit_entries
from services.games import GAMES
from tests.matches import played

SECONDS = 240


async def test_a_match_of_each_preset_ends_audited(store: Path) -> None:
    """Three at a time, so that a busy machine answers within the clocks."""
    room = asyncio.Semaphore(3)

    async def one(preset: str) -> None:
        async with room:
            report = audit_entries(await played(store, "gongzhu", {"preset": preset, "hands_limit": 1}, 4))
        assert (report.ok, report.ended, report.deal) == (True, True, "protocol"), (preset, report.findings)

    async with asyncio.timeout(SECONDS):
        await asyncio.gather(*map(one, GAMES["gongzhu"].presets))
