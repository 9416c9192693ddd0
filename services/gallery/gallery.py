"""The gallery at work: frames for what comes in on the log, and answers to viewers who missed some."""

from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import TypeVar

from schemas import commands
from schemas.cards import Seat
from schemas.codec import BadMessage, NeedsNewer, PublicBytes, from_player, to_reply
from schemas.commands import Ask, Sync
from schemas.refusals import Code
from schemas.subjects import is_match_id, log_match, seat_of, view_subject
from schemas.views import Listed, Synced
from services.gallery.frames import Shown, Step
from services.gallery.history import History
from services.games.game import Refused
from services.games.match import Match, holds, key_of
from services.games.view import legal, page, readings
from services.runtime.log import Entry, EventLog, Unavailable
from services.runtime.logging import fault
from services.runtime.mailbox import PER_MATCH, PER_SENDER, Mailboxes

T = TypeVar("T")

Publish = Callable[[str, bytes], Awaitable[None]]

ENDED = 10_000
"""Of so many matches that are over it is remembered up to where they were shown."""

OF_THE_RAIL = PER_MATCH // 2
"""How many questions of spectators may wait, who all ask on one subject; what is left is for seats."""


class Following:
    """A match whose frames are published.

    Attributes:
        upto: sequence number up to which all that is stored was taken in.
        subjects: on which each viewer listens, the seats in their order and then the rail; none before the first frame.
    """

    def __init__(self, match: str, upto: int) -> None:
        self.shown = Shown(match)
        self.upto = upto
        self.subjects: list[str] = []

    def frames(self, step: Step) -> Iterable[tuple[str, bytes]]:
        """The frames of one of its commits, each with the subject it goes out on."""
        if not self.subjects:
            viewers = (*range(len(step.state.holders)), None)
            self.subjects = [view_subject(self.shown.fold.match, viewer) for viewer in viewers]
        return zip(self.subjects, step.published(), strict=True)


class Gallery:
    """Publishes the frames of all matches of a log, whose messages are given to it, and answers who missed some.

    Messages may come late, more than once and in any order: frames go out once and in the order of the log. Of a
    match that is not followed all is taken for shown that was stored before what this gallery was given first.

    Args:
        log: where is read what was not given, or not in order, and what viewers have missed.
        publish: sends a frame on a subject.
        matches: how many matches are kept in memory.
    """

    def __init__(self, log: EventLog, publish: Publish, *, matches: int = 1000) -> None:
        self._log = log
        self._publish = publish
        self._limit = matches
        self._following: OrderedDict[str, Following] = OrderedDict()
        self._ended: OrderedDict[str, int] = OrderedDict()  # up to where matches were taken in that are over
        self._steps: list[tuple[Following, Step]] = []  # what was taken in, and has no frames yet
        self._left: deque[tuple[str, bytes]] = deque()  # the frames that have not gone out yet
        self._asked: OrderedDict[str, History] = OrderedDict()
        self._floor: int | None = None
        self._mailboxes = Mailboxes()

    async def take(self, entry: Entry) -> None:
        """Take a message in, and before it what was stored before it and not taken in yet.

        Raises NeedsNewer and Unavailable.
        """
        match = log_match(entry.subject)
        if entry.sequence <= self._ended.get(match, 0):
            return
        following = self._followed(match, entry.sequence)
        if entry.sequence <= following.upto:
            return
        shown = following.shown
        if (step := shown.take(*entry)) is not None:
            self._steps.append((following, step))
        else:
            for each in await self._log.read(shown.fold.match, shown.fold.sequence):
                if each.sequence > entry.sequence:
                    break
                if (step := shown.follow(*each)) is not None and each.sequence > following.upto:
                    self._steps.append((following, step))
        following.upto = entry.sequence
        if shown.is_over:
            self._end(match, following)

    async def publish(self) -> None:
        """Publish the frames of all that was taken in. A commit that has none is passed over.

        Where a frame cannot be published it is first in turn the next time. Raises what the gallery's `publish` raises.
        """
        # All tables before all frames: who does one thing many times does it a fifth faster.
        steps, self._steps = self._steps, []
        with suppress(Exception):  # it fails again below, and is told there
            for _, step in steps:
                step.lay()
        for following, step in steps:
            try:
                self._left.extend(following.frames(step))
            except Exception as error:  # noqa: BLE001 - it is logged without its words, which may hold what is hidden
                fault("commit not shown", error, match=step.message.commit.match)
        while self._left:
            await self._publish(*self._left[0])
            self._left.popleft()

    def _followed(self, match: str, sequence: int) -> Following:
        """The match as followed so far, from the floor on if it was not in memory."""
        if (following := self._following.get(match)) is not None:
            self._following.move_to_end(match)
            return following
        if self._floor is None:
            self._floor = sequence - 1
        following = Following(match, max(self._floor, self._ended.get(match, 0)))
        for dropped in _keep(self._following, match, following, self._limit):
            self._floor = max(self._floor, dropped.upto)  # else its frames would be shown again
        return following

    def _end(self, match: str, following: Following) -> None:
        """Of a match that is over no more is kept than where it ended; who still asks has it read again."""
        del self._following[match]
        self._asked.pop(match, None)
        for upto in _keep(self._ended, match, following.upto, ENDED):
            self._floor = max(self._floor or 0, upto)

    def forget_all(self, floor: int) -> None:
        """Follow every match anew from its log, since others have published meanwhile; all up to `floor` was shown."""
        self._following.clear()
        self._ended.clear()
        self._asked.clear()
        self._steps.clear()
        self._left.clear()
        self._floor = floor

    async def answer(self, subject: str, data: bytes) -> PublicBytes:
        """The encoded answer to who asks for frames (Synced), or for what his seat may do (Listed), or Refused."""
        match, seat = None, None
        try:
            match, seat, question = _address(subject)
            with self._mailboxes.place(match, subject, OF_THE_RAIL if seat is None else PER_SENDER):
                if question == "sync" or seat is None:
                    return to_reply(await self._missed(match, seat, from_player(data, Sync)))
                return to_reply(await self._legal(match, seat, from_player(data, Ask)))
        except BadMessage as error:
            refusal = commands.Refused(code=Code.BAD_MESSAGE, match=match, seat=seat, detail=str(error))
        except Refused as refused:
            refusal = commands.Refused(code=refused.code, match=match, seat=seat, detail=refused.detail)
        except (Unavailable, NeedsNewer):
            refusal = commands.Refused(code=Code.UNAVAILABLE, match=match, seat=seat)
        return to_reply(refusal)

    async def _missed(self, match: str, seat: Seat | None, sync: Sync) -> Synced:
        """The frames after an index, as they were when their commits came, as many as one answer carries."""
        history = await self._history(match)
        _admit(history.state, seat, sync.token)
        _keep(self._asked, match, history, self._limit)
        frames, more = await history.missed(sync.after, "rail" if seat is None else seat)
        return Synced(match=match, seat=seat, frames=frames, more=more)

    async def _legal(self, match: str, seat: Seat, ask: Ask) -> Listed:
        """A page of what the seat may do, or what its action may be sent as."""
        history = await self._history(match)
        state = _admit(history.state, seat, ask.token)
        _keep(self._asked, match, history, self._limit)
        if ask.action is None:
            found = page(legal(state, seat), ask.kind, ask.after)
        else:
            found = readings(state, seat, ask.action)
        return Listed(match=match, seat=seat, index=state.index, legal=found)

    async def _history(self, match: str) -> History:
        history = self._asked.get(match) or History(match, self._log)
        await history.go_on()
        return history


def _keep(kept: OrderedDict[str, T], match: str, value: T, limit: int) -> list[T]:
    """Keep what belongs to a match; what belonged to those that nobody has needed for longest goes, and is returned."""
    kept[match] = value
    kept.move_to_end(match)
    return [kept.popitem(last=False)[1] for _ in range(len(kept) - limit)]


def _address(subject: str) -> tuple[str, Seat | None, str]:
    """The match and the seat (None: the rail) that a question's subject names, and what is asked."""
    match subject.split("."):
        case ["view", match, "rail", "sync"] if is_match_id(match):
            return match, None, "sync"
        case ["view", match, "seat", text, "sync" | "legal" as question] if is_match_id(match) and (
            (seat := seat_of(text)) is not None
        ):
            return match, seat, question
        case _:
            raise Refused(Code.BAD_MESSAGE, "one asks on view.<match>.rail.sync, view.<match>.seat.<n>.sync or .legal")


def _admit(match: Match | None, seat: Seat | None, token: bytes) -> Match:
    """The match, where the viewer is who he says. Raises Refused: no_such_match, bad_token."""
    if match is None:
        raise Refused(Code.NO_SUCH_MATCH)
    if seat is not None and not holds(match, seat, key_of(token)):
        raise Refused(Code.BAD_TOKEN, "the token is not the one of this seat")
    return match
