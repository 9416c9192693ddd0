"""The callout's app: the server asks it about every connection that is not one of our services."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from pydantic import SecretStr

from schemas.codec import NeedsNewer
from schemas.subjects import SEATING
from services.callout.door import Admission, Stranger, admit, answer
from services.callout.evictions import Evictions
from services.callout.holders import Holders
from services.callout.jwt import Question, question
from services.runtime import app
from services.runtime.log import Unavailable
from services.runtime.logging import fault
from services.runtime.nats_config import AUTH_REQUESTS, CALLOUT
from services.runtime.settings import Settings, SettingsError

log = structlog.stdlib.get_logger()

QUIET_SECONDS = 60.0
"""How long a reason why somebody was not let in is not told again."""


class Refusals:
    """Logs why people are not let in: they may come as often as they like, and must not fill a disk.

    Each reason is told at once, and then with how often it was since. There are few reasons. `clock` gives seconds.
    """

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._quiet: dict[str, float] = {}
        self._times = Counter[str]()

    def tell(self, reason: str) -> None:
        """Somebody was not let in."""
        self._times[reason] += 1
        if self._clock() >= self._quiet.get(reason, 0.0):
            self._quiet[reason] = self._clock() + QUIET_SECONDS
            log.info("not let in", reason=reason, times=self._times.pop(reason))


class Callout:
    """Answers each question in a task of its own, so that no connection waits for another."""

    def __init__(self, client: Client, holders: Holders, issuer: SecretStr) -> None:
        self._client = client
        self._holders = holders
        self._issuer = issuer
        self._refusals = Refusals(clock=time.monotonic)
        self._open: set[asyncio.Task[None]] = set()

    async def take(self, message: Msg) -> None:
        """Take a question in; its answer is published later."""
        task = asyncio.create_task(self._answer(message))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _answer(self, message: Msg) -> None:
        try:
            asked = question(message.data)
            told = answer(asked, await self._verdict(asked), self._issuer, at=app.now() // 1000)
            await self._client.publish(message.reply, told)
        except Exception as error:  # noqa: BLE001 - it is logged without its words, which may hold a token
            fault("question not answered", error)

    async def _verdict(self, asked: Question) -> Admission | Stranger:
        try:
            admission = await admit(asked.connect_opts, self._holders.holds)
        except Stranger as stranger:
            verdict = stranger
        except (Unavailable, NeedsNewer) as error:
            verdict = Stranger(f"the log cannot be read: {type(error).__name__}")
        else:
            log.debug("let in", user=admission.name)
            return admission
        self._refusals.tell(str(verdict))
        return verdict


async def setup(service: app.Service) -> None:
    """Answer the server's questions, and put out who has lost his seat.

    Raises SettingsError where there is no key to sign the answers by.
    """
    issuer = service.settings.nats_issuer
    if issuer is None:
        raise SettingsError("FAIRDEAL_NATS_ISSUER is not set: the seed of the account key, as `fairdeal keys` wrote it")
    service.health.asks_jetstream = False  # which it may not; it reads the log only
    client, holders = service.client, Holders(service.client)
    await client.subscribe(SEATING, cb=Evictions(client, holders).take)
    await client.subscribe(AUTH_REQUESTS, CALLOUT, cb=Callout(client, holders, issuer).take)


def run(settings: Settings) -> None:
    """Run a callout until SIGINT or SIGTERM."""
    app.run(CALLOUT, settings, setup)
