"""The bots' process: a task and a connection for each seat."""

import asyncio
from collections.abc import Sequence

from schemas.cards import Seat
from services.bots.bot import play
from services.client import take_seat
from services.runtime.logging import configure_logging
from services.runtime.nats_server import server_url
from services.runtime.settings import Settings


def run(settings: Settings, match: str, *, seats: Sequence[Seat | None], pace: float) -> None:
    """Let bots play the match to its end, one from each of these seats (None: the lowest that is free).

    Raises client.Refused, witness.BrokenChain, client.NotConnected and NoServer.
    """
    configure_logging("bots", level=settings.log_level, form=settings.log_format)
    asyncio.run(_play(settings, match, seats=seats, pace=pace))


async def _play(settings: Settings, match: str, *, seats: Sequence[Seat | None], pace: float) -> None:
    url = server_url(settings)
    token = None if settings.token is None else bytes.fromhex(settings.token.get_secret_value())

    async def one(seat: Seat | None) -> None:
        async with take_seat(url, match, seat, token=token) as player:
            await play(player, pace=pace)

    try:
        async with asyncio.TaskGroup() as tasks:
            for seat in seats:
                tasks.create_task(one(seat))
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None  # the first that failed has ended the others
