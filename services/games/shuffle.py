"""The deal that can be proved: the dealer's share chain, the seed of a hand, and our own written shuffle.

Everything here is defined by SHA-256 alone, so that anyone can do it again in any language; vectors to check against
stand in `tests/vectors/shuffle.json`.
"""

import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache

from schemas.cards import Cards
from schemas.digest import digest

SHARES = 4096
"""Length N of a dealer's share chain: as many deals can a match have."""


STRIDE = 64
"""Of the shares of a chain every so manieth is kept, so that a deal costs few hashes."""


def share(secret: bytes, match: str, deal: int) -> bytes:
    """d_deal of the match's chain: d_N = HMAC-SHA-256(secret, match id), d_h = SHA-256(d_h+1) over the bare 32 bytes.

    Share 0 is the root, which is committed to before anyone joins. Raises ValueError beyond SHARES.
    """
    if not 0 <= deal <= SHARES:
        raise ValueError(f"a match has {SHARES} deals")
    above, steps = divmod(SHARES - deal, STRIDE)
    return _hashed(_kept_shares(secret, match)[above], steps)


@lru_cache(maxsize=1000)
def _kept_shares(secret: bytes, match: str) -> tuple[bytes, ...]:
    """Shares N, N−STRIDE, N−2·STRIDE … 0."""
    kept = [hmac.digest(secret, match.encode(), "sha256")]
    while len(kept) <= SHARES // STRIDE:
        kept.append(_hashed(kept[-1], STRIDE))
    return tuple(kept)


def _hashed(value: bytes, times: int) -> bytes:
    for _ in range(times):
        value = hashlib.sha256(value).digest()
    return value


def follows(later: bytes, earlier: bytes) -> bool:
    """Whether `later` is the share after `earlier` in one chain."""
    return hashlib.sha256(later).digest() == earlier


def seed_of(share: bytes, entropy: Sequence[bytes], deal: int) -> bytes:
    """The seed of a deal, from the dealer's share and the entropy of all seats in seat order."""
    return digest("fairdeal/seed", share, list(entropy), deal)


def entropy_commitment(match: str, key: bytes, entropy: bytes) -> bytes:
    """What a player sends with `join` before he shows his 32 bytes of entropy; bound to the match and to his key."""
    return digest("fairdeal/entropy", match, key, entropy)


class Stream:
    """Uniform numbers from a seed: block i is SHA-256 over ["fairdeal/stream", seed, i], read as eight 32-bit words."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """A number in 0…bound−1 (bound ≤ 2³²); words at or above the largest multiple of `bound` are thrown away."""
        limit = 2**32 - 2**32 % bound
        while True:
            word = self._next_word()
            if word < limit:
                return word % bound

    def block(self) -> bytes:
        """The next 32 bytes, past what is left of the block that numbers are being taken from."""
        self._words = []
        block = digest("fairdeal/stream", self._seed, self._block)
        self._block += 1
        return block

    def _next_word(self) -> int:
        if not self._words:
            block = self.block()
            self._words = [int.from_bytes(block[i : i + 4], "big") for i in range(28, -1, -4)]
        return self._words.pop()


def shuffle(deck: Cards, seed: bytes) -> Cards:
    """Fisher–Yates from the last card down: card i changes places with card `below(i + 1)`."""
    stream = Stream(seed)
    cards = list(deck)
    for i in range(len(cards) - 1, 0, -1):
        j = stream.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)
