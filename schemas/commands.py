"""What players ask of the referee and viewers of the gallery, and what they are answered."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from schemas.actions import Digest
from schemas.cards import Seat
from schemas.refusals import Code

CommandId = Annotated[str, Meta(min_length=1, max_length=64)]
"""Chosen by the sender, one for each thing he wants; a retry carries the same."""

Seen = Annotated[int, Meta(ge=0)]
"""The index of the last commit that the sender has seen; 0 where he has seen none."""


class Request(Struct, frozen=True, kw_only=True):
    """A request to open or to join, where the sender has no seat yet; `action` is an `open` or a `join`."""

    id: CommandId
    action: dict[str, Any]


class Command(Struct, frozen=True, kw_only=True):
    """A command of a seat.

    Attributes:
        token: the 32 bytes whose SHA-256 was sent with `join`.
        seen: where it is given, the command is refused as `stale` if the seat was asked anew since.
    """

    id: CommandId
    token: Digest
    action: dict[str, Any]
    seen: Seen | None = None


class Accepted(Struct, frozen=True, kw_only=True, tag="accepted"):
    """Done, and in the log for ever: the commit's index, and the seat that acted or was given."""

    match: str
    index: int
    seat: Seat | None = None


class Refused(Struct, frozen=True, kw_only=True, tag="refused"):
    """Not done, and nothing has changed. `detail` helps a developer and never names a hidden value."""

    code: Code
    match: str | None = None
    seat: Seat | None = None
    detail: str = ""


Reply = Accepted | Refused


class Ask(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Ask what one may do: the choices of a kind from number `after` on, or what an action may be sent as."""

    token: bytes
    kind: str = ""
    after: Annotated[int, Meta(ge=0)] = 0
    action: dict[str, Any] | None = None


class Sync(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Ask for the frames after index `after`; a seat proves itself by its token."""

    after: Seen = 0
    token: bytes = b""
