"""Who may publish and subscribe to what on the real server: services by their keys, players by the callout."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import nats
import pytest
from nats.aio.client import Client

from schemas.log import ROLES
from schemas.subjects import GUEST, guest_inbox, seat_user, user_inbox
from services.runtime.jetstream import JetStreamLog
from services.runtime.nats_config import ADMIN, CALLOUT, USERS
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Processes
from tests.house import SETTINGS, House
from tests.services.conftest import MakeChild, start

SETTING = next(setting for setting in SETTINGS if setting.game == "gongzhu")
PASSWORD, OTHER_PASSWORD = "the-guest-of-this-test", "another-guest-of-this-test"
WATCHER, SEAT, NOBODY = "watcher", "seat", frozenset[str]()
SERVICES = {*ROLES, "gallery"}
PLAYERS = {GUEST, SEAT, WATCHER}

# M is the match of the seat, which is seat 0; N is another match.
PUBLISH: Mapping[str, set[str] | frozenset[str]] = {
    "log.M.dealer.open": {"dealer"},
    "log.M.dealer.scorer": {"dealer"},
    "log.M.referee.dealer": {"referee"},
    "log.M.scorer.none": {"scorer"},
    "log.M.house.none": NOBODY,
    "log.M.dealer": NOBODY,
    "log.M.dealer.open.more": NOBODY,
    **{f"tail.M.{role}": {role} for role in ROLES},
    "cmd.open": {GUEST},
    "cmd.M.join": {GUEST},
    "cmd.N.join": {GUEST},
    "cmd.M.0": {SEAT},
    "cmd.M.1": NOBODY,
    "cmd.M.00": NOBODY,
    "cmd.M.house": {ADMIN},
    "timer.set.M": {"referee", ADMIN},
    "timer.fire.M": NOBODY,
    "$JS.API.STREAM.MSG.GET.TIMERS": {"referee", ADMIN},
    "$JS.API.DIRECT.GET.TIMERS": {ADMIN},
    "$JS.API.CONSUMER.MSG.NEXT.TIMERS.timers": {"referee", ADMIN},
    "$JS.ACK.TIMERS.timers.1.2.3.4.5": {"referee"},
    "$JS.API.STREAM.PURGE.TIMERS": {ADMIN},
    "cmd.N.0": NOBODY,
    "view.M.seat.0": {"gallery"},
    "view.M.rail": {"gallery"},
    "view.M.seat.0.sync": {SEAT},
    "view.M.seat.1.sync": NOBODY,
    "view.M.seat.0.legal": {SEAT},
    "view.M.seat.1.legal": NOBODY,
    "view.N.seat.0.sync": NOBODY,
    "view.M.rail.sync": {GUEST, SEAT},
    "view.N.rail.sync": {GUEST},
    "service.dealer.ready": {ADMIN},
    "service.callout.ready": {ADMIN},
    "_INBOX.admin.x": SERVICES,
    "_INBOX.dealer.x": NOBODY,
    "_INBOX.M.0.x": NOBODY,
    "_INBOX.M.1.x": NOBODY,
    "_R_.x.y": {"referee", "gallery", CALLOUT},
    "$SYS._INBOX.x.y": {CALLOUT},
    "$SYS.REQ.USER.AUTH": NOBODY,
    "$SYS.REQ.SERVER.PING": NOBODY,
    "$SYS.REQ.SERVER.PING.CONNZ": {CALLOUT},
    "$SYS.REQ.SERVER.X.KICK": {CALLOUT},
    "$SYS.REQ.SERVER.X.RELOAD": NOBODY,
    "$JS.API.STREAM.MSG.GET.LOG": {*SERVICES, ADMIN},
    "$JS.API.DIRECT.GET.LOG": {*SERVICES, ADMIN, CALLOUT},
    **{f"$JS.API.CONSUMER.MSG.NEXT.LOG.{name}": {name, ADMIN} for name in SERVICES},
    **{f"$JS.API.CONSUMER.INFO.LOG.{name}": {name, ADMIN} for name in SERVICES},
    **{f"$JS.ACK.LOG.{name}.1.2.3.4.5": {name} for name in SERVICES},
    "$JS.API.INFO": {ADMIN},
    "$JS.API.STREAM.INFO.LOG": {*SERVICES, ADMIN},
    "$JS.API.STREAM.CREATE.LOG": {ADMIN},
    "$JS.API.STREAM.UPDATE.LOG": {ADMIN},
    "$JS.API.STREAM.MSG.DELETE.LOG": {ADMIN},
    "$JS.API.STREAM.PURGE.LOG": {ADMIN},
    "$JS.API.STREAM.DELETE.LOG": {ADMIN},
    "$JS.API.STREAM.SNAPSHOT.LOG": {ADMIN},
    "$JS.API.CONSUMER.CREATE.LOG": {ADMIN},
    "$JS.API.CONSUMER.CREATE.LOG.x.log.M.*.*": {ADMIN},
    "$JS.API.CONSUMER.DURABLE.CREATE.LOG.dealer": {ADMIN},
    "$JS.API.CONSUMER.DELETE.LOG.dealer": {ADMIN},
}

SUBSCRIBE: Mapping[str, set[str] | frozenset[str]] = {
    ">": NOBODY,
    "log.>": NOBODY,
    "log.M.>": NOBODY,
    "log.*.referee.open": {CALLOUT},
    "tail.*.*": {*ROLES},
    "tail.>": NOBODY,
    "timer.>": NOBODY,
    "cmd.>": {"referee"},
    "cmd.M.0": {"referee"},
    "view.>": NOBODY,
    "view.*.seat.*": NOBODY,
    "view.M.seat.*": NOBODY,
    "view.M.seat.0": {SEAT},
    "view.M.seat.1": NOBODY,
    "view.N.seat.0": NOBODY,
    "view.M.rail": PLAYERS,
    "view.N.rail": {GUEST, WATCHER},
    "view.*.rail": {GUEST, WATCHER},
    "view.*.seat.*.sync": {"gallery"},
    "view.M.seat.0.sync": {"gallery"},
    "view.*.seat.*.legal": {"gallery"},
    "view.*.rail.sync": {"gallery"},
    "service.dealer.ready": {"dealer"},
    "_INBOX.>": NOBODY,
    "_INBOX.admin.>": {ADMIN},
    "_INBOX.dealer.>": {"dealer"},
    "_INBOX.M.0.>": {SEAT},
    "_INBOX.M.>": NOBODY,
    "_INBOX.M.1.>": NOBODY,
    "_INBOX.guest.>": NOBODY,
    f"{guest_inbox(PASSWORD)}.>": {GUEST},
    f"{guest_inbox(OTHER_PASSWORD)}.>": NOBODY,
    "_R_.>": NOBODY,
    "$SYS.REQ.USER.AUTH": {CALLOUT},
    "$SYS.>": NOBODY,
    "$JS.>": NOBODY,
    "$JS.API.>": NOBODY,
    "$JS.EVENT.ADVISORY.>": NOBODY,
}


class User:
    """A connection, and what it was denied."""

    def __init__(self) -> None:
        self.client = Client()
        self._denied: list[str] = []

    async def note(self, error: Exception) -> None:
        """Keep what the server complains of."""
        self._denied.append(str(error))

    async def denied(self) -> set[str]:
        """The subjects denied so far, in small letters, as nats-py tells them."""
        for _ in range(2):  # the first ping of nats-py overtakes what was not sent yet
            await self.client.flush()
        return {words.split('"')[1] for words in self._denied}


@pytest.fixture
async def house(client: Client, child: MakeChild) -> AsyncIterator[House]:
    """A match whose seats are taken, and a callout that knows of it."""
    house = House(SETTING, log=JetStreamLog(client))
    await house.seat_all()
    async with Processes() as processes:
        await start(processes, client, child(CALLOUT))
        yield house


@asynccontextmanager
async def users(server: NatsServer, house: House) -> AsyncGenerator[dict[str, User]]:
    """Every kind of user, connected."""
    seat, token = seat_user(house.match, 0), house.players[0].token.hex()
    logins = {
        **{name: {"nkeys_seed_str": server.keys.users[name].get_secret_value()} for name in (*USERS, CALLOUT)},
        GUEST: {"user": GUEST, "password": PASSWORD},
        SEAT: {"user": seat, "password": token},
        WATCHER: {},
    }
    async with AsyncExitStack() as stack:
        connected: dict[str, User] = {}
        for name, login in logins.items():
            connected[name] = user = User()
            user.client = await nats.connect(server.url, error_cb=user.note, **login)
            stack.push_async_callback(user.client.close)
        yield connected


def there(subject: str, house: House) -> str:
    """The subject with M and N replaced by the ids of matches."""
    names = {"M": house.match, "N": "N" * 26}
    return ".".join(names.get(part, part) for part in subject.split("."))


async def allowed(users: Mapping[str, User], subjects: Mapping[str, str]) -> dict[str, set[str]]:
    """For each subject the users that were not denied it."""
    denied = {name: await user.denied() for name, user in users.items()}
    return {
        subject: {name for name in users if where.lower() not in denied[name]} for subject, where in subjects.items()
    }


async def test_each_user_publishes_where_it_is_his_to_and_nowhere_else(server: NatsServer, house: House) -> None:
    subjects = {subject: there(subject, house) for subject in PUBLISH}
    async with users(server, house) as connected:
        for user in connected.values():
            for subject in subjects.values():
                await user.client.publish(subject)
        assert await allowed(connected, subjects) == PUBLISH


async def test_each_user_hears_what_is_for_him_and_nothing_else(server: NatsServer, house: House) -> None:
    subjects = {subject: there(subject, house) for subject in SUBSCRIBE}
    async with users(server, house) as connected:
        for user in connected.values():
            for subject in subjects.values():
                await user.client.subscribe(subject)
        assert await allowed(connected, subjects) == SUBSCRIBE


async def test_a_queue_group_opens_no_subject(server: NatsServer, house: House) -> None:
    """Who joined the referees' queue would take commands, and the tokens in them, away."""
    async with users(server, house) as connected:
        for name in PLAYERS:
            await connected[name].client.subscribe("cmd.>", "referee")
            assert await connected[name].denied() == {"cmd.>"}


async def test_the_inbox_of_a_service_is_its_own() -> None:
    prefixes = [user_inbox(name) for name in (*USERS, CALLOUT)]
    assert len(set(prefixes)) == len(prefixes)
