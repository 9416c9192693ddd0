"""What leaves for a viewer: frames and answers."""

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, Literal, TypeVar, cast

import msgspec
from msgspec import Struct

from schemas.cards import Seat
from schemas.codec.log import Message, Secret, message_of, opening
from schemas.codec.reading import PublicBytes, Viewer, decode, read
from schemas.commands import Reply
from schemas.sealed import Audience, Hidden
from schemas.views import Frame, Legal, Listed, Revealed, Synced, Table

T = TypeVar("T")

_GAP_BYTES = b"\xc1fairdeal/hidden\0"
"""Stands where something is hidden. It begins as no MessagePack does, and no two of it overlap."""

_GAP = msgspec.Raw(_GAP_BYTES)

_plain = msgspec.msgpack.Encoder()
"""Knows nothing that is hidden or sealed: it raises TypeError."""


class _HiddenForm(Struct, frozen=True, omit_defaults=True):
    n: int | None = None
    value: Any = msgspec.UNSET


class Covered:
    """A table encoded once for all viewers, with gaps where it is hidden from some: what each is shown goes there.

    What is hidden holds nothing hidden itself. Raises TypeError for what is not for viewers: what is sealed, and bytes
    that would stand for a gap. So nothing goes in whose bytes players choose.
    """

    def __init__(self, table: Table) -> None:
        self._hidden: list[tuple[Audience, _HiddenForm]] = []
        first, *after = msgspec.msgpack.encode(table, enc_hook=self._cover).split(_GAP_BYTES)
        if len(after) != len(self._hidden):
            raise TypeError("bytes that stand for what is hidden are not for viewers")
        self._shut = [first]
        for (_, form), between in zip(self._hidden, after, strict=True):
            self._shut += _shut(form.n), between

    def _cover(self, value: object) -> msgspec.Raw | _HiddenForm:
        if not isinstance(value, Hidden):
            raise TypeError(f"{type(value).__name__} is not for viewers")
        if not value.is_open:
            return _HiddenForm(value.n)
        form = _HiddenForm(value.n, value.value)
        if isinstance(value.audience, str):
            return form
        self._hidden.append((value.audience, form))
        return _GAP

    def opened_to(self, viewer: Viewer) -> PublicBytes:
        """The encoded table; what is hidden is written out to its audience and the auditor alone."""
        pieces = self._shut.copy()
        for place, (audience, form) in enumerate(self._hidden):
            if may_open(audience, viewer):
                pieces[2 * place + 1] = _plain.encode(form)
        return PublicBytes(b"".join(pieces))


@lru_cache(maxsize=256)
def _shut(n: int | None) -> bytes:
    return _plain.encode(_HiddenForm(n))


def to_frame(
    message: Message,
    viewer: Seat | Literal["rail"],
    *,
    table: Covered,
    legal: Legal,
    waited: bool,
    revealed: tuple[Revealed, ...],
) -> PublicBytes:
    """A commit as one viewer may see it: the public part unchanged, with the secrets addressed to him."""
    commit, secrets = message.commit, message.secrets
    frame = Frame(
        match=commit.match,
        seat=None if viewer == "rail" else viewer,
        index=commit.index,
        public=message.public,
        secrets=tuple([opening(each) for each in secrets if may_open(each.audience, viewer)]) if secrets else (),
        signature=message.signature,
        table=cast(Table, msgspec.Raw(table.opened_to(viewer))),
        legal=legal,
        waited=waited,
        revealed=revealed,
    )
    return PublicBytes(_plain.encode(frame))


def from_frame(data: bytes) -> tuple[Frame, Message]:
    """Read a frame, and the commit in it with the values that its viewer may see. Raises BadMessage, NeedsNewer."""
    frame = from_service(data, Frame)
    secrets = tuple(Secret(o.slot, (), o.salt, o.value) for o in frame.secrets)
    return frame, message_of(frame.public, secrets, frame.signature)


def may_open(audience: Audience, viewer: Viewer) -> bool:
    """Whether `viewer` is among those who may see a value with this audience."""
    return viewer in audience or viewer == "auditor"


def to_reply(reply: Reply | Synced | Listed | Revealed) -> PublicBytes:
    """Encode an answer, or a part of one, which holds nothing hidden any more. Raises TypeError where it does."""
    return PublicBytes(_plain.encode(reply))


def from_service(data: bytes, kind: type[T]) -> T:
    """Read a frame, or a part of one, as a client does. Raises BadMessage."""
    decoder: msgspec.msgpack.Decoder[T] = _decoder(cast(Hashable, kind))
    return decode(decoder, data)


@lru_cache
def _decoder(kind: Hashable) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(cast(type[Any], kind), dec_hook=_hidden)


def _hidden(kind: type, form: object) -> Hidden[Any]:
    hidden = msgspec.convert(form, _HiddenForm)
    if isinstance(hidden.value, msgspec.UnsetType):
        return Hidden(n=hidden.n)
    return Hidden(read(hidden.value, kind), n=hidden.n)
