"""Who holds the seats, as the log says."""

from collections import OrderedDict

from nats.aio.client import Client

from schemas.cards import Seat
from services.games.fold import Fold
from services.games.match import holds
from services.runtime.jetstream import direct_get, unavailable


class Holders:
    """The folds of the matches that were last asked about. `matches` is how many are kept."""

    def __init__(self, client: Client, *, matches: int = 1000) -> None:
        self._client = client
        self._limit = matches
        self._folds: OrderedDict[str, Fold] = OrderedDict()

    async def holds(self, match: str, seat: Seat, token: bytes) -> bool:
        """Whether the token is the one of the seat. Raises Unavailable and NeedsNewer."""
        fold = self._folds.get(match) or Fold(match)
        await self._catch_up(fold)
        if fold.state is None:
            return False
        self._folds[match] = fold
        self._folds.move_to_end(match)
        if len(self._folds) > self._limit:
            self._folds.popitem(last=False)
        return holds(fold.state, seat, token)

    async def _catch_up(self, fold: Fold) -> None:
        """Fold the tail, as any replica of the stream has it: a seat just taken may be there a moment later."""
        with unavailable():
            while entries := await direct_get(self._client, fold.match, fold.sequence):
                for entry in entries:
                    if entry.sequence > fold.sequence:  # else it was folded for another connection meanwhile
                        fold.apply(*entry)
