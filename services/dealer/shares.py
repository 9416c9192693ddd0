"""The dealer's shares, remembered in blocks, since each is a walk down the whole chain."""

import hashlib
from functools import lru_cache

from services.games.decide import Share
from services.games.shuffle import SHARES, share

BLOCK = 64


class Shares:
    """The share chains of all matches, from one secret. `matches` is how many blocks are remembered."""

    def __init__(self, secret: bytes, *, matches: int = 1000) -> None:
        self._secret = secret
        self._block = lru_cache(maxsize=matches)(self._make_block)

    def of(self, match: str) -> Share:
        """The shares of a match by the number of the deal."""

        def share_of(deal: int) -> bytes:
            return self._block(match, deal // BLOCK)[deal % BLOCK]

        return share_of

    def _make_block(self, match: str, number: int) -> list[bytes]:
        first = number * BLOCK
        last = min(first + BLOCK - 1, SHARES)
        shares = [share(self._secret, match, last)]
        for _ in range(last - first):
            shares.append(hashlib.sha256(shares[-1]).digest())
        return shares[::-1]
