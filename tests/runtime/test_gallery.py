"""The gallery: every viewer gets each commit once, in order, and what he missed comes out the same when he asks."""

from collections import defaultdict

import msgspec
import pytest

from schemas.codec import from_frame, from_synced, to_service
from schemas.commands import Refused, Sync
from schemas.log import NO_CHAIN
from schemas.refusals import Code
from schemas.subjects import sync_subject, view_subject
from schemas.views import Synced
from services.gallery.gallery import Gallery
from services.games.match import asked
from services.runtime.log import Entry, MemoryLog, Unavailable
from tests.house import SETTINGS, Played, played

UNKNOWN = "A" * 26


class Broadcast:
    """What was published, by subject."""

    def __init__(self) -> None:
        self.sent = defaultdict[str, list[bytes]](list)

    async def publish(self, subject: str, data: bytes) -> None:
        """Publish a frame."""
        self.sent[subject].append(data)


@pytest.fixture(params=range(len(SETTINGS), 2 * len(SETTINGS)))
def match(request: pytest.FixtureRequest) -> Played:
    """A wild match of each setting."""
    return played(request.param)


def seats(match: Played) -> list[int | None]:
    """All viewers; None is the rail."""
    return [*range(match.setting.seats), None]


def token(match: Played, seat: int | None) -> bytes:
    """What proves a viewer to be who he is."""
    return b"" if seat is None else match.house.players[seat].token


async def published(match: Played, entries: tuple[Entry, ...]) -> dict[str, list[bytes]]:
    """What a gallery publishes that is given these messages."""
    broadcast = Broadcast()
    gallery = Gallery(match.house.log, broadcast.publish)
    for entry in entries:
        await gallery.show(entry)
    return broadcast.sent


async def ask(match: Played, seat: int | None, sync: Sync, log: MemoryLog | None = None) -> Synced | Refused:
    """What a gallery answers to a sync that has shown nothing yet."""
    gallery = Gallery(log or match.house.log, Broadcast().publish)
    return from_synced(await gallery.sync(sync_subject(match.house.match, seat), to_service(sync)))


async def test_every_viewer_gets_one_frame_for_each_commit_in_order(match: Played) -> None:
    sent = await published(match, match.entries)
    assert set(sent) == {view_subject(match.house.match, seat) for seat in seats(match)}
    for seat in seats(match):
        frames = [from_frame(data)[0] for data in sent[view_subject(match.house.match, seat)]]
        assert [frame.index for frame in frames] == list(range(1, len(match.entries) + 1))
        assert {(frame.match, frame.seat) for frame in frames} == {(match.house.match, seat)}


async def test_every_viewer_can_check_the_chain(match: Played) -> None:
    """The public part is that of the log, byte for byte, and names the one before it."""
    sent = await published(match, match.entries)
    for seat in seats(match):
        head = NO_CHAIN
        for data, message in zip(sent[view_subject(match.house.match, seat)], match.messages, strict=True):
            frame, seen = from_frame(data)
            assert frame.public == message.public
            assert seen.commit.prev == head
            head = seen.chain


async def test_a_seat_is_told_when_it_is_waited_for_and_what_it_may_do(match: Played) -> None:
    sent = await published(match, match.entries)
    for seat in seats(match):
        for data, state in zip(sent[view_subject(match.house.match, seat)], match.states, strict=True):
            frame, _ = from_frame(data)
            assert frame.waited == (seat is not None and seat in asked(state))
            assert not (seat is None and (frame.legal.choices or frame.legal.also))


async def test_all_that_was_missed_is_the_same_as_what_was_published(match: Played) -> None:
    """Asked for again and again while there is more; from the beginning, from the middle, and from the end."""
    sent = await published(match, match.entries)
    for seat in seats(match):
        frames = sent[view_subject(match.house.match, seat)]
        for after in (0, len(frames) // 2, len(frames)):
            got: list[bytes] = []
            more = True
            while more:
                answer = await ask(match, seat, Sync(after=after + len(got), token=token(match, seat)))
                assert isinstance(answer, Synced)
                assert (answer.match, answer.seat) == (match.house.match, seat)
                got += answer.frames
                more = answer.more
            assert got == frames[after:]


async def test_a_gallery_that_begins_in_the_middle_goes_on_as_one_that_saw_it_all(match: Played) -> None:
    whole, rest = await published(match, match.entries), await published(match, match.entries[20:])
    assert rest == {subject: frames[20:] for subject, frames in whole.items()}


async def test_a_message_that_comes_again_is_shown_once() -> None:
    match = played(0)
    twice = tuple(entry for pair in zip(match.entries, match.entries, strict=True) for entry in pair)
    assert await published(match, twice) == await published(match, match.entries)


async def test_a_message_that_is_no_valid_commit_is_not_shown() -> None:
    match = played(0)
    *_, last = match.entries[:10]
    nonsense = [Entry(10**6 + i, last.subject, data) for i, data in enumerate([b"", b"nonsense", last.data])]
    sent = await published(match, (*match.entries[:10], *nonsense))
    assert {len(frames) for frames in sent.values()} == {10}


async def test_more_matches_than_are_kept_are_shown_all_the_same() -> None:
    matches = [played(number) for number in range(3)]
    log, broadcast = MemoryLog(), Broadcast()
    entries: list[Entry] = []
    last = dict.fromkeys((match.house.match for match in matches), 0)
    for row in zip(*(match.entries[:30] for match in matches), strict=True):
        for match, entry in zip(matches, row, strict=True):
            last[match.house.match] = await log.append(entry.subject, entry.data, expected=last[match.house.match])
            entries.append(Entry(last[match.house.match], entry.subject, entry.data))
    gallery = Gallery(log, broadcast.publish, matches=1)
    for entry in entries:
        await gallery.show(entry)
    for match in matches:
        expected = await published(match, match.entries[:30])
        assert {subject: broadcast.sent[subject] for subject in expected} == expected


# --- refusals ----------------------------------------------------------------------------------------------------


def refused(answer: Synced | Refused) -> Code:
    """Why the answer is a refusal."""
    assert isinstance(answer, Refused)
    return answer.code


async def test_a_seats_frames_are_for_its_holder_alone() -> None:
    """Not for another seat's token, not for none, and not at a seat that is not there or not taken."""
    match = played(0)
    for key in (token(match, 1), b"", bytes(32)):
        assert refused(await ask(match, 0, Sync(token=key))) == Code.BAD_TOKEN
    assert refused(await ask(match, match.setting.seats, Sync(token=token(match, 0)))) == Code.BAD_TOKEN
    empty = MemoryLog()
    await empty.append(match.entries[0].subject, match.entries[0].data, expected=0)
    for key in (b"", token(match, 0)):
        assert refused(await ask(match, 0, Sync(token=key), empty)) == Code.BAD_TOKEN


async def test_a_match_that_is_not_there_is_refused() -> None:
    assert refused(await ask(played(0), None, Sync(), MemoryLog())) == Code.NO_SUCH_MATCH


@pytest.mark.parametrize(
    "subject",
    [
        "view",
        "view.short.rail.sync",
        f"view.{UNKNOWN}.seat.sync",
        f"view.{UNKNOWN}.seat.16.sync",
        f"view.{UNKNOWN}.seat.-1.sync",
        f"view.{UNKNOWN}.rail",
        f"view.{UNKNOWN}.seat.٣.sync",
        f"cmd.{UNKNOWN}.rail.sync",
    ],
)
async def test_other_subjects_are_refused(subject: str) -> None:
    gallery = Gallery(MemoryLog(), Broadcast().publish)
    assert refused(from_synced(await gallery.sync(subject, to_service(Sync())))) == Code.BAD_MESSAGE


@pytest.mark.parametrize("data", [b"", b"\xc1", msgspec.msgpack.encode([1]), msgspec.msgpack.encode({"after": "x"})])
async def test_garbage_is_refused(data: bytes) -> None:
    gallery = Gallery(MemoryLog(), Broadcast().publish)
    assert refused(from_synced(await gallery.sync(sync_subject(UNKNOWN, None), data))) == Code.BAD_MESSAGE


async def test_a_log_that_cannot_be_read_is_told_to_the_viewer() -> None:
    class Closed(MemoryLog):
        async def read(self, match: str, after: int = 0) -> list[Entry]:
            raise Unavailable(match)

    assert refused(await ask(played(0), None, Sync(), Closed())) == Code.UNAVAILABLE
