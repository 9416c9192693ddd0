"""The referee's app: it answers the commands of players, plays for managed seats, and ends waits that are vain."""

import time

from schemas.log import Role
from schemas.subjects import COMMANDS
from services.games.decide import play_managed
from services.referee.desk import Desk
from services.referee.quota import Quota
from services.runtime import app
from services.runtime.counter import take_requests
from services.runtime.settings import Settings
from services.runtime.timers import Timers, take_timers

ROLE: Role = "referee"


async def setup(service: app.Service) -> None:
    """Take the referee's tokens, timers and commands."""
    settings = service.settings
    timers = Timers(service.client, clock=app.now)
    worker = app.role_worker(ROLE, service, play_managed, timers.watch)
    await app.take_tokens(service, worker)
    await take_timers(service, timers, worker)
    house = bytes.fromhex(settings.house_key.get_secret_value()) if settings.house_key else b""
    quota = Quota(settings.opens_per_second, settings.opens_burst, clock=time.monotonic)
    await take_requests(service, (COMMANDS,), Desk(worker, house=house, quota=quota).answer)


def run(settings: Settings) -> None:
    """Run a referee until SIGINT or SIGTERM."""
    app.run(ROLE, settings, setup)
