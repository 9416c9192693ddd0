"""How many matches may be opened: so many at once, and so many a second in the long run."""

from msgspec.structs import replace

from schemas.commands import Accepted, Refused, Reply
from schemas.refusals import Code
from schemas.subjects import OPEN
from services.referee.desk import Desk
from services.referee.quota import Quota
from tests.house import SETTINGS, House


class Watch:
    """A clock that is set by hand, in seconds."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_is_allowed_and_then_the_rate() -> None:
    """Given 2 a second and 3 at once: three are taken, then one each half second, and never more than three wait."""
    watch = Watch()
    quota = Quota(2.0, 3, clock=watch)
    assert [quota.take() for _ in range(4)] == [True, True, True, False]
    watch.now += 0.5
    assert [quota.take() for _ in range(2)] == [True, False]
    watch.now += 1000
    assert [quota.take() for _ in range(4)] == [True, True, True, False]


async def test_beyond_the_quota_to_open_is_busy_and_all_else_goes_on() -> None:
    """Given one match is opened; when another is asked for at once, it is `busy`; a second later the same command is
    accepted, and the first match was not touched by it.
    """
    watch = Watch()
    house, other = House(SETTINGS[0]), House(SETTINGS[0], "other")
    house.desk = other.desk = Desk(house.workers["referee"], quota=Quota(1.0, 1, clock=watch))
    assert isinstance(await house.open(), Accepted)
    assert busy(await other.open())
    await house.settle()
    assert isinstance(await house.join(house.players[0]), Accepted)
    watch.now += 1
    assert isinstance(await other.open(), Accepted)


async def test_a_wish_that_cannot_be_granted_takes_nothing_from_the_quota() -> None:
    house = House(SETTINGS[0])
    house.desk = Desk(house.workers["referee"], quota=Quota(1.0, 1, clock=Watch()))
    wrong = replace(house.request, action={**house.request.action, "seats": 99})
    for _ in range(3):
        reply = await house.ask(OPEN, wrong)
        assert isinstance(reply, Refused)
        assert reply.code == Code.BAD_OPTION
    assert isinstance(await house.open(), Accepted)


def busy(reply: Reply) -> bool:
    """Whether the reply says that one may try again."""
    return isinstance(reply, Refused) and reply.code == Code.BUSY
