"""A match of each preset of Gongzhu through the real services, played by bots that use all that is allowed."""

import asyncio
from pathlib import Path

from replay.audit import audit_entries
from schemas.codec import from_log
from schemas.events import SeatManaged
from schemas.gongzhu import Answered, ClaimAccepted, ClaimChallenged, Claimed, FirstExposed
from services.games import GAMES
from tests.matches import played

SECONDS = 240
ALLOWED = {Answered, FirstExposed, Claimed, ClaimAccepted, ClaimChallenged, SeatManaged}


async def test_a_match_of_each_preset_ends_audited(store: Path) -> None:
    """Three at a time, so that a busy machine answers within the clocks; again, until all that is allowed has happened
    in some of them: what the bots do is left to their dice, and the deals are the dealer's.
    """
    room, happened = asyncio.Semaphore(3), set[type[object]]()

    async def one(preset: str) -> None:
        async with room:
            entries = await played(store, "gongzhu", {"preset": preset, "hands_limit": 1}, 4)
        report = audit_entries(entries)
        happened.update(type(event) for entry in entries for event in from_log(entry.data).commit.events)
        assert (report.ok, report.ended, report.deal) == (True, True, "protocol"), (preset, report.findings)

    async with asyncio.timeout(SECONDS):
        while not happened >= ALLOWED:
            await asyncio.gather(*map(one, GAMES["gongzhu"].presets))
