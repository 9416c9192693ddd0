"""Folding what was read: stored messages to an archive, and an archive to the match after any commit."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from replay.archive import Archive
from schemas.codec import BadMessage, Message
from schemas.sealed import StillSealed
from schemas.subjects import log_match
from services.games.fold import Fold, NotValid
from services.games.match import Match

Stored = tuple[int, str, bytes]
"""A message as a stream stores it: sequence number, subject, bytes."""


class PassedOver(Struct, frozen=True):
    """A stored message that is not the valid next commit, and why."""

    sequence: int
    reason: str


def archive_of(entries: Sequence[Stored]) -> tuple[Archive, tuple[PassedOver, ...]]:
    """The archive of a match from its stored messages, and what every fold passes over. Raises NeedsNewer."""
    fold = Fold(log_match(entries[0][1]) if entries else "")
    messages: list[Message] = []
    passed_over: list[PassedOver] = []
    for sequence, subject, data in entries:
        try:
            messages.append(fold.take(sequence, subject, data))
        except (BadMessage, NotValid) as error:
            passed_over.append(PassedOver(sequence, str(error)))
    return Archive("auditor", tuple(messages)), tuple(passed_over)


def fold(messages: Iterable[Message], to: int | None = None) -> Match | None:
    """The match after commit `to`, or after the last; None before the first.

    Raises NotValid and NeedsNewer, and StillSealed at the first commit with a secret that a viewer's file lacks.
    """
    folded: Fold | None = None
    for message in messages:
        index = message.commit.index
        if to is not None and index > to:
            break
        if len(message.secrets) < message.slots:
            raise StillSealed(f"commit {index} holds a secret that this file does not open")
        folded = folded or Fold(message.commit.match)
        folded.advance(message, folded.check(message.commit))
    return folded.state if folded else None
