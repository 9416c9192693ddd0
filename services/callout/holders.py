"""Who holds the seats, as the log says."""

import asyncio
from collections import OrderedDict

from nats.aio.client import Client

from schemas.cards import Seat
from services.games.fold import Fold
from services.games.match import holds, is_over, key_of
from services.runtime.jetstream import direct_get, unavailable

REACH_SECONDS = 0.02
"""How long to wait between looks for a commit that this replica of the stream does not show yet."""


class Holders:
    """The folds of the matches that were last asked about. `matches` is how many are kept."""

    def __init__(self, client: Client, *, matches: int = 1000) -> None:
        self._client = client
        self._limit = matches
        self._folds: OrderedDict[str, Fold] = OrderedDict()

    async def holds(self, match: str, seat: Seat, token: bytes) -> bool:
        """Whether the token is the one of the seat. Raises Unavailable and NeedsNewer."""
        fold = await self._caught_up(match)
        return fold.state is not None and holds(fold.state, seat, key_of(token))

    async def reach(self, match: str, index: int) -> None:
        """Wait until commit `index` of the match is known here. Raises Unavailable and NeedsNewer."""
        fold = await self._caught_up(match)
        while fold.index < index:
            await asyncio.sleep(REACH_SECONDS)
            fold = await self._caught_up(match)

    async def _caught_up(self, match: str) -> Fold:
        """The match's fold with its tail, as any replica of the stream has it: what is new may come a moment later."""
        fold = self._folds.get(match) or Fold(match)
        with unavailable():
            while entries := await direct_get(self._client, match, fold.sequence):
                for entry in entries:
                    if entry.sequence > fold.sequence:  # else it was folded for another connection meanwhile
                        fold.apply(*entry)
        self._keep(fold)
        return fold

    def _keep(self, fold: Fold) -> None:
        """Keep the fold, if there is such a match and it is not over."""
        fold.causes.clear()  # nobody is answered from here, and they are many
        if fold.state is None or is_over(fold.state):
            self._folds.pop(fold.match, None)
            return
        self._folds[fold.match] = fold
        self._folds.move_to_end(fold.match)
        if len(self._folds) > self._limit:
            self._folds.popitem(last=False)
