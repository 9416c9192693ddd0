"""From the log to frames: each commit as every viewer may see it. Pure, and without code for any single game."""

from functools import cached_property
from typing import Literal, NamedTuple, cast

from msgspec import Raw

from schemas.cards import Seat
from schemas.codec import Covered, Message, PublicBytes, Secret, to_frame, to_reply
from schemas.events import HandRevealed
from schemas.log import Chain, Commit
from schemas.views import Revealed
from services.games.fold import Fold
from services.games.match import Match, asked, is_over
from services.games.shared.rules import NOTHING
from services.games.view import brief, legal, table

Viewer = Seat | Literal["rail"]

REVEALED_BYTES = 384 * 1024
"""About how much a frame reveals at most: the server takes no message of more than a mebibyte."""

SIGN = b""
"""What is published in the place of a frame: that there is one to be asked for."""


class Mark(NamedTuple):
    """A place in a log from which it can be followed on: the match there, and the secrets not open to all yet."""

    state: Match | None
    head: Chain
    sequence: int
    held: tuple[tuple[int, Secret], ...]


class Shown:
    """A match as the gallery follows it, from a mark or from the beginning."""

    def __init__(self, match: str, mark: Mark | None = None) -> None:
        self.fold = Fold(match)
        self._held: list[tuple[int, Secret]] = []
        if mark is not None:
            self.fold.state, self.fold.head, self.fold.sequence = mark.state, mark.head, mark.sequence
            self._held.extend(mark.held)

    def mark(self) -> Mark:
        """The place that was reached."""
        return Mark(self.fold.state, self.fold.head, self.fold.sequence, tuple(self._held))

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.fold.state is not None and is_over(self.fold.state)

    def follow(self, sequence: int, subject: str, data: bytes) -> "Step | None":
        """Take the next message of the log; None where it is passed over. Raises NeedsNewer."""
        return self._step(self.fold.apply(sequence, subject, data))

    def take(self, sequence: int, subject: str, data: bytes) -> "Step | None":
        """Take a message if it is the valid next commit; None where it is not, and nothing has changed.

        Raises NeedsNewer.
        """
        return self._step(self.fold.follow(sequence, subject, data))

    def _step(self, message: Message | None) -> "Step | None":
        if message is None or self.fold.state is None:
            return None
        self.fold.causes.clear()  # nobody is answered from here, and they are many
        self._held += [(message.commit.index, secret) for secret in message.secrets]
        return Step(message, self.fold.state, self._reveal(message.commit))

    def _reveal(self, commit: Commit) -> tuple[Revealed, ...]:
        opened: tuple[Revealed, ...] = ()
        for event in commit.events:
            if isinstance(event, HandRevealed):
                within = range(event.first, event.last + 1)
                opened += tuple(Revealed(i, s.slot, s.salt, s.value) for i, s in self._held if i in within)
                self._held = [(i, s) for i, s in self._held if i not in within]
        return _last(opened) if opened else ()


def _last(opened: tuple[Revealed, ...]) -> tuple[Revealed, ...]:
    """Encoded once for all viewers; of too many for a frame, as in a long match, as many of the last as it holds."""
    last: list[Raw] = []
    size = 0
    for each in reversed(opened):
        data = to_reply(each)
        size += len(data)
        if size > REVEALED_BYTES:
            break
        last.append(Raw(data))
    return cast(tuple[Revealed, ...], tuple(reversed(last)))


class Step:
    """One commit and the match after it, ready to be shown."""

    def __init__(self, message: Message, state: Match, revealed: tuple[Revealed, ...]) -> None:
        self.message = message
        self.state = state
        self._revealed = revealed

    @cached_property
    def _table(self) -> Covered:
        return Covered(table(self.state))

    def lay(self) -> None:
        """Get the table ready, which all frames show."""
        _ = self._table

    def published(self) -> list[bytes]:
        """What goes out to all who listen as each viewer: the seats in their order, and then the rail.

        It is a sign where one of them may be who held the seat before: a sync brings the frame, and takes the token of
        who holds the seat.
        """
        holders = enumerate(self.state.holders)
        return [*[SIGN if holder.inherited else self.frame(seat) for seat, holder in holders], self.frame("rail")]

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
