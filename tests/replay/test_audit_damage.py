"""The audit of damaged files: whatever is changed, the commit is named."""

import asyncio
from bisect import bisect_right
from itertools import accumulate

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.archive import Archive, export, split
from replay.audit import audit, audit_entries
from replay.fold import archive_of
from replay.report import Kind, Report, as_text
from schemas.codec import Viewer, from_log, to_file, to_log
from services.runtime.log import Entry
from services.simulate import Simulation

SHORT = 16
"""Commits of the short file: all of joining, a deal, and sealed answers."""


def named(report: Report) -> set[int]:
    """The indices of all findings."""
    return {finding.index for finding in report.findings}


@pytest.fixture(scope="module")
def short(log: Archive) -> Archive:
    return Archive("auditor", log.messages[:SHORT])


def header_of(data: bytes) -> bytes:
    return data[: data.index(split(data).messages[0])]


def trailer_of(data: bytes) -> bytes:
    last = split(data).messages[-1]
    return data[data.rindex(last) + len(last) :]


def rebuilt(data: bytes, messages: list[bytes]) -> bytes:
    """A file with other messages between its header and its trailer."""
    return header_of(data) + b"".join(messages) + trailer_of(data)


def indices(data: bytes) -> list[int]:
    """For each byte the index of its commit: 0 in the header, one more than the last in the trailer."""
    sizes = [len(header_of(data)), *map(len, split(data).messages), len(trailer_of(data))]
    ends = list(accumulate(sizes))
    return [bisect_right(ends, at) for at in range(len(data))]


@pytest.mark.parametrize("depth", range(960, 1024))
def test_a_secret_nested_as_deeply_as_can_just_be_read_is_named(short: Archive, depth: int) -> None:
    """It cannot be written again, one level deeper, to check its commitment."""
    at, message = next(
        (at, each) for at, each in enumerate(short.messages) if any(secret.slot == "action" for secret in each.secrets)
    )
    nested = msgspec.Raw(b"\x91" * depth + b"\x00")
    secrets = [[s.slot, s.audience, s.salt, nested if s.slot == "action" else s.value] for s in message.secrets]
    forged = msgspec.msgpack.encode([message.public, secrets, b""])
    data = export(short, "auditor").replace(to_file(message, "auditor", ()), forged)
    assert at + 1 in named(audit(data))
    entry = Entry(1, f"log.{message.commit.match}.referee.seats", forged)
    assert audit_entries([entry]).findings


# --- one byte ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ["auditor", 1])
def test_every_flipped_byte_of_a_file_is_named_at_its_commit(short: Archive, viewer: Viewer) -> None:
    """One bit of each byte in turn, and all its bits; of the trailer only that something is named."""
    data = export(short, viewer)
    assert audit(data).ok
    for at, index in enumerate(indices(data)):
        for mask in (1 << at % 8, 0xFF):
            report = audit(data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :])
            assert not report.ok, (at, mask)
            if index <= SHORT:
                assert index in named(report), (at, mask, report.findings)


def test_every_flipped_byte_where_no_card_is_hidden_is_named() -> None:
    """Dark exposing hides how few cards: the commitment to none of them binds its salt like any other."""
    match = Simulation("gongzhu", {"preset": "seed000_dark"}, seats=4, seed=bytes(32))
    log, _ = archive_of(asyncio.run(match.run()))
    last = next(at for at, each in enumerate(log.messages) if [] in [secret.value for secret in each.secrets])
    data = export(Archive("auditor", log.messages[: last + 1]), "auditor")
    assert audit(data).ok
    for at, index in enumerate(indices(data)):
        if index == last + 1:
            assert index in named(audit(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])), at


@pytest.mark.parametrize("viewer", ["auditor", "rail", 2])
@given(place=st.floats(0, 1, exclude_max=True), mask=st.integers(1, 255))
@settings(max_examples=60)
def test_a_flipped_byte_anywhere_in_a_whole_match_is_named(
    log: Archive, viewer: Viewer, place: float, mask: int
) -> None:
    data = export(log, viewer)
    at = int(len(data) * place)
    report = audit(data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :])
    index = indices(data)[at]
    assert not report.ok
    assert index > len(log.messages) or index in named(report)


@pytest.mark.parametrize("viewer", ["auditor", "rail"])
def test_a_file_cut_short_at_any_byte_is_named_at_what_is_missing(short: Archive, viewer: Viewer) -> None:
    data = export(short, viewer)
    for at, index in enumerate(indices(data)):
        assert index in named(audit(data[:at])), at


def test_bytes_after_the_trailer_are_named(short: Archive) -> None:
    data = export(short, "auditor")
    assert named(audit(data + b"\x00")) == {SHORT + 1}
    assert not audit(data + data).ok


# --- one commit --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ["auditor", "rail"])
def test_every_dropped_commit_is_named(log: Archive, viewer: Viewer) -> None:
    data = export(log, viewer)
    messages = list(split(data).messages)
    for at in range(len(messages)):
        report = audit(rebuilt(data, [*messages[:at], *messages[at + 1 :]]))
        assert at + 1 in named(report), at + 1


@pytest.mark.parametrize("viewer", ["auditor", "rail"])
def test_every_swap_of_neighbours_is_named(log: Archive, viewer: Viewer) -> None:
    data = export(log, viewer)
    messages = list(split(data).messages)
    for at in range(len(messages) - 1):
        swapped = [*messages[:at], messages[at + 1], messages[at], *messages[at + 2 :]]
        assert at + 1 in named(audit(rebuilt(data, swapped))), at + 1


@given(data=st.data())
@settings(max_examples=100)
def test_an_inserted_commit_is_named_where_it_stands(log: Archive, data: st.DataObject) -> None:
    """A commit of the same log, anywhere."""
    file = export(log, "auditor")
    messages = list(split(file).messages)
    at = data.draw(st.integers(0, len(messages)))
    copied = data.draw(st.sampled_from(messages))
    report = audit(rebuilt(file, [*messages[:at], copied, *messages[at:]]))
    assert {at + 1, at + 2} & named(report), report.findings


def test_a_file_that_ends_early_with_its_trailer_is_named_at_the_first_missing_commit(log: Archive) -> None:
    data = export(log, "auditor")
    messages = list(split(data).messages)
    for count in range(len(messages)):
        report = audit(rebuilt(data, messages[:count]))
        assert count + 1 in named(report), count


def test_a_broken_link_names_the_commit_before_it(short: Archive) -> None:
    """Whether commit 8 or prev of commit 9 was changed cannot be told; nothing but the chain holds `at`."""
    data = export(short, "auditor")
    messages = list(split(data).messages)
    public, secrets, signature = msgspec.msgpack.decode(messages[7])
    commit = msgspec.msgpack.decode(public)
    messages[7] = msgspec.msgpack.encode([msgspec.msgpack.encode(commit | {"at": 99}), secrets, signature])
    report = audit(rebuilt(data, messages))
    assert [(finding.index, finding.kind) for finding in report.findings] == [(8, Kind.CHAIN)]
    assert report.decided == SHORT


def test_a_commit_of_another_match_is_named(short: Archive) -> None:
    """Even with an index and a link that fit."""
    last = short.messages[-1]
    stray = from_log(to_log(msgspec.structs.replace(last.commit, match="B" * 26), b""))
    report = audit(export(Archive("auditor", (*short.messages[:-1], stray)), "auditor"))
    assert [(finding.index, finding.kind) for finding in report.findings] == [(SHORT, Kind.MATCH)]


def test_a_secret_missing_though_it_was_revealed_is_named(log: Archive) -> None:
    data = export(log, "rail")
    messages = list(split(data).messages)
    deal = next(message.commit.index for message in log.messages if message.commit.by == "dealer" and message.slots)
    public, secrets, signature = msgspec.msgpack.decode(messages[deal - 1])
    messages[deal - 1] = msgspec.msgpack.encode([public, secrets[1:], signature])
    report = audit(rebuilt(data, messages))
    assert [(finding.index, finding.kind) for finding in report.findings] == [(deal, Kind.OPENING)]
    assert report.undecided.startswith(f"commit {deal} holds a secret")


# --- anything ----------------------------------------------------------------------------------------------------


@given(st.binary(max_size=400))
def test_no_bytes_can_stop_the_audit(data: bytes) -> None:
    report = audit(data)
    assert not report.ok
    assert as_text(report)


@given(data=st.data())
@settings(max_examples=150)
def test_no_splice_of_bytes_into_a_file_can_stop_the_audit(log: Archive, data: st.DataObject) -> None:
    file = export(Archive("auditor", log.messages[:40]), data.draw(st.sampled_from(["auditor", "rail", 3])))
    start = data.draw(st.integers(0, len(file)))
    end = data.draw(st.integers(start, min(start + 50, len(file))))
    spliced = file[:start] + data.draw(st.binary(max_size=50)) + file[end:]
    assert audit(spliced).ok is (spliced == file)


anything = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2**64 - 1) | st.text(max_size=8) | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@given(data=st.data())
@settings(max_examples=150)
def test_no_value_in_a_commit_can_stop_the_audit(log: Archive, data: st.DataObject) -> None:
    """Any field of any event, action or secret of one commit becomes any value, and the chain is made anew."""
    messages = list(split(export(Archive("auditor", log.messages[:45]), "auditor")).messages)
    at = data.draw(st.integers(0, len(messages) - 1))
    public, secrets, signature = msgspec.msgpack.decode(messages[at])
    commit = msgspec.msgpack.decode(public)
    target = data.draw(st.sampled_from([commit, *commit["events"], commit.get("action") or commit]))
    target[data.draw(st.sampled_from(sorted(target)))] = data.draw(anything)
    secrets = data.draw(st.sampled_from([secrets, [], [*secrets, data.draw(anything)]]))
    messages[at] = msgspec.msgpack.encode([msgspec.msgpack.encode(commit), secrets, signature])
    file = export(Archive("auditor", log.messages[:45]), "auditor")
    assert audit(rebuilt(file, messages)).ok is (rebuilt(file, messages) == file)


# --- stored messages ---------------------------------------------------------------------------------------------


def test_the_messages_stored_of_a_match_pass_the_audit(entries: list[Entry]) -> None:
    report = audit_entries(entries)
    assert (report.ok, report.ended, report.decided, report.passed_over) == (True, True, len(entries), 0)


def test_messages_passed_over_are_named_with_sequence_and_reason(entries: list[Entry]) -> None:
    """The match itself stands: the others are decided again all the same."""
    subject = entries[4].subject
    stray = [
        *entries[:5],
        Entry(1000, subject, b"garbage"),
        Entry(1001, subject, entries[3].data),
        Entry(1002, subject.replace("open", "none"), entries[5].data),
        *entries[5:],
    ]
    report = audit_entries(stray)
    found = [(finding.sequence, finding.index, finding.kind) for finding in report.findings]
    assert found == [(1000, 6, Kind.FORM), (1001, 6, Kind.INDEX), (1002, 6, Kind.ENTITLEMENT)]
    assert (report.passed_over, report.commits, report.decided) == (3, len(entries), len(entries))
    assert not report.ok


@given(
    st.lists(st.tuples(st.integers(1), st.just("log.AAAAAAAAAAAA.referee.dealer"), st.binary(max_size=99)), max_size=5)
)
def test_no_stored_bytes_can_stop_the_audit(stored: list[tuple[int, str, bytes]]) -> None:
    report = audit_entries(stored)
    assert not report.ok
    assert report.passed_over == len(stored)


# --- reports -----------------------------------------------------------------------------------------------------


def test_a_report_reads_as_text_and_as_json(short: Archive) -> None:
    report = audit(export(short, 0))
    assert as_text(report).splitlines() == [
        f"match {report.match}: gongzhu, as seat.0 may see it",
        "16 commits, 10 decided again; commit 11 holds a secret that this file does not open",
        "no deal checked; end not followed",
        "ok",
    ]
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report
