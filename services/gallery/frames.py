"""From the log to frames: each commit as every viewer may see it. Pure, and without code for any single game."""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from schemas.cards import Seat
from schemas.codec import Message, PublicBytes, Secret, to_frame
from schemas.events import HandRevealed
from schemas.log import Commit
from schemas.views import Revealed, Table
from services.games.fold import Fold
from services.games.match import Match, asked
from services.games.view import NOTHING, brief, legal, table

Viewer = Seat | Literal["rail"]


class Shown:
    """A match as the gallery follows it: the fold, and the secrets that are not open to all yet."""

    def __init__(self, match: str) -> None:
        self.fold = Fold(match)
        self._held: list[tuple[int, Secret]] = []

    def follow(self, sequence: int, subject: str, data: bytes) -> "Step | None":
        """Take the next message of the log; None where it is passed over. Raises NeedsNewer."""
        message = self.fold.apply(sequence, subject, data)
        if message is None or self.fold.state is None:
            return None
        self._held.extend((message.commit.index, secret) for secret in message.secrets)
        return Step(message, self.fold.state, self._reveal(message.commit))

    def _reveal(self, commit: Commit) -> tuple[Revealed, ...]:
        opened: tuple[Revealed, ...] = ()
        for event in commit.events:
            if isinstance(event, HandRevealed):
                within = range(event.first, event.last + 1)
                opened += tuple(Revealed(i, s.slot, s.salt, s.value) for i, s in self._held if i in within)
                self._held = [(i, s) for i, s in self._held if i not in within]
        return opened


class Step:
    """One commit and the match after it, ready to be shown."""

    def __init__(self, message: Message, state: Match, revealed: tuple[Revealed, ...]) -> None:
        self.message = message
        self.state = state
        self._revealed = revealed

    @cached_property
    def _table(self) -> Table:
        return table(self.state)

    def viewers(self) -> Iterator[Viewer]:
        """Everyone who gets a frame."""
        yield from range(len(self.state.holders))
        yield "rail"

    def frame(self, viewer: Viewer) -> PublicBytes:
        """The commit as `viewer` may see it, with the table and what he may do now."""
        return to_frame(
            self.message,
            viewer,
            table=self._table,
            legal=NOTHING if viewer == "rail" else brief(legal(self.state, viewer)),
            waited=viewer != "rail" and viewer in asked(self.state),
            revealed=self._revealed,
        )
