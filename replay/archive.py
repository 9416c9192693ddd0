"""Log files (`*.fairdeal`): a MessagePack stream of a header, the messages for one viewer, and a trailer."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from replay.stream import ARRAY_OF_THREE, BYTES, end_of
from schemas.codec import BadMessage, Message, PublicBytes, Viewer, from_file, may_open, to_file
from schemas.events import HandRevealed
from schemas.log import NO_CHAIN, Chain

SUFFIX = ".fairdeal"
FORMAT = 1
"""The version of the format that is written, and the only one that is read."""


class BadArchive(ValueError):
    """The bytes are not a whole log file; `index` is that of the message at fault, 0 for the header."""

    def __init__(self, index: int, text: str) -> None:
        super().__init__(f"commit {index}: {text}" if index else f"header: {text}")
        self.index = index
        self.text = text


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the file is written, and for whom: `auditor`, `rail` or `seat.N`."""

    format: int
    viewer: str


class Trailer(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How many messages the file has, the chain value of the last, and the viewer once more.

    Without it nobody could tell that the last message is missing, or that the header names another seat.
    """

    count: Annotated[int, Meta(ge=0)]
    head: Chain
    viewer: str


class Archive(Struct, frozen=True):
    """The valid commits of a match in order, with the secrets that `viewer` may open."""

    viewer: Viewer
    messages: tuple[Message, ...]


class Parts(Struct, frozen=True, kw_only=True):
    """A file cut into its parts; `flaw` says what ended the reading, where something did."""

    viewer: Viewer
    messages: tuple[bytes, ...] = ()
    trailer: Trailer | None = None
    flaw: BadArchive | None = None


# --- viewers -----------------------------------------------------------------------------------------------------


def viewer_text(viewer: Viewer) -> str:
    """A viewer as he is written: `auditor`, `rail`, `seat.0`."""
    return viewer if isinstance(viewer, str) else f"seat.{viewer}"


_VIEWERS: dict[str, Viewer] = {viewer_text(viewer): viewer for viewer in ("auditor", "rail", *range(16))}


def viewer_of(text: str) -> Viewer:
    """The viewer that a text names. Raises ValueError."""
    if text not in _VIEWERS:
        raise ValueError(f"no viewer {text!r}: it is auditor, rail or seat.N")
    return _VIEWERS[text]


# --- writing -----------------------------------------------------------------------------------------------------


def export(archive: Archive, viewer: Viewer) -> PublicBytes:
    """The file for one viewer: every secret addressed to him or opened by a later HandRevealed, at its own commit.

    Raises ValueError where the archive does not hold what this viewer may see.
    """
    if archive.viewer not in (viewer, "auditor"):
        raise ValueError(f"a file of {viewer_text(archive.viewer)} cannot tell what {viewer_text(viewer)} may see")
    text = viewer_text(viewer)
    head = archive.messages[-1].chain if archive.messages else NO_CHAIN
    return PublicBytes(
        b"".join(
            (
                msgspec.msgpack.encode(Header(format=FORMAT, viewer=text)),
                *_messages_for(archive, viewer),
                msgspec.msgpack.encode(Trailer(len(archive.messages), head, text)),
            )
        )
    )


def _messages_for(archive: Archive, viewer: Viewer) -> Iterator[PublicBytes]:
    revealed = [
        range(event.first, event.last + 1)
        for message in archive.messages
        for event in message.commit.events
        if isinstance(event, HandRevealed)
    ]
    for message in archive.messages:
        secrets = message.secrets
        if viewer != archive.viewer and not any(message.commit.index in commits for commits in revealed):
            secrets = tuple(secret for secret in secrets if may_open(secret.audience, viewer))
        yield to_file(message, viewer, secrets)


# --- reading -----------------------------------------------------------------------------------------------------


def read(data: bytes) -> Archive:
    """Read a file strictly: complete, and each message in its canonical form. Raises BadArchive and NeedsNewer.

    Whether what it says is true is the audit's question.
    """
    parts = split(data)
    if parts.flaw is not None:
        raise parts.flaw
    messages: list[Message] = []
    head = NO_CHAIN
    for index, message in enumerate(parts.messages, 1):
        try:
            messages.append(from_file(message, parts.viewer))
        except BadMessage as error:
            raise BadArchive(index, str(error)) from None
        commit = messages[-1].commit
        if (commit.index, commit.prev) != (index, head):
            raise BadArchive(index, "it does not follow the commit before")
        head = messages[-1].chain
    if parts.trailer != Trailer(len(messages), head, viewer_text(parts.viewer)):
        raise BadArchive(len(messages) + 1, "the trailer tells of another end")
    return Archive(parts.viewer, tuple(messages))


def split(data: bytes) -> Parts:
    """Cut a file into its parts, up to where it cannot be read on. Never raises."""
    try:
        at = end_of(data, 0)
        header = msgspec.msgpack.decode(data[:at], type=Header)
        viewer = viewer_of(header.viewer)
        if header.format != FORMAT or msgspec.msgpack.encode(header) != data[:at]:
            raise ValueError(f"format {FORMAT} is read, in its canonical form")  # noqa: TRY301 - one place for flaws
    except ValueError as error:
        return Parts(viewer="rail", flaw=BadArchive(0, str(error)))
    messages: list[bytes] = []
    trailer, flaw = None, None
    try:
        while data[at : at + 1] == bytes([ARRAY_OF_THREE]) and data[at + 1] in BYTES:
            end = end_of(data, at)
            messages.append(data[at:end])
            at = end
        trailer = msgspec.msgpack.decode(data[at:], type=Trailer)
        if trailer.viewer != header.viewer:
            flaw = BadArchive(0, "header and trailer name different viewers")
        elif msgspec.msgpack.encode(trailer) != data[at:]:
            flaw = BadArchive(len(messages), "the trailer is not in its canonical form")
    except (ValueError, IndexError):
        flaw = BadArchive(len(messages) + 1, f"neither a message nor the trailer stands at byte {at}")
    return Parts(viewer=viewer, messages=tuple(messages), trailer=trailer, flaw=flaw)


def load(path: Path) -> Archive:
    """Read a log file. Raises OSError, BadArchive and NeedsNewer."""
    return read(path.read_bytes())
