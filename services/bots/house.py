"""A house without judgement: where the rules leave a decision to the house, it decides by the dice."""

import asyncio
import secrets
from contextlib import suppress

from nats.aio.client import Client

from services.client import Refused, act_as_house
from services.games.fold import Fold
from services.games.match import due
from services.games.pick import pick
from services.games.shuffle import Stream
from services.games.view import legal_of_house
from services.runtime.log import EventLog, Unavailable

LOOK_SECONDS = 0.3
"""How often the house looks whether it is due."""


async def preside(log: EventLog, nats: Client, match: str, token: bytes) -> None:
    """Decide whenever the house is due, until the match is over. `token` is the house's.

    Where the log cannot be read, or no referee answers, it tries again.
    """
    fold, stream = Fold(match), Stream(secrets.token_bytes(32))
    while fold.state is None or due(fold.state) != "none":
        with suppress(Unavailable):
            for entry in await log.read(match, fold.sequence):
                fold.apply(*entry)
        if fold.state is not None and due(fold.state) == "house":
            ruling = pick(legal_of_house(fold.state), stream)
            if ruling is not None:
                with suppress(Refused):  # the table has moved on; the next look tells what is asked now
                    await act_as_house(nats, match, token, ruling)
        await asyncio.sleep(LOOK_SECONDS)
