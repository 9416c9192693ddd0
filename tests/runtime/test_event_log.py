"""The contract of `EventLog`, which the log in memory and the one on JetStream keep alike."""

import asyncio

import pytest

from schemas.log import Due, Role
from schemas.subjects import log_subject
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Conflict, Entry, EventLog, MemoryLog

A, B = "A" * 26, "B" * 26


@pytest.fixture(params=["memory", "jetstream"])
def log(request: pytest.FixtureRequest) -> EventLog:
    """One log of each kind, empty."""
    if request.param == "memory":
        return MemoryLog()
    return JetStreamLog(request.getfixturevalue("client"))


def subject(match: str, *, by: Role = "referee", due: Due = "open") -> str:
    """Where a commit of the match goes."""
    return log_subject(match, by, due)


async def fill(log: EventLog, match: str, number: int) -> list[int]:
    """Append that many messages, which are named by their place; their sequence numbers."""
    sequences = [0]
    for place in range(number):
        sequences.append(await log.append(subject(match), str(place).encode(), expected=sequences[-1]))
    return sequences[1:]


async def try_append(log: EventLog, data: bytes, expected: int, *, due: Due = "open") -> int | None:
    """Append to match A; None where a rival was first."""
    try:
        return await log.append(subject(A, due=due), data, expected=expected)
    except Conflict:
        return None


async def test_a_match_of_which_nothing_is_known_is_empty(log: EventLog) -> None:
    assert await log.read(A) == []


async def test_messages_are_read_in_the_order_in_which_they_were_appended(log: EventLog) -> None:
    sequences = await fill(log, A, 20)
    assert sequences == sorted(set(sequences))
    assert await log.read(A) == [Entry(s, subject(A), str(place).encode()) for place, s in enumerate(sequences)]


@pytest.mark.parametrize("data", [b"", b"\x00\xff\r\n\xc1", bytes(range(256)) * 240], ids=["empty", "binary", "large"])
async def test_bytes_and_subject_come_back_as_they_were(log: EventLog, data: bytes) -> None:
    where = subject(A, by="scorer", due="none")
    sequence = await log.append(where, data, expected=0)
    assert await log.read(A) == [Entry(sequence, where, data)]


async def test_the_first_message_expects_nothing_before_it(log: EventLog) -> None:
    await fill(log, A, 1)
    with pytest.raises(Conflict):
        await log.append(subject(A), b"again", expected=0)
    assert len(await log.read(A)) == 1


async def test_an_expectation_that_is_past_or_made_up_is_a_conflict(log: EventLog) -> None:
    first, second = await fill(log, A, 2)
    for wrong in (first, second + 1):
        with pytest.raises(Conflict):
            await log.append(subject(A), b"", expected=wrong)
    assert [entry.sequence for entry in await log.read(A)] == [first, second]


async def test_of_fifty_racing_writers_one_wins(log: EventLog) -> None:
    [last] = await fill(log, A, 1)
    won = await asyncio.gather(*(try_append(log, bytes([writer]), last) for writer in range(50)))
    [winner] = [writer for writer, sequence in enumerate(won) if sequence is not None]
    assert [entry.data for entry in await log.read(A)] == [b"0", bytes([winner])]


@pytest.mark.parametrize("first", ["dealer", (0, 2)])
@pytest.mark.parametrize("second", ["scorer", (1,), "open"])
async def test_appends_to_different_subjects_of_a_match_exclude_each_other(
    log: EventLog, first: Due, second: Due
) -> None:
    assert await try_append(log, b"first", 0, due=first) is not None
    assert await try_append(log, b"second", 0, due=second) is None


async def test_matches_do_not_disturb_each_other(log: EventLog) -> None:
    a, b = [0], [0]
    for _ in range(3):
        a.append(await log.append(subject(A), b"a", expected=a[-1]))
        b.append(await log.append(subject(B), b"b", expected=b[-1]))
    assert [(e.sequence, e.data) for e in await log.read(A)] == [(s, b"a") for s in a[1:]]
    assert [(e.sequence, e.data) for e in await log.read(B)] == [(s, b"b") for s in b[1:]]


async def test_reading_after_a_sequence_number_gives_what_is_behind_it(log: EventLog) -> None:
    sequences = await fill(log, A, 5)
    await fill(log, B, 5)
    for place, sequence in enumerate(sequences):
        assert [entry.sequence for entry in await log.read(A, sequence)] == sequences[place + 1 :]
    assert await log.read(A, sequences[-1] + 100) == []


async def test_a_page_is_the_first_of_what_is_behind_it(log: EventLog) -> None:
    sequences = await fill(log, A, 5)
    await fill(log, B, 5)
    for place, after in enumerate([0, *sequences]):
        for count in (1, 3, 10):
            page = await log.page(A, after, count)
            assert page == (await log.read(A, after))[:count]
            assert [entry.sequence for entry in page] == sequences[place:][:count]


async def test_what_was_appended_is_read_at_once_by_whoever_asks(log: EventLog) -> None:
    last = 0
    for _ in range(50):
        before = last
        last = await log.append(subject(A), b"", expected=before)
        assert [entry.sequence for entry in await log.read(A, before)] == [last]


async def test_a_big_log_is_read_whole(log: EventLog) -> None:
    sequences = await fill(log, A, 2500)
    entries = await log.read(A)
    assert [entry.sequence for entry in entries] == sequences
    assert [int(entry.data) for entry in entries] == list(range(2500))
