"""The only encoders and decoders: commits to and from the log, and everything that leaves for a viewer.

A log message is the MessagePack array [public, secrets, signature]. What a viewer gets is the public part
unchanged and the secrets he may open: redaction is leaving out, never rewriting.
"""

import hashlib
import hmac
from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, NewType, TypeVar, cast, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import Seat
from schemas.commands import Ask, Command, Refused, Reply, Request, Sync
from schemas.commitment import commitment_of, salt_of
from schemas.events import EVENT_TAGS
from schemas.evolution import upcast
from schemas.log import Chain, Commit
from schemas.sealed import Audience, Everybody, Hidden, Sealed
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
        value = msgspec.convert(secret.value, get_args(kind)[0])
        return Sealed(sealed.slot, value, audience=secret.audience, n=sealed.n, commitment=sealed.commitment)

    def _reason(self, public: bytes, error: Exception) -> Exception:
        """NeedsNewer where the envelope is sound and only the tag of an event is not known here."""
        try:
            tags = [event.type for event in self._envelopes.decode(public).events]
        except (msgspec.DecodeError, ValueError, RecursionError):
            tags = []
        unknown = [tag for tag in tags if tag not in EVENT_TAGS]
        return NeedsNewer(unknown[0]) if unknown else BadMessage(f"not a commit: {error}")


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


def to_viewer(value: Struct, viewer: Viewer) -> PublicBytes:
    """Encode for one viewer: a hidden value is written out to its audience and the auditor alone."""
    return PublicBytes(_viewer_encoder(viewer).encode(value))


def to_frame(
    message: Message,
    viewer: Seat | Literal["rail"],
    *,
    table: Table,
    legal: Legal,
    waited: bool,
    revealed: tuple[Revealed, ...],
) -> PublicBytes:
    """A commit as one viewer may see it: the public part unchanged, with the secrets addressed to him."""
    frame = Frame(
        match=message.commit.match,
        seat=None if viewer == "rail" else viewer,
        index=message.commit.index,
        public=message.public,
        secrets=tuple(opening(secret) for secret in message.secrets if may_open(secret.audience, viewer)),
        signature=message.signature,
        table=table,
        legal=legal,
        waited=waited,
        revealed=revealed,
    )
    return to_viewer(frame, viewer)


def from_frame(data: bytes) -> tuple[Frame, Message]:
    """Read a frame, and the commit in it with the values that its viewer may see. Raises BadMessage, NeedsNewer."""
    frame = from_service(data, Frame)
    secrets = tuple(Secret(o.slot, (), o.salt, o.value) for o in frame.secrets)
    return frame, _message(frame.public, secrets, frame.signature)


def may_open(audience: Audience | Everybody, viewer: Viewer) -> bool:
    """Whether `viewer` is among those who may see a value with this audience."""
    return viewer == "auditor" or audience == "everybody" or viewer in audience


@lru_cache(maxsize=32)
def _viewer_encoder(viewer: Viewer) -> msgspec.msgpack.Encoder:
    def show(value: object) -> _HiddenForm:
        if not isinstance(value, Hidden):
            raise TypeError(f"{type(value).__name__} is not for viewers")
        if value.is_open and may_open(value.audience, viewer):
            return _HiddenForm(value.n, value.value)
        return _HiddenForm(value.n)

    return msgspec.msgpack.Encoder(enc_hook=show)


def from_player(data: bytes, kind: type[T]) -> T:
    """Read what a player or viewer sent. Raises BadMessage, also for what is too long or a number beyond 2^53−1."""
    if len(data) > MAX_COMMAND_BYTES:
        raise TooLarge(f"more than {MAX_COMMAND_BYTES} bytes")
    try:
        if not _in_range(msgspec.msgpack.decode(data)):
            raise BadMessage("a number beyond 2^53-1")
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise BadMessage(str(error)) from None
    return from_service(data, kind)


def to_service(request: Request | Command | Sync | Ask) -> bytes:
    """Encode what a client asks of a service."""
    return msgspec.msgpack.encode(request)


def to_reply(reply: Reply) -> PublicBytes:
    """Encode the referee's answer, which holds nothing hidden."""
    return PublicBytes(msgspec.msgpack.encode(reply))


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


def _in_range(value: object) -> bool:
    if isinstance(value, dict):
        return all(map(_in_range, cast(dict[object, object], value).values()))
    if isinstance(value, list):
        return all(map(_in_range, cast(list[object], value)))
    return not isinstance(value, int | float) or -MAX_NUMBER <= value <= MAX_NUMBER


@lru_cache
def _decoder(kind: Hashable) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(cast(type[Any], kind), dec_hook=_hidden)


def _hidden(kind: type, form: object) -> Hidden[Any]:
    hidden = msgspec.convert(form, _HiddenForm)
    if isinstance(hidden.value, msgspec.UnsetType):
        return Hidden(n=hidden.n)
    return Hidden(msgspec.convert(hidden.value, get_args(kind)[0]), n=hidden.n)


def _decode(decoder: msgspec.msgpack.Decoder[T], data: bytes) -> T:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise BadMessage(str(error)) from None
