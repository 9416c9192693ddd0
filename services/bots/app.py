"""The bots' process: one connection, and a task for each seat."""

import asyncio
from collections.abc import Sequence

from nats.aio.client import Client

from schemas.cards import Seat
from services.bots.bot import play
from services.client import Player
from services.runtime.logging import configure_logging
from services.runtime.nats_server import server_url
from services.runtime.settings import Settings


def run(settings: Settings, match: str, *, seats: Sequence[Seat | None], pace: float) -> None:
    """Let bots play the match to its end, one from each of these seats (None: the lowest that is free).

    Raises client.Refused, client.BrokenChain and NoServer.
    """
    configure_logging("bots", level=settings.log_level, form=settings.log_format)
    asyncio.run(_play(settings, match, seats=seats, pace=pace))


async def _play(settings: Settings, match: str, *, seats: Sequence[Seat | None], pace: float) -> None:
    client = Client()
    await client.connect(server_url(settings), name="bots", max_reconnect_attempts=-1)
    token = None if settings.token is None else bytes.fromhex(settings.token.get_secret_value())
    try:
        async with asyncio.TaskGroup() as tasks:
            for seat in seats:
                tasks.create_task(play(Player(client, match, token=token), seat=seat, pace=pace))
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None  # the first that failed has ended the others
    finally:
        await client.close()
