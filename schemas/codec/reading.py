"""What all of the codec shares: its errors, what may leave, and how a value is read."""

import re
from collections.abc import Hashable
from functools import lru_cache
from typing import Any, Literal, NewType, TypeVar, cast, get_args

import msgspec
from msgspec import Struct

from schemas.cards import Seat

T = TypeVar("T")

PublicBytes = NewType("PublicBytes", bytes)
"""Bytes that may leave for the viewer they were made for."""

Viewer = Seat | Literal["rail", "auditor"]
"""A seat, the rail (spectators), or the auditor, who may open everything."""

_VALUE = re.compile(r""" (['"]).*\1(?= - at `|$)""", re.DOTALL)
"""A value as msgspec quotes it where it says what is wrong."""


class BadMessage(ValueError):
    """The bytes are not a message of the expected form; the text says what is wrong with them."""


class NeedsNewer(LookupError):
    """A well-formed commit holds an event, or names rules, that this version does not know: a newer one must go on."""


def decode(decoder: msgspec.msgpack.Decoder[T], data: bytes) -> T:
    """What the bytes say. Raises BadMessage."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise BadMessage(complaint(error)) from None


def complaint(error: Exception) -> str:
    """What is wrong with a message, without the value that is wrong: it may be hidden, or long."""
    return _VALUE.sub("", str(error))


def read(value: object, kind: type) -> Any:
    """A value as `kind`, a Sealed or Hidden of a field, holds it. Raises msgspec.ValidationError."""
    box: Any = msgspec.convert((value,), _box(cast(Hashable, kind)))
    return box.value


@lru_cache
def _box(kind: Hashable) -> type[Struct]:
    """A Struct around the value: msgspec prepares the reading of a Struct once, but of a bare type each time."""
    return msgspec.defstruct("Box", [("value", get_args(kind)[0])], array_like=True)
