"""Timers: each live match has one scheduled message, which makes a referee look at the match when it fires."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import NamedTuple, cast

import nats.errors
from nats.aio.client import Client
from nats.js.errors import APIError, NotFoundError

from schemas.subjects import TIMERS_STREAM, fired_subject, timer_filter, timer_match, timer_subject
from services.games.clock import look, wake
from services.games.match import Match
from services.runtime.app import Service, take_hints
from services.runtime.jetstream import CONFLICTS, TIMEOUT, unavailable
from services.runtime.log import Entry, Unavailable
from services.runtime.provision import TIMERS
from services.runtime.worker import Worker

SCHEDULE = "Nats-Schedule"
TARGET = "Nats-Schedule-Target"

KNOWN = 10_000
"""For how many matches it is remembered what timer they have."""

SOON = 5000
"""Milliseconds to a timer that takes the place of one that is overdue: the commit it is for may never be stored."""


class _Timer(NamedTuple):
    """When a timer fires, in milliseconds since 1970, and the sequence number of its message."""

    at: int
    sequence: int


class Timers:
    """The timers as this process knows them.

    One that fires too early does no harm, so it is set anew only to fire earlier, or where its time is past: the server
    may take a quarter of a second to let it fire, and one that fires soon then does as well.

    Args:
        client: a connection to the server with the stream TIMERS.
        clock: milliseconds since 1970.
    """

    def __init__(self, client: Client, *, clock: Callable[[], int]) -> None:
        self._stream = client.jetstream()
        self._clock = clock
        self._known: OrderedDict[str, _Timer] = OrderedDict()

    async def watch(self, match: Match) -> None:
        """See to it that this match is looked at in time. Raises Unavailable."""
        at = look(match, self._clock())
        if at is None:
            self.forget(match.id)
        else:
            await self.arm(match.id, at)

    async def arm(self, match: str, at: int) -> None:
        """See to it that a timer of the match fires at `at` or before. Raises Unavailable."""
        timer, now = self._known.get(match), self._clock()
        try:
            while timer is None or not now < timer.at <= at:
                first = at if timer is None or now < timer.at else min(at, now + SOON)
                if stored := await self._set(match, first, timer):
                    timer = stored
                    break
                timer = await self._read(match)
        except (nats.errors.Error, TimeoutError) as error:
            raise Unavailable(str(error)) from error
        self._known[match] = timer
        self._known.move_to_end(match)
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)

    def forget(self, match: str) -> None:
        """The timer of the match has fired, or is not needed any more."""
        self._known.pop(match, None)

    async def _set(self, match: str, at: int, instead: _Timer | None) -> _Timer | None:
        """Set the timer in the place of the one that is there; None where that is another one by now."""
        headers = {
            SCHEDULE: f"@at {_as_text(at)}",
            TARGET: fired_subject(match),
            "Nats-Expected-Stream": TIMERS_STREAM,
            "Nats-Expected-Last-Subject-Sequence": str(instead.sequence if instead else 0),
        }
        try:
            ack = await self._stream.publish(timer_subject(match), b"", headers=headers, timeout=TIMEOUT)
        except APIError as error:
            if error.err_code in CONFLICTS:
                return None
            raise
        return _Timer(at, ack.seq)

    async def _read(self, match: str) -> _Timer | None:
        """The timer that is set; None where none is."""
        try:
            message = await self._stream.get_last_msg(TIMERS_STREAM, timer_subject(match))
        except NotFoundError:
            return None
        headers = cast(dict[str, str], message.headers)
        return _Timer(_from_text(headers[SCHEDULE].removeprefix("@at ")), message.seq or 0)


async def without_timer(client: Client, matches: Iterable[str]) -> list[str]:
    """Those of the matches that nobody will look at: they have no timer, neither one that is set nor one that fired.

    Raises Unavailable.
    """
    stream = client.jetstream()
    found: list[str] = []
    with unavailable():
        for match in matches:
            try:
                await stream.get_last_msg(TIMERS_STREAM, timer_filter(match))
            except NotFoundError:
                found.append(match)
    return found


async def take_timers(service: Service, timers: Timers, worker: Worker) -> None:
    """Look at each match whose timer fires, and set the next one before it is acked."""

    async def act(match: str, _fired: Entry) -> None:
        timers.forget(match)
        await worker.wake(match, wake)

    await take_hints(service, TIMERS, timer_match, act)


def _as_text(at: int) -> str:
    seconds, milliseconds = divmod(at, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{milliseconds:03}Z"


def _from_text(text: str) -> int:
    moment = datetime.fromisoformat(text)
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000
