"""One worker alone: when the log fails it, lags behind, has gone back in time, or is that of many matches."""

import asyncio
import gc
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.codec import from_log
from schemas.commands import Accepted
from schemas.log import ROLES, Role, role_due
from services.games.fold import Fold
from services.games.match import due
from services.games.shuffle import Stream
from services.referee.desk import Desk
from services.runtime.log import Conflict, Entry, MemoryLog, Unavailable, Uncertain
from services.runtime.tails import BYTES, Tail, is_by, passes_turn
from services.runtime.worker import TRIES_BEFORE_ANEW, Behind
from tests.house import SETTINGS, House, a_worker, agreed, play, played, run

SETTING = SETTINGS[0]


class BadLog(MemoryLog):
    """A log that can be made to fail.

    Attributes:
        faults: how the next appends fail: `lost` and `stored` are Uncertain, `rival` a Conflict with nothing new.
        hidden: how many of the last messages are not shown.
        closed: whether it can be read.
    """

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.hidden = 0
        self.closed = False

    async def read(self, match: str, after: int = 0) -> list[Entry]:
        """See EventLog."""
        if self.closed:
            raise Unavailable(match)
        entries = await super().read(match)
        return [entry for entry in entries[: len(entries) - self.hidden] if entry.sequence > after]

    async def append(self, subject: str, data: bytes, *, expected: int) -> int:
        """See EventLog."""
        match self.faults.pop(0) if self.faults else "":
            case "lost":
                raise Uncertain(subject)
            case "stored":
                await super().append(subject, data, expected=expected)
                raise Uncertain(subject)
            case "rival":
                raise Conflict(subject)
            case _:
                return await super().append(subject, data, expected=expected)

    async def go_back(self, match: str, count: int) -> None:
        """Only the first messages are left, as after an old copy was put back."""
        entries = (await self.read(match))[:count]
        super().__init__()
        last = 0
        for entry in entries:
            last = await super().append(entry.subject, entry.data, expected=last)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> BadLog:
    """The log of the house; no time passes while a worker waits for a rival."""
    monkeypatch.setattr("services.runtime.worker.RIVAL_WAIT", 0.0)
    return BadLog()


@pytest.fixture
def house(log: BadLog) -> House:
    """A house on that log."""
    return House(SETTING, log=log)


async def test_a_turn_is_taken_once_however_often_its_token_comes(house: House) -> None:
    await house.open()
    for _ in range(3):
        await house.workers["dealer"].take_turns(house.match, 1)
        await a_worker("dealer", house.log).take_turns(house.match, 1)
    assert len(await house.entries()) == 2


async def test_a_role_that_is_not_due_does_nothing(house: House) -> None:
    await house.open()
    await house.workers["scorer"].take_turns(house.match, 1)
    await house.workers["referee"].take_turns(house.match, 1)
    assert len(await house.entries()) == 1


FAULTS = (["lost"], ["stored"], ["rival"], ["lost", "rival", "stored"])


@pytest.mark.parametrize("faults", FAULTS, ids=" ".join)
async def test_a_turn_is_taken_once_whatever_becomes_of_the_append(
    house: House, log: BadLog, faults: list[str]
) -> None:
    await house.open()
    log.faults = list(faults)
    await house.workers["dealer"].take_turns(house.match, 1)
    assert log.faults == []
    assert len(await house.entries()) == 2
    assert role_due(due(await house.state())) == "referee"


@pytest.mark.parametrize("faults", FAULTS, ids=" ".join)
async def test_a_command_is_in_the_log_once_whatever_becomes_of_the_append(
    house: House, log: BadLog, faults: list[str]
) -> None:
    log.faults = list(faults)
    assert await house.open() == Accepted(match=house.match, index=1)
    await house.settle()
    log.faults = list(faults)
    assert agreed(await house.join(house.players[0])).index == 3
    assert log.faults == []
    assert len(await house.entries()) == 3


@pytest.mark.parametrize("fault", ["lost", "rival"])
async def test_a_worker_goes_on_when_nothing_shows_for_long(house: House, log: BadLog, fault: str) -> None:
    """Neither the append is there nor a rival's: the match is folded anew, and the turn is taken all the same."""
    await house.open()
    log.faults = [fault] * (TRIES_BEFORE_ANEW + 2)
    await house.workers["dealer"].take_turns(house.match, 1)
    assert len(await house.entries()) == 2


async def test_a_log_that_has_gone_back_in_time_is_folded_anew(house: House, log: BadLog) -> None:
    """Its stream was restored from an old copy: what the worker knew of what came later does not count."""
    await house.open()
    await house.settle()
    agreed(await house.join(house.players[0]))
    agreed(await house.join(house.players[1]))

    await log.go_back(house.match, 3)

    assert agreed(await house.join(house.players[2])).index == 4
    assert agreed(await house.join(house.players[1])).index == 5
    assert [entry.sequence for entry in await house.entries()] == [1, 2, 3, 4, 5]


async def test_a_worker_that_cannot_see_the_delivered_message_yet_says_so(house: House, log: BadLog) -> None:
    await house.open()
    dealer = a_worker("dealer", log)  # one that was told nothing
    log.hidden = 1
    with pytest.raises(Behind):
        await dealer.take_turns(house.match, 1)
    log.hidden = 0
    await dealer.take_turns(house.match, 1)
    assert len(await house.entries()) == 2


async def test_a_log_that_cannot_be_read_harms_nothing(house: House, log: BadLog) -> None:
    """Not even in the middle of a decision whose outcome is unknown."""
    await house.open()
    log.faults = ["stored"]
    log.closed = True
    with pytest.raises(Unavailable):
        await house.workers["dealer"].take_turns(house.match, 1)
    log.closed = False
    await house.workers["dealer"].take_turns(house.match, 1)
    assert len(await house.entries()) == 2


async def test_nothing_is_refused_from_an_old_fold(house: House) -> None:
    """What another replica has written meanwhile counts."""
    await house.open()
    await house.settle()
    *others, player = house.players
    for other in others:
        agreed(await house.join(other))
    elsewhere = House(SETTING, log=house.log)
    agreed(await elsewhere.join(player))

    agreed(await house.send(0, house.players[0].show()))


async def test_matches_beyond_the_limit_are_folded_again_when_needed() -> None:
    """Also where several are asked for at once."""
    log = MemoryLog()
    houses = [House(SETTING, name, log) for name in "abcde"]
    dealer = a_worker("dealer", log, matches=2)
    for house in houses:
        await house.open()
    tokens = [(house.match, (await house.entries())[-1].sequence) for house in houses] * 3
    await asyncio.gather(*(dealer.take_turns(match, sequence) for match, sequence in tokens))
    assert [len(await house.entries()) for house in houses] == [2] * 5
    for house in houses:
        for player in house.players:
            agreed(await house.join(player))
        for player in house.players:
            agreed(await house.send(player.seat, player.show()))
        sequence = (await house.entries())[-1].sequence
        await dealer.take_turns(house.match, sequence)
    assert [(await house.state()).deals for house in houses] == [1] * 5


class Held(MemoryLog):
    """A log whose reads wait until it is let go; `reads` tells of what they are."""

    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()
        self.reads: list[str] = []

    async def read(self, match: str, after: int = 0) -> list[Entry]:
        """See EventLog."""
        self.reads.append(match)
        await self.free.wait()
        return await super().read(match, after)


async def test_a_match_has_one_place_also_where_all_others_are_in_use() -> None:
    """Else its decisions would be made side by side, each from a fold of its own."""
    log = Held()
    houses = [House(SETTING, name, log) for name in "ab"]
    for house in houses:
        await house.open()
    dealer = a_worker("dealer", log, matches=1)
    turns = [asyncio.create_task(dealer.take_turns(house.match, 1)) for house in houses for _ in range(3)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert sorted(log.reads) == sorted(house.match for house in houses)
    log.free.set()
    await asyncio.gather(*turns)
    assert [len(await house.entries()) for house in houses] == [2, 2]


# --- tails -------------------------------------------------------------------------------------------------------


class Blind(MemoryLog):
    """A log to which one may only append."""

    def __init__(self, log: MemoryLog) -> None:
        super().__init__()
        self._log = log

    async def read(self, match: str, after: int = 0) -> list[Entry]:
        """See EventLog."""
        raise Unavailable(match)

    async def append(self, subject: str, data: bytes, *, expected: int) -> int:
        """See EventLog."""
        return await self._log.append(subject, data, expected=expected)


def test_roles_need_no_more_than_their_tokens_and_what_they_are_told() -> None:
    """They play a whole match and read nothing."""
    log = MemoryLog()
    house = House(SETTING, log=log)
    house.workers |= {role: a_worker(role, Blind(log), tell=house.tell) for role in ROLES}
    house.desk = Desk(house.workers["referee"])
    run(play(house, Stream(bytes(32)), wild=False))
    assert run(house.state()).deals > 1


def test_of_a_match_that_is_over_no_role_keeps_anything() -> None:
    """Whoever has written its last commit: the scorer, or the referee who closes it."""
    house, other = House(SETTING, "SCOREDTOTHEEND"), House(SETTING, "CLOSEDBYTHEHOUSE")
    run(play(house, Stream(bytes(32)), wild=False))
    run(other.open())
    run(other.settle())
    run(other.decide(None, {"type": "void", "reason": "over"}))
    for each in (house, other):
        kept = [fold for fold in gc.get_objects() if isinstance(fold, Fold) and fold.match == each.match]
        assert len(kept) == 1  # that of the test's own house


MATCH = played(0)
TOKENS = [place for place, entry in enumerate(MATCH.entries) if passes_turn(entry.subject)]


def role_of(token: Entry) -> Role:
    """Whose token it is."""
    return next(role for role in ROLES if token.subject.endswith(role))


async def next_after(token: int, heard: Sequence[Sequence[Entry]]) -> Entry:
    """The commit by which a role answers token number `token`, who has heard all this before."""
    log, last = MemoryLog(), 0
    for entry in MATCH.entries[: TOKENS[token] + 1]:
        last = await log.append(entry.subject, entry.data, expected=last)
    worker = a_worker(role_of(MATCH.entries[TOKENS[token]]), log)
    for entries in heard:
        worker.hear(MATCH.house.match, entries)
    await worker.take_turns(MATCH.house.match, last)
    return (await log.read(MATCH.house.match))[last]


ENTRY = st.sampled_from(MATCH.entries) | st.builds(
    Entry, st.integers(0, 80), st.sampled_from([entry.subject for entry in MATCH.entries[:60]]), st.binary(max_size=20)
)


@given(st.integers(0, len(TOKENS) - 1), st.lists(st.lists(ENTRY, max_size=6), max_size=6))
def test_what_does_not_fit_is_not_believed(token: int, heard: list[list[Entry]]) -> None:
    """What lies beyond the token apart, which nobody can know yet."""
    known = [[entry for entry in entries if entry.sequence <= TOKENS[token] + 1] for entries in heard]
    answer = run(next_after(token, known))
    assert from_log(answer.data).commit.events == MATCH.messages[TOKENS[token] + 1].commit.events


async def test_a_match_goes_on_where_what_was_heard_cannot_be_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is heard is only a hint, and one failure must not keep the match locked."""

    def fail(*_: object) -> None:
        raise OverflowError

    log = Held()
    house = House(SETTING, log=log)
    await house.open()
    dealer = a_worker("dealer", log)
    turns = [asyncio.create_task(dealer.take_turns(house.match, 1)) for _ in range(3)]
    await asyncio.sleep(0)
    dealer.hear(house.match, [Entry(9, "log.M.dealer.seats", b"")])
    monkeypatch.setattr("services.games.fold.Fold.follow", fail)
    log.free.set()
    async with asyncio.timeout(1):
        first, second, third = await asyncio.gather(*turns, return_exceptions=True)
    assert (first, third) == (None, None)
    assert isinstance(second, OverflowError)


async def test_what_is_heard_too_early_is_kept_until_it_fits() -> None:
    """Each role tells for itself, so what one has stored may be heard before what another stored before it."""
    log, (first, *others) = MemoryLog(), MATCH.entries[: TOKENS[1] + 1]
    for entry in (first, *others):
        await log.append(entry.subject, entry.data, expected=entry.sequence - 1)
    dealer = a_worker("dealer", Blind(log))
    for entry in (first, *reversed(others)):
        dealer.hear(MATCH.house.match, [entry])
    await dealer.take_turns(MATCH.house.match, others[-1].sequence)
    assert len(await log.read(MATCH.house.match)) > len(others) + 1


def test_a_role_speaks_for_itself_alone() -> None:
    for role in ROLES:
        assert all(is_by(role, entry) == (from_log(entry.data).commit.by == role) for entry in MATCH.entries)
        assert not is_by(role, Entry(1, "log", b""))


@pytest.mark.parametrize("role", ROLES)
def test_a_tail_is_what_one_role_wrote_since_the_turn_was_passed_last(role: Role) -> None:
    tail, begin = Tail(role), 0
    for place, entry in enumerate(MATCH.entries):
        tail.add(entry)
        if passes_turn(entry.subject):
            begin = place
        since = MATCH.entries[begin : place + 1]
        assert list(tail.entries) == [each for each in since if is_by(role, each)]


def test_a_tail_has_an_end_which_what_others_wrote_does_not_bring_nearer() -> None:
    tail = Tail("referee")
    own, others = (Entry(1, f"log.M.{role}.seats", bytes(BYTES // 4 + 1)) for role in ("referee", "dealer"))
    for entry in (own, others) * 9:
        tail.add(entry)
    assert list(tail.entries) == [own] * 3


def test_a_turn_is_passed_where_another_role_is_due() -> None:
    passed = {"log.M.referee.dealer", "log.M.referee.scorer", "log.M.scorer.dealer", "log.M.dealer.referee"}
    kept = {
        "log.M.referee.referee",
        "log.M.dealer.seats",
        "log.M.dealer.open",
        "log.M.scorer.none",
        "log.M.referee.house",
    }
    assert {subject for subject in passed | kept if passes_turn(subject)} == passed
