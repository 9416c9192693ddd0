"""The gallery: every viewer gets each commit once, in order, and what he missed comes out the same when he asks."""

import asyncio
import gc
from collections import defaultdict
from typing import NamedTuple

import msgspec
import nats.errors
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.codec import from_frame, from_log, from_synced, to_service
from schemas.commands import Refused, Sync
from schemas.events import SeatLeft, SeatLost
from schemas.log import NO_CHAIN
from schemas.refusals import Code
from schemas.subjects import log_match, sync_subject, view_subject
from schemas.views import Synced, Table
from services.gallery import app as follow
from services.gallery import frames as made
from services.gallery.app import TRIES
from services.gallery.frames import REVEALED_BYTES, SIGN, Shown
from services.gallery.gallery import Gallery
from services.gallery.history import EVERY, PAGE_FRAMES
from services.games import view
from services.games.fold import Fold
from services.games.match import Match, asked
from services.runtime import app
from services.runtime.log import Entry, MemoryLog, Unavailable
from services.simulate import Simulation
from tests.house import SETTINGS, Played, feed, played, run

UNKNOWN = "A" * 26


class Broadcast:
    """What was published, by subject."""

    def __init__(self) -> None:
        self.sent = defaultdict[str, list[bytes]](list)

    async def publish(self, subject: str, data: bytes) -> None:
        """Publish a frame."""
        self.sent[subject].append(data)


@pytest.fixture(scope="module", params=range(len(SETTINGS), 2 * len(SETTINGS)))
def match(request: pytest.FixtureRequest) -> Played:
    """A wild match of each setting."""
    return played(request.param)


class Show(NamedTuple):
    """A match as it was shown: what was published by subject, and what each viewer saw."""

    sent: dict[str, list[bytes]]
    seen: dict[int | None, list[bytes]]


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
        await feed(gallery, entry)
    return broadcast.sent


async def missed(match: Played, seat: int | None, after: int = 0) -> list[bytes]:
    """What a viewer gets who asks again and again while there is more."""
    got: list[bytes] = []
    more = True
    while more:
        answer = await ask(match, seat, Sync(after=after + len(got), token=token(match, seat)))
        assert isinstance(answer, Synced)
        assert (answer.match, answer.seat) == (match.house.match, seat)
        got += answer.frames
        more = answer.more
    return got


async def seen(match: Played, sent: dict[str, list[bytes]], seat: int | None) -> list[bytes]:
    """What a viewer sees: what was published to him, and where that is a sign, what he asks for."""
    pairs = zip(sent[view_subject(match.house.match, seat)], await missed(match, seat), strict=True)
    return [asked_for if data == SIGN else data for data, asked_for in pairs]


@pytest.fixture(scope="module")
def show(match: Played) -> Show:
    """The match, published once for all tests of it."""

    async def whole() -> Show:
        sent = await published(match, match.entries)
        return Show(sent, {seat: await seen(match, sent, seat) for seat in seats(match)})

    return asyncio.run(whole())


def folds(match: Played) -> int:
    """How many folds of the match there are in this process."""
    return sum(isinstance(each, Fold) and each.match == match.house.match for each in gc.get_objects())


async def test_of_a_match_that_is_over_nothing_is_kept_and_no_frame_is_published_twice() -> None:
    """Nor where somebody had asked for frames; messages that come again are known."""
    match, broadcast = played(0), Broadcast()
    before = folds(match)
    gallery = Gallery(match.house.log, broadcast.publish)
    for entry in match.entries[:-1]:
        await feed(gallery, entry)
    await gallery.answer(sync_subject(match.house.match, None), to_service(Sync()))
    assert folds(match) == before + 2
    await feed(gallery, match.entries[-1])
    assert folds(match) == before
    for entry in match.entries:
        await feed(gallery, entry)
    assert folds(match) == before
    assert len(broadcast.sent[view_subject(match.house.match, None)]) == len(match.entries)


async def ask(match: Played, seat: int | None, sync: Sync, log: MemoryLog | None = None) -> Synced | Refused:
    """What a gallery answers to a sync that has shown nothing yet."""
    gallery = Gallery(log or match.house.log, Broadcast().publish)
    return from_synced(await gallery.answer(sync_subject(match.house.match, seat), to_service(sync)))


def test_every_viewer_gets_one_frame_for_each_commit_in_order(match: Played, show: Show) -> None:
    assert set(show.sent) == {view_subject(match.house.match, seat) for seat in seats(match)}
    for seat, data in show.seen.items():
        frames = [from_frame(each)[0] for each in data]
        assert [frame.index for frame in frames] == list(range(1, len(match.entries) + 1))
        assert {(frame.match, frame.seat) for frame in frames} == {(match.house.match, seat)}


def test_every_viewer_can_check_the_chain(match: Played, show: Show) -> None:
    """The public part is that of the log, byte for byte, and names the one before it."""
    for frames in show.seen.values():
        head = NO_CHAIN
        for data, message in zip(frames, match.messages, strict=True):
            frame, shown = from_frame(data)
            assert frame.public == message.public
            assert shown.commit.prev == head
            head = shown.chain


def test_a_seat_is_told_when_it_is_waited_for_and_what_it_may_do(match: Played, show: Show) -> None:
    for seat, frames in show.seen.items():
        for data, state in zip(frames, match.states, strict=True):
            frame, _ = from_frame(data)
            assert frame.waited == (seat is not None and seat in asked(state))
            assert not (seat is None and (frame.legal.choices or frame.legal.also))


async def test_all_that_was_missed_is_the_same_as_what_was_published(match: Played, show: Show) -> None:
    """Asked for again and again while there is more; from the beginning, from the middle, and from the end."""
    for seat, frames in show.seen.items():
        for after in (0, len(frames) // 2, len(frames)):
            assert await missed(match, seat, after) == frames[after:]


def test_where_somebody_held_the_seat_before_nothing_but_a_sign_is_published(match: Played, show: Show) -> None:
    """He may still listen there, and a sync takes the token of the seat's holder."""
    inherited = set[int]()
    for number, message in enumerate(match.messages):
        for event in message.commit.events:
            if isinstance(event, SeatLost) or (isinstance(event, SeatLeft) and event.free):
                inherited.add(event.seat)
        for seat in seats(match):
            assert (show.sent[view_subject(match.house.match, seat)][number] == SIGN) == (seat in inherited)


async def test_a_gallery_that_begins_in_the_middle_goes_on_as_one_that_saw_it_all(match: Played, show: Show) -> None:
    middle = min(20, len(match.entries) // 2)
    rest = await published(match, match.entries[middle:])
    assert rest == {subject: frames[middle:] for subject, frames in show.sent.items()}


async def test_a_message_that_comes_again_is_shown_once() -> None:
    match = played(0)
    twice = tuple(entry for pair in zip(match.entries, match.entries, strict=True) for entry in pair)
    assert await published(match, twice) == await published(match, match.entries)


async def test_a_message_that_is_no_valid_commit_is_not_shown() -> None:
    match = played(0)
    log, broadcast = await copied(match.entries[:10]), Broadcast()
    gallery, last = Gallery(log, broadcast.publish), match.entries[9]
    for entry in await log.read(match.house.match):
        await feed(gallery, entry)
    for data in (b"", b"nonsense", last.data):
        sequence = await log.append(last.subject, data, expected=(await log.read(match.house.match))[-1].sequence)
        await feed(gallery, Entry(sequence, last.subject, data))
    assert {len(frames) for frames in broadcast.sent.values()} == {10}


FIRST = played(1).entries[:1]
LATER = played(0).entries[:12]


async def copied(entries: tuple[Entry, ...]) -> MemoryLog:
    """A log that holds these messages, which may be of several matches."""
    log, last = MemoryLog(), defaultdict[str, int](int)
    for entry in entries:
        match = log_match(entry.subject)
        last[match] = await log.append(entry.subject, entry.data, expected=last[match])
    return log


async def stored() -> tuple[MemoryLog, list[Entry]]:
    """A log that begins with a commit of another match, and what it holds."""
    log = await copied((*FIRST, *LATER))
    return log, [entry for each in (FIRST[0], LATER[0]) for entry in await log.read(log_match(each.subject))]


def complete(broadcast: Broadcast) -> bool:
    """Whether every viewer was sent each commit once, in order."""
    match = played(0)
    indices = {
        subject: [from_frame(data)[0].index for data in frames]
        for subject, frames in broadcast.sent.items()
        if log_match(subject) == match.house.match
    }
    every = list(range(1, len(LATER) + 1))
    return indices == {view_subject(match.house.match, seat): every for seat in seats(match)}


@given(st.lists(st.lists(st.integers(1, len(LATER)), max_size=4), max_size=len(LATER)))
def test_deliveries_lost_late_repeated_or_out_of_order_neither_lose_nor_repeat_frames(order: list[list[int]]) -> None:
    """Whatever comes first or together, with the last commit every viewer has got each once, in order."""

    async def deliver() -> Broadcast:
        broadcast = Broadcast()
        log, entries = await stored()
        gallery = Gallery(log, broadcast.publish)
        for together in ([0], *order, [len(LATER)], *order):
            await feed(gallery, *[entries[place] for place in together])
        return broadcast

    assert complete(run(deliver()))


@given(st.lists(st.booleans(), max_size=60), st.permutations(range(1, len(LATER) + 1)))
def test_frames_that_could_not_be_published_are_published_before_all_later_ones(
    failures: list[bool], order: list[int]
) -> None:
    """A commit some of whose frames were not sent comes again after others: none is lost, and none is sent twice."""

    async def deliver() -> Broadcast:
        broadcast, bad = Broadcast(), iter(failures)

        async def publish(subject: str, data: bytes) -> None:
            if next(bad, False):
                raise ConnectionError
            await broadcast.publish(subject, data)

        log, entries = await stored()
        gallery = Gallery(log, publish)
        waiting = [0, *order]
        while waiting:
            place = waiting.pop(0)
            try:
                await feed(gallery, entries[place])
            except ConnectionError:
                waiting.append(place) if place else waiting.insert(0, place)
        return broadcast

    assert complete(run(deliver()))


class Halting(Broadcast):
    """One that takes no frame while it is halted."""

    halted = False

    async def publish(self, subject: str, data: bytes) -> None:
        """See Broadcast."""
        if self.halted:
            raise nats.errors.OutboundBufferLimitError
        await super().publish(subject, data)


async def test_what_could_not_go_out_is_told_and_goes_out_before_all_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "PATIENCE", 0.0)
    broadcast = Halting()
    log, entries = await stored()
    gallery = Gallery(log, broadcast.publish)
    for broadcast.halted, some in ((False, entries[:3]), (True, entries[3:7]), (False, entries[7:])):
        for entry in some:
            await gallery.take(entry)
        assert await follow.publish(gallery) is not broadcast.halted
    assert complete(broadcast)


async def test_what_was_left_when_another_gallery_was_served_does_not_go_out_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was shown by the other one, or is shown anew from the log."""
    monkeypatch.setattr(app, "PATIENCE", 0.0)
    broadcast = Halting()
    log, entries = await stored()
    gallery = Gallery(log, broadcast.publish)
    await feed(gallery, *entries[:3])
    broadcast.halted = True
    await gallery.take(entries[3])
    assert not await follow.publish(gallery)
    await gallery.take(entries[4])
    gallery.forget_all(entries[4].sequence)
    broadcast.halted = False
    await feed(gallery, *entries[5:])
    rail = broadcast.sent[view_subject(played(0).house.match, None)]
    shown = [from_log(entry.data).commit.index for entry in (*entries[1:3], *entries[5:])]
    assert [from_frame(data)[0].index for data in rail] == shown


async def test_what_came_before_a_match_that_cannot_be_read_goes_out_without_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out: list[int] = []
    broadcast = Broadcast()

    async def sleep(_: float) -> None:
        out.append(len(broadcast.sent))

    monkeypatch.setattr(asyncio, "sleep", sleep)

    class Unreadable(MemoryLog):
        async def read(self, match: str, after: int = 0) -> list[Entry]:
            raise Unavailable(match)

    gallery, stuck = Gallery(Unreadable(), broadcast.publish), set[str]()
    await follow.take(gallery, FIRST[0], stuck)
    await follow.take(gallery, LATER[1], stuck)
    assert out == [len(seats(played(1)))] * (TRIES - 1)


async def test_a_commit_that_has_no_frames_is_passed_over_and_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Of its match, or of another that is shown together with it."""
    log, entries = await stored()
    [bad] = [entry for entry in entries if from_log(entry.data).commit.index == 5]

    def table(match: Match) -> Table:
        if match.index == 5:
            raise ValueError("of no shape")
        return view.table(match)

    monkeypatch.setattr(made, "table", table)
    broadcast = Broadcast()
    await feed(Gallery(log, broadcast.publish), *entries)
    rails = {subject: len(sent) for subject, sent in broadcast.sent.items() if subject.endswith("rail")}
    assert rails == {
        view_subject(log_match(FIRST[0].subject), None): 1,
        view_subject(log_match(bad.subject), None): len(LATER) - 1,
    }
    assert "of no shape" not in caplog.text


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
        await feed(gallery, entry)
    for match in matches:
        expected = await published(match, match.entries[:30])
        assert {subject: broadcast.sent[subject] for subject in expected} == expected


# --- what was missed ---------------------------------------------------------------------------------------------


class Counted(MemoryLog):
    """A log that counts the messages that were read from it."""

    count = 0

    async def read(self, match: str, after: int = 0) -> list[Entry]:
        """See EventLog."""
        entries = await super().read(match, after)
        self.count += len(entries)
        return entries

    async def page(self, match: str, after: int, count: int) -> list[Entry]:
        """See EventLog."""
        entries = (await super().read(match, after))[:count]
        self.count += len(entries)
        return entries


async def test_a_viewer_costs_about_what_he_has_missed_and_nothing_where_he_has_all() -> None:
    """Whoever asks, and wherever he stands: the match is followed once, and then from the last mark before him."""
    match = played(0)
    log, last = Counted(), 0
    for entry in match.entries:
        last = await log.append(entry.subject, entry.data, expected=last)
    gallery = Gallery(log, Broadcast().publish)
    whole = await published(match, match.entries)

    async def cost(seat: int | None, after: int) -> int:
        before, sync = log.count, Sync(after=after, token=token(match, seat))
        answer = from_synced(await gallery.answer(sync_subject(match.house.match, seat), to_service(sync)))
        assert isinstance(answer, Synced)
        frames = whole[view_subject(match.house.match, seat)][after:]
        assert list(answer.frames) == frames[:PAGE_FRAMES]
        assert answer.more == (len(frames) > PAGE_FRAMES)
        return log.count - before

    head = len(match.entries)
    assert head > EVERY
    assert await cost(None, head) == head
    for seat in seats(match):
        for after in (head, head + 1, 2**50):
            assert await cost(seat, after) == 0
        for after in (head - 1, head - 5, EVERY, EVERY - 1, EVERY + 1, 1, 0):
            assert await cost(seat, after) <= EVERY + min(head - after, PAGE_FRAMES) + EVERY


async def test_a_match_that_goes_on_is_followed_on(match: Played) -> None:
    log, last, got = MemoryLog(), 0, list[bytes]()
    gallery = Gallery(log, Broadcast().publish)
    for entry in match.entries:
        last = await log.append(entry.subject, entry.data, expected=last)
        answer = from_synced(
            await gallery.answer(sync_subject(match.house.match, None), to_service(Sync(after=len(got))))
        )
        assert isinstance(answer, Synced)
        got += answer.frames
    assert got == (await published(match, match.entries))[view_subject(match.house.match, None)]


async def test_questions_about_many_matches_do_not_stop_the_frames_of_those_that_are_followed() -> None:
    """More matches are asked for than are kept."""
    matches = [played(number) for number in range(3)]
    log, broadcast = await copied(tuple(entry for match in matches for entry in match.entries)), Broadcast()
    gallery = Gallery(log, broadcast.publish, matches=1)
    for entry in await log.read(matches[0].house.match):
        await feed(gallery, entry)
        for match in matches:
            await gallery.answer(sync_subject(match.house.match, None), to_service(Sync(after=10**6)))
    assert broadcast.sent == await published(matches[0], matches[0].entries)


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
    assert refused(from_synced(await gallery.answer(subject, to_service(Sync())))) == Code.BAD_MESSAGE


@pytest.mark.parametrize("data", [b"", b"\xc1", *map(msgspec.msgpack.encode, ([1], {"after": "x"}, {"after": -1}))])
async def test_garbage_is_refused(data: bytes) -> None:
    gallery = Gallery(MemoryLog(), Broadcast().publish)
    assert refused(from_synced(await gallery.answer(sync_subject(UNKNOWN, None), data))) == Code.BAD_MESSAGE


async def test_a_log_that_cannot_be_read_is_told_to_the_viewer() -> None:
    class Closed(MemoryLog):
        async def read(self, match: str, after: int = 0) -> list[Entry]:
            raise Unavailable(match)

    assert refused(await ask(played(0), None, Sync(), Closed())) == Code.UNAVAILABLE


async def test_of_a_long_match_that_reveals_at_its_end_the_last_frame_shows_the_last_secrets_that_it_holds() -> None:
    """All of them would be more than the server takes, and no viewer would see the end."""
    match = Simulation("bluff", {}, seats=4, seed=bytes(32))
    shown = Shown(match.match)
    steps = [step for entry in await match.run() if (step := shown.follow(*entry))]
    data = steps[-1].frame("rail")
    assert REVEALED_BYTES * 0.9 < len(data) < REVEALED_BYTES * 1.1
    frame, _ = from_frame(data)
    secrets = [(s.message.commit.index, each.slot, each.salt) for s in steps for each in s.message.secrets]
    opened = [(each.index, each.slot, each.salt) for each in frame.revealed]
    assert opened == secrets[-len(opened) :]
    assert 0 < len(opened) < len(secrets)


async def test_a_match_that_cannot_be_read_keeps_others_waiting_once_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first commit is tried again in vain; of those after it each is tried once, until one can be shown."""

    class Unreadable(MemoryLog):
        tries = 0
        is_away = True

        async def read(self, match: str, after: int = 0) -> list[Entry]:
            self.tries += 1
            if self.is_away:
                raise Unavailable(match)
            return await super().read(match, after)

    monkeypatch.setattr(app, "PATIENCE", 0.0)
    log, stuck, broadcast = Unreadable(), set[str](), Broadcast()
    match = played(0)
    sequences = [await log.append(entry.subject, entry.data, expected=n) for n, entry in enumerate(match.entries)]
    gallery = Gallery(log, broadcast.publish)
    tries: list[int] = []
    for number in (1, 2, 3):
        entry = match.entries[number]
        log.is_away = number < 3
        await follow.take(gallery, Entry(sequences[number], entry.subject, entry.data), stuck)
        tries.append(log.tries)
    assert await follow.publish(gallery)
    assert tries == [TRIES, TRIES + 1, TRIES + 2]
    assert stuck == set()
    assert len(broadcast.sent[view_subject(match.house.match, None)]) == 3
