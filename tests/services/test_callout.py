"""The callout on the real server: who is let in, who is not, and what happens while it is away."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import nats
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from structlog.testing import capture_logs

from schemas.codec import to_log
from schemas.events import SeatLost
from schemas.log import Commit
from schemas.subjects import GUEST, seat_user, view_subject
from services.callout import evictions
from services.callout.app import Refusals
from services.callout.evictions import Evictions
from services.callout.holders import Holders
from services.callout.jwt import BadToken, question
from services.client import NotConnected, connect_guest, connect_seat
from services.runtime.jetstream import JetStreamLog
from services.runtime.nats_config import AUTH_SECONDS, CALLOUT
from services.runtime.nats_server import NatsServer
from services.runtime.nkey import new_user
from services.runtime.processes import Processes
from services.runtime.ready import until_ready
from tests.house import SETTINGS, House
from tests.services.conftest import MakeChild, start
from tests.users import connected

SECONDS = 20
SETTING = next(setting for setting in SETTINGS if setting.game == "gongzhu")
PASSWORD = "0123456789abcdef"


@pytest.fixture
async def callout(client: Client, child: MakeChild) -> AsyncIterator[Processes]:
    """A callout that is started again whenever it ends."""
    async with Processes() as processes:
        await start(processes, client, replace(child(CALLOUT), restart=True))
        yield processes


@pytest.fixture
async def houses(client: Client) -> list[House]:
    """Two matches whose seats are taken."""
    houses = [House(SETTING, name, JetStreamLog(client)) for name in ("one", "other")]
    for house in houses:
        await house.seat_all()
    return houses


async def ignored(_: Exception) -> None:
    """What is refused is raised too."""


async def let_in(server: NatsServer, **login: Any) -> bool:
    """Whether the server lets somebody in who presents this."""
    client = Client()
    try:
        await client.connect(server.url, connect_timeout=SECONDS, allow_reconnect=False, error_cb=ignored, **login)
    except NatsError as error:
        if "Authorization" not in str(error):
            raise
        return False
    else:
        return True
    finally:
        await client.close()


async def test_who_presents_the_token_of_his_seat_is_let_in(
    server: NatsServer, callout: Processes, houses: list[House]
) -> None:
    for house in houses:
        for player in house.players:
            assert await let_in(server, user=seat_user(house.match, player.seat), password=player.token.hex())


async def test_who_presents_anything_else_is_not(
    server: NatsServer, callout: Processes, houses: list[House], client: Client
) -> None:
    mine, other = houses
    match, token = mine.match, mine.players[0].token.hex()
    strangers = [
        (f"{match}.0", mine.players[1].token.hex()),
        (f"{match}.0", other.players[0].token.hex()),
        (f"{match}.0", mine.players[0].key.hex()),
        (f"{match}.0", "00" * 32),
        (f"{match}.0", token[:-2]),
        (f"{match}.0", token + "00"),
        (f"{match}.0", token + "\n"),
        (f"{match}.0", ""),
        (f"{match}.1", token),
        (f"{match}.9", token),
        (f"{match}.-1", token),
        (f"{match}.0\n", token),
        (f"{match}. 0", token),
        (f"{match}.\u0660", token),
        (f"{match}.*", token),
        (f"{match}.>", token),
        (f"{match}.0.0", token),
        (f"{match}.", token),
        (match, token),
        ("*.0", token),
        (">", token),
        (f"{match}.0 {match}.1", token),
        (f"{match.lower()}.0", token),
        (f"{other.match}.0", token),
        ("N" * 26 + ".0", token),
        ("A" * 3000 + ".0", token),
        ("", token),
        (GUEST, ""),
        (GUEST, "short"),
        (GUEST, "x" * 65),
        (GUEST, PASSWORD + ".>"),
        (GUEST, PASSWORD + "\n"),
        ("guest.more", PASSWORD),
        ("admin", token),
        ("dealer", ""),
    ]
    for user, password in strangers:
        assert not await let_in(server, user=user, password=password), (user, password)
    assert not await let_in(server, token=token)
    assert not await let_in(server, nkeys_seed_str=new_user().get_secret_value())
    assert await let_in(server, user=GUEST, password=PASSWORD)


async def test_a_seat_hears_its_own_view_and_the_rail_only(
    server: NatsServer, callout: Processes, houses: list[House]
) -> None:
    mine, other = houses
    heard: list[str] = []

    async def hear(message: Msg) -> None:
        heard.append(message.subject)

    async with (
        connect_seat(server.url, mine.match, 0, mine.players[0].token) as seat,
        connected(server, "gallery") as gallery,
    ):
        views = [view_subject(house.match, number) for house in (other, mine) for number in (1, 0, None)]
        for subject in (">", "view.>", "*.*.*.*", *views):
            await seat.subscribe(subject, cb=hear)
        for _ in range(2):
            await seat.flush()
        for subject in views:
            await gallery.publish(subject)
        async with asyncio.timeout(SECONDS):
            while views[-1] not in heard:
                await asyncio.sleep(0.005)
    assert heard == [view_subject(mine.match, 0), view_subject(mine.match, None)]


async def test_while_the_callout_is_away_nobody_new_is_let_in_and_all_others_go_on(
    server: NatsServer, callout: Processes, houses: list[House], client: Client
) -> None:
    [house, _] = houses
    async with (
        connect_seat(server.url, house.match, 0, house.players[0].token) as seat,
        connected(server, "gallery") as gallery,
    ):
        frames = await seat.subscribe(view_subject(house.match, 0))
        await seat.flush()
        os.kill(callout.pid(CALLOUT), signal.SIGSTOP)
        begun = time.monotonic()
        assert not await let_in(server, user=GUEST, password=PASSWORD)
        assert time.monotonic() - begun >= AUTH_SECONDS * 0.9
        async with connected(server, "dealer") as dealer:
            await dealer.flush()
        await gallery.publish(view_subject(house.match, 0), b"frame")
        assert (await frames.next_msg(SECONDS)).data == b"frame"
        os.kill(callout.pid(CALLOUT), signal.SIGKILL)
        async with asyncio.timeout(SECONDS):
            await until_ready(client, CALLOUT)
        assert await let_in(server, user=GUEST, password=PASSWORD)


# nats-py leaves the socket of a try that was refused to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_a_seat_comes_back_by_itself_when_the_server_was_restarted(
    server: NatsServer, callout: Processes, houses: list[House]
) -> None:
    [house, _] = houses
    async with connect_seat(server.url, house.match, 0, house.players[0].token) as seat, connect_guest(server.url):
        frames = await seat.subscribe(view_subject(house.match, 0))
        os.kill(server.pid, signal.SIGKILL)
        await server.wait()
        await server.restart()
        async with asyncio.timeout(SECONDS), connected(server, "gallery") as gallery:
            while not frames.pending_msgs:
                await gallery.publish(view_subject(house.match, 0), b"frame")
                await gallery.flush()
                await asyncio.sleep(0.01)


async def test_who_has_lost_his_seat_is_put_out_and_hears_nothing_of_its_next_holder(
    server: NatsServer, callout: Processes, client: Client, child: MakeChild
) -> None:
    """He stays connected with what was his token, and would else be shown the cards of the next."""
    house, gone = House(SETTING, log=JetStreamLog(client)), asyncio.Event()
    await house.open()
    for _ in house.players:
        await house.fill(await house.settle())
    loser, other = house.players[3], house.players[2]
    login = {"user": seat_user(house.match, 3), "password": loser.token.hex()}
    await start(callout, client, child("gallery"))

    async def closed() -> None:
        gone.set()

    cheat = await nats.connect(server.url, allow_reconnect=False, closed_cb=closed, error_cb=ignored, **login)
    async with connect_seat(server.url, house.match, 2, other.token) as stays, asyncio.timeout(SECONDS):
        await house.time_out(3)
        await gone.wait()
        assert stays.is_connected
    assert not await let_in(server, **login)
    await house.fill(await house.settle())
    assert house.players[3] != loser
    assert await let_in(server, user=login["user"], password=house.players[3].token.hex())
    assert cheat.is_closed


async def test_a_loss_that_was_refused_by_the_log_puts_nobody_out_and_is_not_waited_for(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evictions, "KNOWN_SECONDS", 0.1)
    lost = Commit(
        match="M" * 26, index=7, by="referee", at=0, cause=bytes(16), prev=bytes(32), events=(SeatLost(seat=1),)
    )
    with capture_logs() as logged:
        await Evictions(client, Holders(client)).take(Msg(client, data=to_log(lost, b"")))
        async with asyncio.timeout(SECONDS):
            while not logged:
                await asyncio.sleep(0.01)
    assert [each["event"] for each in logged] == ["nobody put out by a commit that is not in the log"]


async def test_a_seat_that_is_not_let_in_is_told_so(
    server: NatsServer, callout: Processes, houses: list[House]
) -> None:
    with pytest.raises(NotConnected, match="Authorization"):
        async with connect_seat(server.url, houses[0].match, 0, bytes(32)):
            pass


async def test_no_token_is_written_to_any_log(
    server: NatsServer, callout: Processes, houses: list[House], child: MakeChild
) -> None:
    [house, other] = houses
    tokens = [player.token.hex() for player in (*house.players, *other.players)]
    for player in house.players:
        await let_in(server, user=seat_user(house.match, player.seat), password=player.token.hex())
        await let_in(server, user=seat_user(other.match, player.seat), password=player.token.hex())
    log = child(CALLOUT).log
    assert log is not None
    written = log.read_text() + server.log.read_text()
    assert written.count("not let in") == 1
    assert [token for token in tokens if token in written] == []


def test_a_flood_of_strangers_is_a_line_a_minute_for_each_reason() -> None:
    now = [0.0]
    refusals = Refusals(clock=lambda: now[0])
    with capture_logs() as logs:
        for now[0] in map(float, range(120)):
            refusals.tell("no user name is like this")
            refusals.tell("the token is not the one of this seat")
    assert [entry["times"] for entry in logs] == [1, 1, 60, 60]


@pytest.mark.parametrize("data", [b"", b"x", b"a.b.c", b"a.e30.c", b"..", b"\xff.\xff.\xff", b"a.bnVsbA.c", b"a.e.c"])
def test_what_is_no_question_of_the_server_is_refused(data: bytes) -> None:
    with pytest.raises(BadToken):
        question(data)
