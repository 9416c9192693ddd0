"""The only encoders and decoders: commits to and from the log, and everything that leaves for a viewer.

A log message is the MessagePack array [public, secrets, signature]. What a viewer gets is the public part
unchanged and the secrets he may open: redaction is leaving out, never rewriting.
"""

import hashlib
import hmac
import re
from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, NewType, TypeVar, cast, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from schemas.cards import Seat
from schemas.commands import Ask, Command, Refused, Reply, Request, Sync
from schemas.commitment import commitment_of, salt_of
from schemas.events import EVENT_TAGS
from schemas.evolution import upcast
from schemas.log import Chain, Commit
from schemas.sealed import Audience, Hidden, Sealed
from schemas.views import Frame, Legal, Listed, Opening, Revealed, Synced, Table

T = TypeVar("T")

PublicBytes = NewType("PublicBytes", bytes)
"""Bytes that may leave for the viewer they were made for."""

Viewer = Seat | Literal["rail", "auditor"]
"""A seat, the rail (spectators), or the auditor, who may open everything."""

MAX_BYTES = 64 * 1024
"""The largest message of the log."""

MAX_COMMAND_BYTES = 16 * 1024
"""The largest message from a player: its action stands in the commit and again in the events, and both must fit."""

MAX_NUMBER = 2**53 - 1
"""The largest number, in size, that is taken from outside."""


_VALUE = re.compile(r""" (['"]).*\1(?= - at `|$)""", re.DOTALL)
"""A value as msgspec quotes it where it says what is wrong."""


class BadMessage(ValueError):
    """The bytes are not a message of the expected form; the text says what is wrong with them."""


class TooLarge(BadMessage):
    """A player's message is longer than MAX_COMMAND_BYTES."""


class NeedsNewer(LookupError):
    """A well-formed commit holds an event, or names rules, that this version does not know: a newer one must go on."""


class Secret(Struct, frozen=True, array_like=True):
    """A sealed value as the log keeps it, with the seats that may open it."""

    slot: str
    audience: Audience
    salt: bytes
    value: Any


class Message(Struct, frozen=True, kw_only=True):
    """A log message as read: the commit with its sealed values filled in, and what it was read from.

    `slots` counts the sealed values; a viewer's file has fewer secrets than that.
    """

    commit: Commit
    public: bytes
    secrets: tuple[Secret, ...]
    signature: bytes
    slots: int

    @property
    def chain(self) -> Chain:
        """The chain value of this commit: SHA-256 of the public part."""
        return hashlib.sha256(self.public).digest()


class _Wire(Struct, frozen=True, array_like=True):
    public: bytes
    secrets: tuple[Secret, ...]
    signature: bytes


class _ViewerWire(Struct, frozen=True, array_like=True):
    public: bytes
    secrets: tuple[Opening, ...]
    signature: bytes


class _SealedForm(Struct, frozen=True, omit_defaults=True):
    slot: str
    commitment: bytes
    n: int | None = None


class _HiddenForm(Struct, frozen=True, omit_defaults=True):
    n: int | None = None
    value: Any = msgspec.UNSET


class _EventTag(Struct, frozen=True):
    type: str


class _Envelope(Commit, frozen=True, kw_only=True):
    events: tuple[_EventTag, ...]  # type: ignore[assignment]  # the events' form is what is in question


# --- the log -----------------------------------------------------------------------------------------------------


def to_log(commit: Commit, salt_key: bytes) -> bytes:
    """A commit as a log message; its sealed values go into `secrets`, their commitments into the public part."""
    secrets: list[Secret] = []

    def seal(value: object) -> _SealedForm:
        if not isinstance(value, Sealed):
            raise TypeError(f"{type(value).__name__} has no place in the log")
        salt = salt_of(salt_key, commit.match, commit.index, value.slot)
        secrets.append(Secret(value.slot, value.audience, salt, value.value))
        commitment = commitment_of(commit.match, commit.index, value.slot, salt, value.value, value.n)
        return _SealedForm(value.slot, commitment, value.n)

    public = msgspec.msgpack.encode(commit, enc_hook=seal)
    return msgspec.msgpack.encode(_Wire(public, tuple(secrets), b""))


def from_log(data: bytes) -> Message:
    """Read a log message. Raises BadMessage, or NeedsNewer where only the events are not known here."""
    wire = _decode(_wires, data)
    message = _message(wire.public, wire.secrets, wire.signature)
    if len(message.secrets) != message.slots:
        raise BadMessage("a sealed value without its secret")
    return message


def to_file(message: Message, viewer: Viewer, openings: Iterable[Secret]) -> PublicBytes:
    """A message as it stands in a file for `viewer`: with audiences for the auditor, else the `openings` alone."""
    if viewer == "auditor":
        wire: _Wire | _ViewerWire = _Wire(message.public, message.secrets, message.signature)
    else:
        wire = _ViewerWire(message.public, tuple(map(opening, openings)), message.signature)
    return PublicBytes(msgspec.msgpack.encode(wire))


def from_file(data: bytes, viewer: Viewer) -> Message:
    """Read a message of a viewer's file. Raises BadMessage and NeedsNewer, also where it is not written canonically."""
    if viewer == "auditor":
        message = from_log(data)
        again = msgspec.msgpack.encode(_Wire(message.public, message.secrets, message.signature))
    else:
        wire = _decode(_viewer_wires, data)
        secrets = tuple(Secret(o.slot, (), o.salt, o.value) for o in wire.secrets)
        message = _message(wire.public, secrets, wire.signature)
        again = msgspec.msgpack.encode(wire)
    if again != data:
        raise BadMessage("not written in the canonical form")
    return message


def opening(secret: Secret) -> Opening:
    """A secret without its audience, which may itself be secret."""
    return Opening(secret.slot, secret.salt, secret.value)


def _message(public: bytes, secrets: tuple[Secret, ...], signature: bytes) -> Message:
    by_slot = {secret.slot: secret for secret in secrets}
    commit = _commits.decode(public, by_slot)
    if secrets and [slot for slot in _commits.slots if slot in by_slot] != [secret.slot for secret in secrets]:
        raise BadMessage("the secrets are not those of its sealed values, each once and in their order")
    events = upcast(commit.events)
    return Message(
        commit=commit if events is commit.events else replace(commit, events=events),
        public=public,
        secrets=secrets,
        signature=signature,
        slots=len(_commits.slots),
    )


def _unread(_kind: type, _form: object) -> Sealed[Any]:
    return Sealed("")


class _CommitDecoder:
    """One decoder for all commits; the secrets of the commit at hand are what its hook fills the values in from."""

    def __init__(self) -> None:
        self._decoder = msgspec.msgpack.Decoder(Commit, dec_hook=self._fill)
        self._envelopes = msgspec.msgpack.Decoder(_Envelope, dec_hook=_unread)
        self._secrets: Mapping[str, Secret] = {}
        self.slots: list[str] = []
        """The slots of the last commit in the order in which they are written."""

    def decode(self, public: bytes, secrets: Mapping[str, Secret]) -> Commit:
        self._secrets, self.slots = secrets, []
        try:
            return self._decoder.decode(public)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise self._reason(public, error) from None

    def _fill(self, kind: type, form: object) -> Sealed[Any]:
        sealed = msgspec.convert(form, _SealedForm)
        if sealed.slot in self.slots:
            raise ValueError(f"two values in slot {sealed.slot}")
        self.slots.append(sealed.slot)
        secret = self._secrets.get(sealed.slot)
        if secret is None:
            return Sealed(sealed.slot, n=sealed.n, commitment=sealed.commitment)
        return Sealed(
            sealed.slot, _read(secret.value, kind), audience=secret.audience, n=sealed.n, commitment=sealed.commitment
        )

    def _reason(self, public: bytes, error: Exception) -> Exception:
        """NeedsNewer where the envelope is sound and only the tag of an event is not known here."""
        try:
            tags = [event.type for event in self._envelopes.decode(public).events]
        except (msgspec.DecodeError, ValueError, RecursionError):
            tags = []
        unknown = [tag for tag in tags if tag not in EVENT_TAGS]
        return NeedsNewer(unknown[0]) if unknown else BadMessage(f"not a commit: {_complaint(error)}")


_commits = _CommitDecoder()
_replies: msgspec.msgpack.Decoder[Reply] = msgspec.msgpack.Decoder(Reply)
_synced: msgspec.msgpack.Decoder[Synced | Refused] = msgspec.msgpack.Decoder(Synced | Refused)
_listed: msgspec.msgpack.Decoder[Listed | Refused] = msgspec.msgpack.Decoder(Listed | Refused)
_wires = msgspec.msgpack.Decoder(_Wire)
_viewer_wires = msgspec.msgpack.Decoder(_ViewerWire)


def false_openings(message: Message) -> list[str]:
    """The slots whose secret does not open the commitment in the public part."""
    published = {sealed.slot: sealed for sealed in sealed_in(message.commit)}
    match, index = message.commit.match, message.commit.index
    return [secret.slot for secret in message.secrets if not opens(secret, published[secret.slot], match, index)]


def opens(secret: Secret | Revealed, sealed: Sealed[Any], match: str, index: int) -> bool:
    """Whether the secret opens the commitment that was published in commit `index`."""
    if sealed.n is not None and not (
        isinstance(secret.value, list) and len(cast(list[object], secret.value)) == sealed.n
    ):
        return False
    expected = commitment_of(match, index, secret.slot, secret.salt, secret.value, sealed.n)
    return hmac.compare_digest(expected, sealed.commitment)


def sealed_in(commit: Commit) -> list[Sealed[Any]]:
    """Every sealed value of a commit, in the order in which it is written."""
    found: list[Sealed[Any]] = []
    msgspec.msgpack.encode(commit, enc_hook=found.append)  # the hook meets what only the codec can write
    return found


# --- viewers -----------------------------------------------------------------------------------------------------


_GAP_BYTES = b"\xc1fairdeal/hidden\0"
"""Stands where something is hidden. It begins as no MessagePack does, and no two of it overlap."""

_GAP = msgspec.Raw(_GAP_BYTES)

_plain = msgspec.msgpack.Encoder()
"""Knows nothing that is hidden or sealed: it raises TypeError."""


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
    return frame, _message(frame.public, secrets, frame.signature)


def may_open(audience: Audience, viewer: Viewer) -> bool:
    """Whether `viewer` is among those who may see a value with this audience."""
    return viewer in audience or viewer == "auditor"


def from_player(data: bytes, kind: type[T]) -> T:
    """Read what a player or viewer sent. Raises BadMessage, also for what is too long or a number beyond 2^53−1."""
    if len(data) > MAX_COMMAND_BYTES:
        raise TooLarge(f"more than {MAX_COMMAND_BYTES} bytes")
    message = from_service(data, kind)
    if not _in_range(message):
        raise BadMessage("a number beyond 2^53-1")
    return message


def to_service(request: Request | Command | Sync | Ask) -> bytes:
    """Encode what a client asks of a service."""
    return msgspec.msgpack.encode(request)


def to_reply(reply: Reply | Synced | Listed | Revealed) -> PublicBytes:
    """Encode an answer, or a part of one, which holds nothing hidden any more. Raises TypeError where it does."""
    return PublicBytes(_plain.encode(reply))


def from_reply(data: bytes) -> Reply:
    """Read the referee's answer. Raises BadMessage."""
    return _decode(_replies, data)


def from_synced(data: bytes) -> Synced | Refused:
    """Read the answer to a sync. Raises BadMessage."""
    return _decode(_synced, data)


def from_listed(data: bytes) -> Listed | Refused:
    """Read the answer of who asked what he may do. Raises BadMessage."""
    return _decode(_listed, data)


def from_service(data: bytes, kind: type[T]) -> T:
    """Read a frame or a synced answer, as a client does. Raises BadMessage."""
    decoder: msgspec.msgpack.Decoder[T] = _decoder(cast(Hashable, kind))
    return _decode(decoder, data)


_NO_NUMBERS = frozenset({str, bytes, bool, type(None)})


def _in_range(message: object) -> bool:
    """Whether all numbers in a message are such that every reader knows them exactly."""
    values = [message]
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
        elif isinstance(value, Struct):
            values.extend(astuple(value))
    return True


@lru_cache
def _decoder(kind: Hashable) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(cast(type[Any], kind), dec_hook=_hidden)


def _hidden(kind: type, form: object) -> Hidden[Any]:
    hidden = msgspec.convert(form, _HiddenForm)
    if isinstance(hidden.value, msgspec.UnsetType):
        return Hidden(n=hidden.n)
    return Hidden(_read(hidden.value, kind), n=hidden.n)


def _read(value: object, kind: type) -> Any:
    """A value as `kind`, a Sealed or Hidden of a field, holds it. Raises msgspec.ValidationError."""
    read: Any = msgspec.convert((value,), _box(cast(Hashable, kind)))
    return read.value


@lru_cache
def _box(kind: Hashable) -> type[Struct]:
    """A Struct around the value: msgspec prepares the reading of a Struct once, but of a bare type each time."""
    return msgspec.defstruct("Box", [("value", get_args(kind)[0])], array_like=True)


def _decode(decoder: msgspec.msgpack.Decoder[T], data: bytes) -> T:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise BadMessage(_complaint(error)) from None


def _complaint(error: Exception) -> str:
    """What is wrong with a message, without the value that is wrong: it may be hidden, or long."""
    return _VALUE.sub("", str(error))
