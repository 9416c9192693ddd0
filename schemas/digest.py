"""The one way to hash several values: SHA-256 over the MessagePack array of a tag and the values."""

import hashlib

import msgspec

_encoder = msgspec.msgpack.Encoder()


def digest(tag: str, *parts: object) -> bytes:
    """32 bytes of SHA-256 over the array [tag, *parts]; tags such as `fairdeal/seed` keep uses apart."""
    return hashlib.sha256(_encoder.encode([tag, *parts])).digest()
