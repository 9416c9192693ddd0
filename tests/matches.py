"""Whole matches through the real services, played by bots and, where the rules leave it to the house, by the house."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from schemas.digest import digest
from services.bots.bot import play
from services.bots.house import preside
from services.cli.connect import as_guest, as_operator
from services.client import open_match, take_seat
from services.runtime.jetstream import JetStreamLog
from services.runtime.keys import house_token, store_secret
from services.runtime.log import Entry
from services.runtime.nats_server import server_url
from services.runtime.settings import Settings


async def played(store: Path, game: str, options: Mapping[str, Any], seats: int) -> list[Entry]:
    """The stored log of a match that was played to its end on the services of this store."""
    settings = Settings(store=store)
    async with as_guest(settings) as guest:
        match = await open_match(guest, game, options, seats=seats)

    async def sit(seat: int) -> None:
        token = digest("tests/token", match, seat)
        async with take_seat(server_url(settings), match, seat, token=token) as player:
            await play(player)

    async with as_operator(settings) as operator:
        log = JetStreamLog(operator)
        house = preside(log, operator, match, house_token(store_secret(store)))
        await asyncio.gather(house, *map(sit, range(seats)))
        return await log.read(match)
