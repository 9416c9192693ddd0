"""Log files: what is written for whom, and how strictly it is read."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from replay.archive import SUFFIX, Archive, BadArchive, export, load, read, split, viewer_of, viewer_text
from replay.audit import audit
from replay.fold import archive_of, fold
from replay.stream import end_of
from schemas.codec import Message, Secret, Viewer
from schemas.events import HandRevealed
from schemas.sealed import StillSealed
from services.games.match import due
from services.runtime.log import Entry

VIEWERS: tuple[Viewer, ...] = ("auditor", "rail", 0, 1, 2, 3)
OTHERS = VIEWERS[1:]

IN_FIRST_HAND = 30


def beginning(log: Archive, commits: int) -> Archive:
    """The first commits of a log."""
    return Archive(log.viewer, log.messages[:commits])


def secrets_in(data: bytes) -> list[tuple[int, list[Any]]]:
    """Every secret as it stands in a file, with the index of its commit."""
    return [
        (index, secret)
        for index, message in enumerate(split(data).messages, 1)
        for secret in msgspec.msgpack.decode(message)[1]
    ]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_file_is_read_back_as_it_was_written(log: Archive, viewer: Viewer) -> None:
    """Reading and writing again gives the same bytes, and a viewer's file is exported by himself alone."""
    data = export(log, viewer)
    archive = read(data)
    assert archive.viewer == viewer
    assert [message.public for message in archive.messages] == [message.public for message in log.messages]
    assert export(archive, viewer) == data


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("commits", [1, 11, IN_FIRST_HAND, 80])
def test_the_file_of_each_viewer_passes_the_audit_wherever_the_log_ends(
    log: Archive, viewer: Viewer, commits: int
) -> None:
    """Also where a hand is being played and a viewer may not open all of it."""
    report = audit(export(beginning(log, commits), viewer))
    assert report.ok, report
    assert report.commits == commits
    assert report.ended is (None if report.undecided else False)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_under_reveal_hand_every_viewer_holds_a_finished_match_in_full(log: Archive, viewer: Viewer) -> None:
    """All decisions of the match are made again from any viewer's file."""
    report = audit(export(log, viewer))
    assert (report.ok, report.ended, report.undecided) == (True, True, "")
    assert report.decided == report.commits == len(log.messages)
    assert all(len(message.secrets) == message.slots for message in read(export(log, viewer)).messages)


@pytest.mark.parametrize("viewer", OTHERS)
@pytest.mark.parametrize("commits", [IN_FIRST_HAND, 80])
def test_a_viewers_file_holds_the_secrets_addressed_to_him_and_no_others(
    log: Archive, viewer: Viewer, commits: int
) -> None:
    """Structure: slots of other audiences are there only from commits that were revealed, and no audience is named."""
    part = beginning(log, commits)
    revealed = [event for m in part.messages for event in m.commit.events if isinstance(event, HandRevealed)]
    expected = [
        (m.commit.index, [s.slot, s.salt, s.value])
        for m in part.messages
        for s in m.secrets
        if viewer in s.audience or any(event.first <= m.commit.index <= event.last for event in revealed)
    ]
    assert secrets_in(export(part, viewer)) == expected
    assert len(expected) < len(secrets_in(export(part, "auditor")))


@pytest.mark.parametrize("viewer", OTHERS)
def test_other_secrets_of_the_same_shape_leave_a_viewers_file_identical(log: Archive, viewer: Viewer) -> None:
    """Non-interference: nothing of a secret that is not addressed to the viewer gets into his bytes."""

    def other(secret: Secret) -> Secret:
        return secret if viewer in secret.audience else Secret(secret.slot, secret.audience, b"s" * 16, "another")

    part = beginning(log, IN_FIRST_HAND)
    changed = tuple(replace(m, secrets=tuple(map(other, m.secrets))) for m in part.messages)
    assert export(Archive("auditor", changed), viewer) == export(part, viewer)
    assert export(Archive("auditor", changed), "auditor") != export(part, "auditor")


def test_a_viewers_file_cannot_tell_what_another_may_see(log: Archive) -> None:
    """Audiences are not in it, so nothing is exported from it for somebody else."""
    with pytest.raises(ValueError, match="cannot tell"):
        export(read(export(log, "rail")), 0)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_viewers_have_one_text_each(viewer: Viewer) -> None:
    assert viewer_of(viewer_text(viewer)) == viewer


@pytest.mark.parametrize("text", ["", "seat", "seat.16", "seat.01", "seat.-1", "Rail", "0"])
def test_no_other_text_is_a_viewer(text: str) -> None:
    with pytest.raises(ValueError, match="no viewer"):
        viewer_of(text)


def test_a_log_file_is_loaded_from_its_path(log: Archive, tmp_path: Path) -> None:
    path = tmp_path / f"match{SUFFIX}"
    path.write_bytes(export(log, 2))
    assert load(path).viewer == 2


def test_a_damaged_file_is_not_read_and_the_message_at_fault_is_named(log: Archive) -> None:
    """A secret in another than the canonical form, a missing end and a header of the future are refused."""
    data = export(beginning(log, 12), "auditor")
    messages = split(data).messages
    longer = messages[4][:-2] + b"\xc5\x00\x00"  # the empty signature, its size written in two bytes
    with pytest.raises(BadArchive, match="commit 5: not written in the canonical form"):
        read(data.replace(messages[4], longer))
    with pytest.raises(BadArchive, match="commit 12: the trailer"):
        read(data.replace(messages[11], b""))
    with pytest.raises(BadArchive, match="header: format 1"):
        read(data.replace(b"\xa6format\x01", b"\xa6format\x02"))


# --- streams -----------------------------------------------------------------------------------------------------

objects = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=300)
    | st.binary(max_size=300)
    | st.binary(max_size=20).map(lambda data: msgspec.msgpack.Ext(5, data)),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=3), inner, max_size=20),
)


@given(objects, objects)
def test_a_stream_is_cut_where_its_objects_end(first: object, second: object) -> None:
    one, two = msgspec.msgpack.encode(first), msgspec.msgpack.encode(second)
    assert end_of(one + two, 0) == len(one)
    assert end_of(one + two, len(one)) == len(one) + len(two)


@pytest.mark.parametrize("value", [b"x" * 70_000, "x" * 70_000, [1] * 70_000, dict.fromkeys(range(70_000))])
def test_objects_with_long_sizes_are_cut_too(value: object) -> None:
    data = msgspec.msgpack.encode(value)
    assert end_of(data + b"\x00", 0) == len(data)


@given(objects)
def test_an_object_cut_short_has_no_end(value: object) -> None:
    data = msgspec.msgpack.encode(value)
    with pytest.raises(ValueError, match="ends before"):
        end_of(data[:-1], 0)


# --- folds -------------------------------------------------------------------------------------------------------


def test_a_log_is_folded_to_any_index(log: Archive) -> None:
    """To a commit in the middle, to the last, and to none."""
    for index in (1, 11, IN_FIRST_HAND):
        state = fold(log.messages, to=index)
        assert state is not None
        assert state.index == index
    last = fold(log.messages)
    assert last is not None
    assert due(last) == "none"
    assert fold(log.messages, to=0) is None


def test_a_viewers_file_is_folded_up_to_what_it_does_not_open(log: Archive) -> None:
    messages = read(export(beginning(log, IN_FIRST_HAND), 0)).messages
    shut = next(message.commit.index for message in messages if len(message.secrets) < message.slots)
    assert fold(messages, to=shut - 1) is not None
    with pytest.raises(StillSealed, match=f"commit {shut} "):
        fold(messages)


def test_messages_that_are_not_valid_do_not_come_into_an_archive(log: Archive, entries: list[Entry]) -> None:
    """Garbage, a repeated commit and one on a foreign subject are passed over and named, as every fold does."""
    subject = entries[4].subject
    stray = [
        *entries[:5],
        Entry(1000, subject, b"garbage"),
        Entry(1001, subject, entries[4].data),
        Entry(1002, subject.replace("open", "none"), entries[5].data),
        *entries[5:],
    ]
    archive, passed_over = archive_of(stray)
    assert archive == log
    assert [message.sequence for message in passed_over] == [1000, 1001, 1002]
    assert "index 5 where 6 is next" in passed_over[1].reason
    assert "subject" in passed_over[2].reason


def test_no_messages_are_an_empty_archive() -> None:
    assert archive_of([]) == (Archive("auditor", tuple[Message]()), ())
