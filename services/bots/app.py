"""The bots' process: a task and a connection for each seat."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import structlog

from schemas.cards import Seat
from schemas.refusals import Code
from services.bots.bot import play
from services.client import Player, Refused, View, connect_guest, take_seat
from services.runtime.logging import configure_logging
from services.runtime.nats_server import server_url
from services.runtime.settings import Settings

logger = structlog.get_logger()

TAKEN = frozenset({Code.SEAT_TAKEN, Code.MATCH_FULL})
"""Refusals of a seat that somebody else was given first."""


class TooFewSeats(Exception):
    """A match has not the free seats that bots were to take; the message says which or how many."""


def run(settings: Settings, match: str, *, seats: Sequence[Seat | None], pace: float) -> None:
    """Let bots play the match to its end, one from each of these seats (None: the lowest that is free).

    Raises TooFewSeats, client.Refused, witness.BrokenChain, client.NotConnected and NoServer.
    """
    configure_logging("bots", level=settings.log_level, form=settings.log_format)
    asyncio.run(_play(settings, match, seats=seats, pace=pace))


async def _play(settings: Settings, match: str, *, seats: Sequence[Seat | None], pace: float) -> None:
    url = server_url(settings)
    token = None if settings.token is None else bytes.fromhex(settings.token.get_secret_value())
    if len(seats) > 1:  # one alone is refused before he has taken anything
        async with connect_guest(url) as guest:
            last, _ = (await View(guest, match).so_far())[-1]
        require_free(seats, [place.joined for place in last.table.places])
    try:
        async with sitting(url, match, seats, token=token) as players, asyncio.TaskGroup() as tasks:
            for player in players:
                tasks.create_task(play(player, pace=pace))
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None  # the first that failed has ended the others


def require_free(seats: Sequence[Seat | None], joined: Sequence[bool]) -> None:
    """See to it that bots take no seats which they would abandon. Raises TooFewSeats.

    Where none is free, or all that are wanted, the referee has the word.
    """
    named = sorted({seat for seat in seats if seat is not None})
    if any(seat not in range(len(joined)) for seat in named):
        raise TooFewSeats(f"the seats are 0 to {len(joined) - 1}; no bot has sat down")
    free = joined.count(False)
    taken = [str(seat) for seat in named if joined[seat]]
    if free and taken:
        raise TooFewSeats(f"these seats are not free: {', '.join(taken)}; no bot has sat down")
    if 0 < free < len(seats):
        raise TooFewSeats(f"{len(seats)} bots are too many, free seats: {free}; no bot has sat down")


@asynccontextmanager
async def sitting(
    url: str, match: str, seats: Sequence[Seat | None], *, token: bytes | None = None
) -> AsyncGenerator[list[Player]]:
    """Players on those of these seats that nobody else has taken meanwhile. Raises Refused, also where that is none."""
    players: list[Player] = []
    last: Refused | None = None
    async with AsyncExitStack() as stack:
        for seat in seats:
            try:
                players.append(await stack.enter_async_context(take_seat(url, match, seat, token=token)))
            except Refused as refused:
                if refused.reply.code not in TAKEN:
                    raise
                last = refused
        if last is not None and not players:
            raise last
        if len(players) < len(seats):
            logger.warning("not every bot has got a seat", match=match, sit=len(players), of=len(seats))
        yield players
