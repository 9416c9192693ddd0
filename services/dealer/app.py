"""The dealer's app: when the log says that the dealer is due, it commits to its shares or deals."""

from functools import partial

from schemas.log import Role
from services.games.decide import Draft, deal
from services.games.match import Match
from services.games.shuffle import share
from services.runtime import app, keys
from services.runtime.settings import Settings
from services.runtime.worker import Turn

ROLE: Role = "dealer"


class WrongSecret(Exception):
    """The match was dealt from another secret than this dealer's, so what it would deal could not be proved."""


def turn(settings: Settings) -> Turn:
    """The dealer's turn with the shares of its secret. Raises SettingsError where there is none."""
    secret = keys.required(settings)
    share_key, key_id = keys.share_key(secret), keys.key_id(secret)

    def take(match: Match) -> Draft:
        shares = partial(share, share_key, match.id)
        if match.root and shares(match.deals) != match.share:
            raise WrongSecret(match.id)
        return deal(match, shares, key_id)

    return take


async def setup(service: app.Service) -> None:
    """Take the dealer's tokens."""
    await app.take_tokens(service, app.role_worker(ROLE, service, turn(service.settings)))


def run(settings: Settings) -> None:
    """Run a dealer until SIGINT or SIGTERM."""
    app.run(ROLE, settings, setup)
