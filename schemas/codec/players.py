"""What players and viewers send, and how they read the answers."""

from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from schemas.codec.reading import BadMessage, decode
from schemas.commands import Ask, Command, Refused, Reply, Request, Sync
from schemas.views import Listed, Synced

T = TypeVar("T", Request, Command, Sync, Ask)

MAX_COMMAND_BYTES = 16 * 1024
"""The largest message from a player: its action stands in the commit and again in the events, and both must fit."""

MAX_NUMBER = 2**53 - 1
"""The largest number, in size, that is taken from outside."""

_NO_NUMBERS = frozenset({str, bytes, bool, type(None)})

_sent: dict[type, msgspec.msgpack.Decoder[Any]] = {
    kind: msgspec.msgpack.Decoder(kind) for kind in (Request, Command, Sync, Ask)
}
_replies: msgspec.msgpack.Decoder[Reply] = msgspec.msgpack.Decoder(Reply)
_synced: msgspec.msgpack.Decoder[Synced | Refused] = msgspec.msgpack.Decoder(Synced | Refused)
_listed: msgspec.msgpack.Decoder[Listed | Refused] = msgspec.msgpack.Decoder(Listed | Refused)


class TooLarge(BadMessage):
    """A player's message is longer than MAX_COMMAND_BYTES."""


def from_player(data: bytes, kind: type[T]) -> T:
    """Read what a player or viewer sent. Raises BadMessage, also for what is too long or a number beyond 2^53−1."""
    if len(data) > MAX_COMMAND_BYTES:
        raise TooLarge(f"more than {MAX_COMMAND_BYTES} bytes")
    message: T = decode(_sent[kind], data)
    if not _in_range(message):
        raise BadMessage("a number beyond 2^53-1")
    return message


def _in_range(message: Struct) -> bool:
    """Whether all numbers in a message are such that every reader knows them exactly."""
    values: list[object] = list(astuple(message))
    for value in values:  # what a value holds is looked at after it
        kind = type(value)
        if kind in _NO_NUMBERS:
            continue
        if kind is int or kind is float:
            if not -MAX_NUMBER <= cast(float, value) <= MAX_NUMBER:
                return False
        elif kind is dict:
            values.extend(cast(dict[object, object], value).values())
        elif kind is list:
            values.extend(cast(list[object], value))
    return True


def to_service(request: Request | Command | Sync | Ask) -> bytes:
    """Encode what a client asks of a service."""
    return msgspec.msgpack.encode(request)


def from_reply(data: bytes) -> Reply:
    """Read the referee's answer. Raises BadMessage."""
    return decode(_replies, data)


def from_synced(data: bytes) -> Synced | Refused:
    """Read the answer to a sync. Raises BadMessage."""
    return decode(_synced, data)


def from_listed(data: bytes) -> Listed | Refused:
    """Read the answer of who asked what he may do. Raises BadMessage."""
    return decode(_listed, data)
