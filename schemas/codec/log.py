"""Commits to and from the log and files of viewers."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.codec.reading import BadMessage, NeedsNewer, PublicBytes, Viewer, complaint, decode, read
from schemas.commitment import commitment_of, salt_of
from schemas.events import EVENT_TAGS
from schemas.evolution import upcast
from schemas.log import Chain, Commit
from schemas.sealed import Audience, Sealed
from schemas.views import Opening, Revealed

MAX_BYTES = 64 * 1024
"""The largest message of the log."""


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


class _EventTag(Struct, frozen=True):
    type: str


class _Envelope(Commit, frozen=True, kw_only=True):
    events: tuple[_EventTag, ...]  # type: ignore[assignment]  # the events' form is what is in question


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
    wire = decode(_wires, data)
    message = message_of(wire.public, wire.secrets, wire.signature)
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
        wire = decode(_viewer_wires, data)
        secrets = tuple(Secret(o.slot, (), o.salt, o.value) for o in wire.secrets)
        message = message_of(wire.public, secrets, wire.signature)
        again = msgspec.msgpack.encode(wire)
    if again != data:
        raise BadMessage("not written in the canonical form")
    return message


def opening(secret: Secret) -> Opening:
    """A secret without its audience, which may itself be secret."""
    return Opening(secret.slot, secret.salt, secret.value)


def message_of(public: bytes, secrets: tuple[Secret, ...], signature: bytes) -> Message:
    """The message that these parts are. Raises BadMessage and NeedsNewer."""
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
            sealed.slot, read(secret.value, kind), audience=secret.audience, n=sealed.n, commitment=sealed.commitment
        )

    def _reason(self, public: bytes, error: Exception) -> Exception:
        """NeedsNewer where the envelope is sound and only the tag of an event is not known here."""
        try:
            tags = [event.type for event in self._envelopes.decode(public).events]
        except (msgspec.DecodeError, ValueError, RecursionError):
            tags = []
        unknown = [tag for tag in tags if tag not in EVENT_TAGS]
        return NeedsNewer(unknown[0]) if unknown else BadMessage(f"not a commit: {complaint(error)}")


_commits = _CommitDecoder()
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
