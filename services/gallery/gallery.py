"""The gallery at work: frames for what comes in on the log, and answers to viewers who missed some."""

import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from schemas import commands
from schemas.cards import Seat
from schemas.codec import BadMessage, NeedsNewer, PublicBytes, from_player, to_reply, to_viewer
from schemas.commands import Sync
from schemas.refusals import Code
from schemas.subjects import is_match_id, log_match, seat_of, view_subject
from schemas.views import Synced
from services.gallery.frames import Shown
from services.games.game import Refused
from services.games.match import Match
from services.runtime.log import Entry, EventLog, Unavailable

Publish = Callable[[str, bytes], Awaitable[None]]

BATCH_BYTES = 256 * 1024
"""About how much one answer to a sync carries."""


class Gallery:
    """Follows all matches of a log, whose messages are given to it in order.

    Args:
        log: where a match is read from that was not followed from its beginning.
        publish: sends a frame on a subject.
        matches: how many matches are kept in memory.
    """

    def __init__(self, log: EventLog, publish: Publish, *, matches: int = 1000) -> None:
        self._log = log
        self._publish = publish
        self._limit = matches
        self._shown: OrderedDict[str, Shown] = OrderedDict()

    async def show(self, entry: Entry) -> None:
        """Publish the frames of a commit; one that was shown before is not shown again. Raises NeedsNewer."""
        shown = await self._followed(log_match(entry.subject), entry.sequence)
        if entry.sequence <= shown.fold.sequence:
            return
        step = shown.follow(*entry)
        if step is not None:
            for viewer in step.viewers():
                seat = None if viewer == "rail" else viewer
                await self._publish(view_subject(shown.fold.match, seat), step.frame(viewer))

    def forget(self, match: str) -> None:
        """Follow the match anew from its log when its next commit comes."""
        self._shown.pop(match, None)

    def forget_all(self) -> None:
        """Follow every match anew from its log when its next commit comes."""
        self._shown.clear()

    async def sync(self, subject: str, data: bytes) -> PublicBytes:
        """The encoded answer to a viewer who asks for frames: Synced, or Refused."""
        match, seat = None, None
        try:
            match, seat = _address(subject)
            return to_viewer(await self._missed(match, seat, from_player(data, Sync)), "rail")
        except BadMessage as error:
            refusal = commands.Refused(code=Code.BAD_MESSAGE, match=match, seat=seat, detail=str(error))
        except Refused as refused:
            refusal = commands.Refused(code=refused.code, match=match, seat=seat, detail=refused.detail)
        except (Unavailable, NeedsNewer):
            refusal = commands.Refused(code=Code.UNAVAILABLE, match=match, seat=seat)
        return to_reply(refusal)

    async def _missed(self, match: str, seat: Seat | None, sync: Sync) -> Synced:
        """The frames after an index, as they were when their commits came, up to about BATCH_BYTES of them."""
        shown = Shown(match)
        steps = [step for entry in await self._log.read(match) if (step := shown.follow(*entry)) is not None]
        _admit(shown.fold.state, seat, sync)
        missed = [step for step in steps if step.message.commit.index > sync.after]
        frames: list[bytes] = []
        size = 0
        for step in missed:
            if size >= BATCH_BYTES:
                break
            frames.append(step.frame("rail" if seat is None else seat))
            size += len(frames[-1])
        return Synced(match=match, seat=seat, frames=tuple(frames), more=len(frames) < len(missed))

    async def _followed(self, match: str, before: int) -> Shown:
        """The match as followed so far, read from the log up to sequence `before` if it was not in memory."""
        if match not in self._shown:
            shown = Shown(match)
            for entry in await self._log.read(match):
                if entry.sequence < before:
                    shown.follow(*entry)
            self._shown[match] = shown
            while len(self._shown) > self._limit:
                self._shown.popitem(last=False)
        self._shown.move_to_end(match)
        return self._shown[match]


def _address(subject: str) -> tuple[str, Seat | None]:
    """The match and the seat (None: the rail) that a sync's subject names."""
    match subject.split("."):
        case ["view", match, "rail", "sync"] if is_match_id(match):
            return match, None
        case ["view", match, "seat", text, "sync"] if is_match_id(match) and (seat := seat_of(text)) is not None:
            return match, seat
        case _:
            raise Refused(Code.BAD_MESSAGE, "a sync goes to view.<match>.rail.sync or view.<match>.seat.<n>.sync")


def _admit(match: Match | None, seat: Seat | None, sync: Sync) -> None:
    if match is None:
        raise Refused(Code.NO_SUCH_MATCH)
    if seat is None:
        return
    key = match.holders[seat].key if seat < len(match.holders) else b""
    if not hmac.compare_digest(hashlib.sha256(sync.token).digest(), key):
        raise Refused(Code.BAD_TOKEN, "the token is not the one of this seat")
