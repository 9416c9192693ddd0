"""The audit of what chance seldom plays: a seat lost, seats that the referee plays for, penalties of the house."""

import hashlib
from functools import partial

import pytest

from replay.archive import Archive, export
from replay.audit import audit, audit_entries
from replay.fold import archive_of
from schemas.actions import CommitEntropy, Join, Open, ShowEntropy, as_action
from schemas.cards import Seat
from schemas.codec import from_log, to_log
from schemas.events import SeatLost
from schemas.subjects import log_subject
from services.games.clock import DAY
from services.games.decide import Draft, act, cause_of, commit_of, deal, join, open_match, play_managed, score
from services.games.fold import Fold
from services.games.match import Match, due
from services.games.shuffle import entropy_commitment, share
from services.runtime.log import Entry

MATCH = "M" * 26
KEYS = [hashlib.sha256(bytes([seat])).digest() for seat in range(4)]
TIMEOUT = {"type": "timeout"}


class Book:
    """A log written by the deciders alone, with the dealer and the scorer taking their turns by themselves."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._fold = Fold(MATCH)
        wish = Open(key=b"o" * 32, game="gongzhu", options={"hands_limit": 1}, seats=4)
        self.write(open_match(as_action(wish)))

    @property
    def match(self) -> Match:
        assert self._fold.state is not None
        return self._fold.state

    def write(self, draft: Draft) -> None:
        index = self._fold.index + 1
        cause = cause_of(draft.by, index - 1)
        commit = commit_of(draft, match=MATCH, index=index, at=index * DAY, cause=cause, prev=self._fold.head)
        data = to_log(commit, b"salt")
        message = from_log(data)
        after = self._fold.check(message.commit)
        self.entries.append(Entry(index, log_subject(MATCH, draft.by, due(after)), data))
        self._fold.advance(message, after)
        match due(self.match):
            case "dealer":
                self.write(deal(self.match, partial(share, b"secret", MATCH), "key"))
            case "scorer":
                self.write(score(self.match))
            case _:
                pass

    def join(self, seat: Seat) -> None:
        commitment = entropy_commitment(MATCH, KEYS[seat], KEYS[seat])
        self.write(join(self.match, as_action(Join(key=KEYS[seat], commitment=commitment))))

    def show(self, seat: Seat) -> None:
        self.write(act(self.match, seat, as_action(ShowEntropy(entropy=KEYS[seat]))))


@pytest.fixture(scope="module")
def book() -> Book:
    """Seat 2 shows nothing and loses its place; all commit anew; the referee then plays for all but seat 0."""
    book = Book()
    for seat in range(4):
        book.join(seat)
    book.show(1)
    book.write(act(book.match, 2, TIMEOUT))
    book.join(2)
    for seat in (0, 1, 3):
        commitment = entropy_commitment(MATCH, KEYS[seat], KEYS[seat])
        book.write(act(book.match, seat, as_action(CommitEntropy(commitment=commitment))))
    for seat in range(4):
        book.show(seat)
    for seat in (1, 2, 3):
        book.write(act(book.match, seat, {"type": "manage", "on": True}))
    book.write(act(book.match, None, {"type": "penalty", "seat": 3, "points": -20}))
    while (who := due(book.match)) != "none":
        book.write(play_managed(book.match) if who == "referee" else act(book.match, 0, TIMEOUT))
    return book


def test_lost_seats_managed_seats_and_penalties_pass_the_audit(book: Book) -> None:
    report = audit_entries(book.entries)
    assert report.findings == ()
    assert (report.ended, report.decided) == (True, len(book.entries))
    archive, _ = archive_of(book.entries)
    assert any(isinstance(message.commit.events[0], SeatLost) for message in archive.messages)
    assert sum(message.commit.auto for message in archive.messages) == 4 + 52 + 1
    assert audit(export(archive, "rail")).ok


def test_such_a_match_passes_wherever_it_is_cut(book: Book) -> None:
    archive, _ = archive_of(book.entries)
    for commits in range(1, len(archive.messages), 7):
        assert audit(export(Archive("auditor", archive.messages[:commits]), 0)).ok
