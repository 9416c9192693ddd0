"""A log folded commit by commit. A message that is not the valid next commit is passed over, by every fold alike."""

from msgspec import Struct

from schemas.cards import Seat
from schemas.codec import BadMessage, Message, NeedsNewer, from_log
from schemas.events import MatchOpened
from schemas.log import NO_CHAIN, Commit, acting, role_due
from schemas.subjects import log_subject
from services.games import GAMES
from services.games.match import Match, begin, due, evolve


class NotValid(ValueError):
    """The message is not the valid next commit of this log; the text says why."""


class Done(Struct, frozen=True):
    """Where the commit of a cause stands, and the seat that acted or was given."""

    index: int
    seat: Seat | None


class Fold:
    """A match's log, folded up to stream sequence number `sequence`.

    Attributes:
        state: the match; None before its first commit.
        head: chain value of the last valid commit.
        sequence: stream sequence number of the last message seen, valid or not: what an append must expect.
        causes: what each cause has brought about, so that a retry is answered as the first try was.
    """

    def __init__(self, match: str) -> None:
        self.match = match
        self.reset()

    def reset(self) -> None:
        """Back to the beginning of the log."""
        self.state: Match | None = None
        self.head = NO_CHAIN
        self.sequence = 0
        self.causes: dict[bytes, Done] = {}

    @property
    def index(self) -> int:
        """Index of the last valid commit; 0 before the first."""
        return self.state.index if self.state else 0

    def take(self, sequence: int, subject: str, data: bytes) -> Message:
        """Take the next message, and go past it also where it is not valid.

        Raises BadMessage and NotValid where it is passed over, NeedsNewer where the fold stays before it.
        """
        try:
            message = from_log(data)
            after = self.check(message.commit, subject)
        except (BadMessage, NotValid):
            self.sequence = sequence
            raise
        self.sequence = sequence
        self.advance(message, after)
        return message

    def apply(self, sequence: int, subject: str, data: bytes) -> Message | None:
        """Take the next message; None where it is passed over. Raises NeedsNewer."""
        try:
            return self.take(sequence, subject, data)
        except (BadMessage, NotValid):
            return None

    def follow(self, sequence: int, subject: str, data: bytes) -> Message | None:
        """Take a message if it is the valid next commit; None where it is not, and nothing has changed.

        Others may lie between that this fold has not seen, so what does not fit is not passed over. Raises NeedsNewer.
        """
        before = self.sequence
        message = self.apply(sequence, subject, data)
        if message is None:
            self.sequence = before
        return message

    def check(self, commit: Commit, subject: str | None = None) -> Match:
        """The match after this commit, which came on `subject` where that is known.

        Raises NotValid if it may not be the next one, NeedsNewer for rules that are newer than ours.
        """
        after = self._after(commit)
        if subject is not None and subject != log_subject(self.match, commit.by, due(after)):
            raise NotValid("on another subject than it belongs")
        return after

    def _after(self, commit: Commit) -> Match:
        if commit.match != self.match:
            raise NotValid(f"a commit of match {commit.match}")
        if commit.index != self.index + 1:
            raise NotValid(f"index {commit.index} where {self.index + 1} is next")
        if commit.prev != self.head:
            raise NotValid("prev is not the chain value of the commit before")
        if self.state is None:
            return evolve(_opened(commit), commit)
        after = evolve(self.state, commit)
        before = due(self.state)
        if commit.by != role_due(before) and not (commit.by == "referee" and (after.closed or due(after) == before)):
            raise NotValid(f"written by the {commit.by} while {before} is due")
        return after

    def advance(self, message: Message, after: Match) -> None:
        """Go on to the state that `check` has found."""
        self.state = after
        self.head = message.chain
        self.causes[message.commit.cause] = Done(after.index, acting(message.commit)[0])


def _opened(commit: Commit) -> Match:
    match commit.by, commit.events:
        case "referee", (MatchOpened() as opened,):
            pass
        case _:
            raise NotValid("a log begins with the referee opening the match")
    if opened.game not in GAMES or opened.rules > GAMES[opened.game].version:
        raise NeedsNewer(f"{opened.game} rules {opened.rules}")
    if unknown := opened.options.keys() - set(GAMES[opened.game].options.__struct_fields__):
        raise NeedsNewer(f"{opened.game} options {', '.join(sorted(unknown))}")
    try:
        return begin(commit.match, opened)
    except ValueError as error:
        raise NotValid(f"not a match that can be opened: {error}") from None
