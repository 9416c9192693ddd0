"""What is published in place of a hidden value, so that anyone can check it later and nobody can guess it before."""

import hmac
from typing import Any

import msgspec

from schemas.digest import digest

SALT_BYTES = 16


def salt_of(key: bytes, match: str, index: int, slot: str) -> bytes:
    """The 16-byte salt of a slot, the same in every replica that holds the role's salt key."""
    return hmac.digest(key, msgspec.msgpack.encode([match, index, slot]), "sha256")[:SALT_BYTES]


def commitment_of(match: str, index: int, slot: str, salt: bytes, value: Any, n: int | None) -> bytes:
    """The 32 bytes published in place of a value; of a card list (`n` given) the Merkle root over salted cards."""
    if n is None:
        return digest("fairdeal/secret", match, index, slot, salt, value)
    leaves = [digest("fairdeal/leaf", match, index, slot, i, _card_salt(salt, i), card) for i, card in enumerate(value)]
    return merkle_root(leaves or [digest("fairdeal/empty", match, index, slot, _card_salt(salt, 0))])


def _card_salt(salt: bytes, place: int) -> bytes:
    return digest("fairdeal/salt", salt, place)[:SALT_BYTES]


def merkle_root(leaves: list[bytes]) -> bytes:
    """Pair neighbours level by level; a node without a neighbour moves up as it is. Of at least one leaf."""
    while len(leaves) > 1:
        pairs = [digest("fairdeal/node", *leaves[i : i + 2]) for i in range(0, len(leaves) - 1, 2)]
        leaves = pairs + leaves[len(pairs) * 2 :]
    return leaves[0]
