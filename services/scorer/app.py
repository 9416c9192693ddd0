"""The scorer's app: when the log says that the scorer is due, it scores."""

from schemas.log import Role
from services.games.decide import score
from services.runtime import app
from services.runtime.settings import Settings

ROLE: Role = "scorer"


async def setup(service: app.Service) -> None:
    """Take the scorer's tokens."""
    await app.take_tokens(service, app.role_worker(ROLE, service, score))


def run(settings: Settings) -> None:
    """Run a scorer until SIGINT or SIGTERM."""
    app.run(ROLE, settings, setup)
