"""The referee's app: it answers the commands of players, and plays for managed seats when the log says so."""

from schemas.log import Role
from services.games.decide import play_managed
from services.referee.counter import take_commands
from services.referee.desk import Desk
from services.runtime import app
from services.runtime.settings import Settings

ROLE: Role = "referee"


async def setup(service: app.Service) -> None:
    """Take the referee's tokens, and commands."""
    worker = app.role_worker(ROLE, service, play_managed)
    await app.take_tokens(service, worker)
    take_commands(service, Desk(worker))


def run(settings: Settings) -> None:
    """Run a referee until SIGINT or SIGTERM."""
    app.run(ROLE, settings, setup)
