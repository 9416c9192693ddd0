"""One worker alone: when the log fails it, lags behind, has gone back in time, or is that of many matches."""

import asyncio

import pytest

from schemas.commands import Accepted
from schemas.log import role_due
from services.games.match import due
from services.runtime.log import Conflict, Entry, MemoryLog, Unavailable, Uncertain
from services.runtime.worker import TRIES_BEFORE_ANEW, Behind
from tests.house import SETTINGS, House, a_worker, agreed

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
    log.hidden = 1
    with pytest.raises(Behind):
        await house.workers["dealer"].take_turns(house.match, 1)
    log.hidden = 0
    await house.workers["dealer"].take_turns(house.match, 1)
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
