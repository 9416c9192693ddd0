"""The audit: whether a log is whole, unchanged, and what its rules make of it, told commit by commit."""

from collections.abc import Iterable
from typing import Any, Literal

from replay.archive import Parts, split, viewer_text
from replay.decision import flaws
from replay.fold import Stored
from replay.report import Finding, Kind, Report
from schemas.codec import BadMessage, Message, NeedsNewer, Viewer, false_openings, from_file, from_log
from schemas.events import HandRevealed
from schemas.log import NO_CHAIN, Commit
from schemas.subjects import log_match
from services.games.fold import Fold, NotValid
from services.games.match import Match, is_over, provable
from services.games.view import table


def audit(data: bytes) -> Report:
    """Audit a log file of any viewer, whatever its bytes. Never raises."""
    parts = split(data)
    walk = _Walk(parts.viewer)
    for message in parts.messages:
        walk.follow(message)
    walk.end(parts)
    return walk.report()


def audit_entries(entries: Iterable[Stored]) -> Report:
    """Audit the messages that a stream stores of one match, folded as the services fold them. Never raises."""
    walk = _Walk("auditor")
    for sequence, subject, data in entries:
        if not walk.take(sequence, subject, data):
            break
    if not walk.commits:
        walk.find(1, Kind.FORM, "there is no commit")
    return walk.report()


class _Walk:
    """One pass over a log, commit by commit.

    Attributes:
        index: of the last commit; the next one has the number after it.
        commits: how many were read.
    """

    def __init__(self, viewer: Viewer) -> None:
        self.index = 0
        self.commits = 0
        self._viewer: Viewer = viewer
        self._fold: Fold | None = None
        self._head: bytes | None = NO_CHAIN  # None after a commit whose chain value is not known
        self._sequence: int | None = None
        self._decided = 0
        self._undecided = ""
        self._passed_over = 0
        self._shut: list[int] = []
        self._findings: list[Finding] = []

    def find(self, index: int, kind: Kind, text: str) -> None:
        """Note a finding."""
        self._findings.append(Finding(index=index, kind=kind, text=text, sequence=self._sequence))

    # --- files ---------------------------------------------------------------------------------------------------

    def follow(self, data: bytes) -> None:
        """Go on to the next message of a file. What is out of place is named once, and followed as it stands."""
        self.commits += 1
        try:
            message = from_file(data, self._viewer)
        except BadMessage as error:
            self._skip(Kind.FORM, str(error))
        except NeedsNewer as error:
            self._skip(Kind.NEWER, f"unknown here: {error}")
        else:
            self._link(message.commit)
            self.index = message.commit.index
            self._head = message.chain
            self._look_at(message)
            self._go_on(message)

    def end(self, parts: Parts) -> None:
        """Compare the end of a file with its trailer."""
        if parts.flaw is not None:
            self.find(parts.flaw.index, Kind.FORM, parts.flaw.text)
        elif not parts.messages:
            self.find(1, Kind.FORM, "there is no commit")
        if parts.trailer is None:
            return
        count, read = parts.trailer.count, len(parts.messages)
        if count != read:
            self.find(min(count, read) + 1, Kind.TRAILER, f"{read} commits, where the trailer counts {count}")
        elif self._head not in (None, parts.trailer.head):
            self.find(self.index, Kind.CHAIN, "its content or the trailer was changed")

    def _skip(self, kind: Kind, text: str) -> None:
        self.index += 1
        self._head = None
        self.find(self.index, kind, text)
        self._give_up("cannot be read")

    def _link(self, commit: Commit) -> None:
        expected = self.index + 1
        if self._fold is not None and commit.match != self._fold.match:
            self.find(expected, Kind.MATCH, f"a commit of match {commit.match}")
            self._give_up("belongs to another match")
        if commit.index != expected:
            self.find(expected, Kind.INDEX, f"commit {commit.index} stands where {expected} is next")
            self._give_up("is out of order")
        elif self._head not in (None, commit.prev):
            self.find(max(self.index, 1), Kind.CHAIN, f"its content or prev of commit {expected} was changed")

    def _go_on(self, message: Message) -> None:
        """Decide again, as long as the match is known."""
        if not self._undecided and len(message.secrets) < message.slots:
            self._give_up("holds a secret that this file does not open")
        if self._undecided:
            return
        fold = self._fold
        if fold is None:
            fold = self._fold = Fold(message.commit.match)
        fold.head = message.commit.prev  # a broken link is named already
        try:
            self._decide(fold, message, None)
        except NotValid as error:
            self.find(self.index, Kind.ENTITLEMENT, str(error))
            self._give_up("is not valid where it stands")
        except NeedsNewer as error:
            self.find(self.index, Kind.NEWER, f"unknown here: {error}")
            self._give_up("needs a newer version")

    def _give_up(self, reason: str) -> None:
        self._undecided = self._undecided or f"commit {self.index} {reason}"

    # --- stored messages -----------------------------------------------------------------------------------------

    def take(self, sequence: int, subject: str, data: bytes) -> bool:
        """Take the next stored message, or pass it over; False where only a newer version can go on."""
        self._sequence = sequence
        if self._fold is None:
            self._fold = Fold(log_match(subject))
        fold = self._fold
        try:
            message = from_log(data)
        except BadMessage as error:
            self._pass_over(Kind.FORM, str(error))
            return True
        except NeedsNewer as error:
            return self._stop(str(error))
        try:
            self._decide(fold, message, subject)
        except NotValid as error:
            self._pass_over(_misplaced(fold, message.commit), str(error))
        except NeedsNewer as error:
            return self._stop(str(error))
        else:
            self.index = fold.index
            self.commits += 1
            self._look_at(message)
        return True

    def _pass_over(self, kind: Kind, text: str) -> None:
        self._passed_over += 1
        self.find(self.index + 1, kind, f"passed over: {text}")

    def _stop(self, unknown: str) -> Literal[False]:
        self.find(self.index + 1, Kind.NEWER, f"unknown here: {unknown}")
        self._undecided = f"commit {self.index + 1} needs a newer version"
        return False

    # --- both ----------------------------------------------------------------------------------------------------

    def _decide(self, fold: Fold, message: Message, subject: str | None) -> None:
        """Fold a commit and decide it again. Raises NotValid and NeedsNewer."""
        commit = message.commit
        try:
            after = fold.check(commit, subject)
        except (NotValid, NeedsNewer):
            raise
        except Exception as error:  # noqa: BLE001 - see replay.decision.flaws
            raise NotValid(f"it cannot be folded ({type(error).__name__})") from None
        if commit.cause in fold.causes:
            self.find(commit.index, Kind.CAUSE, f"commit {fold.causes[commit.cause].index} has the same cause")
        for kind, text in flaws(fold.state, message, audiences=self._viewer == "auditor"):
            self.find(commit.index, kind, text)
        self._decided += 1
        fold.advance(message, after)

    def _look_at(self, message: Message) -> None:
        """What can be seen without knowing the match: signature, openings, and what was revealed."""
        index = message.commit.index
        if message.signature:
            self.find(index, Kind.SIGNATURE, "signed, though the match names no keys of roles")
        if message.slots:
            self._check_openings(message)
            if len(message.secrets) < message.slots:
                self._shut.append(index)
        for event in message.commit.events:
            if isinstance(event, HandRevealed):
                self._check_revealed(index, range(event.first, event.last + 1))

    def _check_openings(self, message: Message) -> None:
        try:
            false = false_openings(message)
        except RecursionError:
            self.find(message.commit.index, Kind.FORM, "its values are nested too deeply")
            return
        for slot in false:
            self.find(message.commit.index, Kind.OPENING, f"the secret of {slot} does not open its commitment")

    def _check_revealed(self, by: int, commits: range) -> None:
        for index in self._shut:
            if index in commits:
                self.find(index, Kind.OPENING, f"a secret is missing that commit {by} reveals")

    def report(self) -> Report:
        """The verdict."""
        state = self._fold.state if self._fold else None
        ended, standing = _result(None if self._undecided else state)
        return Report(
            ok=not self._findings,
            match=self._fold.match if self._fold else "",
            game=state.opened.game if state else "",
            viewer=viewer_text(self._viewer),
            commits=self.commits,
            decided=self._decided,
            undecided=self._undecided,
            deal=state.opened.deal if state and (state.deals or not provable(state)) else "",
            passed_over=self._passed_over,
            ended=ended,
            standing=standing,
            findings=tuple(self._findings),
        )


def _misplaced(fold: Fold, commit: Commit) -> Kind:
    if commit.match != fold.match:
        return Kind.MATCH
    if commit.index != fold.index + 1:
        return Kind.INDEX
    return Kind.CHAIN if commit.prev != fold.head else Kind.ENTITLEMENT


def _result(state: Match | None) -> tuple[bool | None, tuple[dict[str, Any], ...]]:
    """Whether the match is over, and the public facts of each seat."""
    if state is None:
        return None, ()
    try:
        return is_over(state), tuple(place.facts for place in table(state).places)
    except Exception:  # noqa: BLE001 - see replay.decision.flaws
        return None, ()
