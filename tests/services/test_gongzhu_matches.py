"""A match of each preset of Gongzhu through the real services, played by bots that use all that is allowed."""

import asyncio
from pathlib import Path

from replay.audit import audit_entries
from services.bots.bot import play
from services.bots.house import preside
from services.cli.connect import as_guest, as_operator
from services.client import open_match, take_seat
from services.games import GAMES
from services.runtime.jetstream import JetStreamLog
from services.runtime.keys import house_token, store_secret
from services.runtime.log import Entry
from services.runtime.nats_server import server_url
from services.runtime.settings import Settings

GAME = "gongzhu"
SEATS = 4
SECONDS = 240


async def played(store: Path, preset: str) -> list[Entry]:
    """The stored log of a match of one hand, or of more where the first was void."""
    settings = Settings(store=store)
    async with as_guest(settings) as guest:
        match = await open_match(guest, GAME, {"preset": preset, "hands_limit": 1}, seats=SEATS)

    async def sit(seat: int) -> None:
        token = preset.encode().ljust(31, b".")[:31] + bytes([seat])
        async with take_seat(server_url(settings), match, seat, token=token) as player:
            await play(player)

    async with as_operator(settings) as operator:
        log = JetStreamLog(operator)
        house = preside(log, operator, match, house_token(store_secret(store)))
        await asyncio.gather(house, *map(sit, range(SEATS)))
        return await log.read(match)


async def test_a_match_of_each_preset_ends_audited(store: Path) -> None:
    """Three at a time, so that a busy machine answers within the clocks."""
    room = asyncio.Semaphore(3)

    async def one(preset: str) -> None:
        async with room:
            report = audit_entries(await played(store, preset))
        assert (report.ok, report.ended, report.deal) == (True, True, "protocol"), (preset, report.findings)

    async with asyncio.timeout(SECONDS):
        await asyncio.gather(*map(one, GAMES[GAME].presets))
