"""The commands for operators, and for players with a client of their own: check, migrate, matches, join."""

import asyncio
import json
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import typer
from nats.aio.client import Client
from nats.js.errors import NotFoundError

from schemas.cards import Cards
from schemas.clock import Clock
from schemas.subjects import log_subject, sync_subject
from services.cli.listing import ago, last_messages
from services.cli.seats import SeatFile, show_entropy, take_seat
from services.client import Player, View, open_match
from services.runtime.jetstream import JetStreamLog
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Processes
from services.simulate import Simulation
from tests.services.conftest import MakeChild, environ, sit_and_play, start
from tests.services.conftest import fairdeal as command

SECONDS = 30


class Ended(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as a document."""
        return json.loads(self.out)


Fairdeal = Callable[..., Awaitable[Ended]]


@pytest.fixture
def fairdeal(server: NatsServer, tmp_path: Path) -> Fairdeal:
    """Runs a command on the test's server, with further settings."""
    seed = server.keys.users["admin"].get_secret_value()
    own = {"nats_url": server.url, "nats_seed": seed, "store": tmp_path / "own"}

    async def run(*arguments: str, **settings: str) -> Ended:
        process = await asyncio.create_subprocess_exec(
            *command(*arguments),
            env=environ(**own, **settings),
            cwd=tmp_path,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(SECONDS):
            out, err = await process.communicate()
        return Ended(process.returncode or 0, out.decode(), err.decode())

    return run


async def test_check_says_what_is_wrong_and_what_mends_it(bare_client: Client, fairdeal: Fairdeal) -> None:
    before = await fairdeal("check", "--json")
    assert before.code == 1
    failed = [finding for finding in before.json if finding["result"] == "failed"]
    assert {"result": "failed", "what": "stream LOG: is not there", "advice": "`fairdeal migrate` mends it"} in failed
    listed = await fairdeal("matches")
    assert listed.code == 1
    assert "`fairdeal migrate` makes them" in listed.err
    audited = await fairdeal("audit", "A" * 26)
    assert (audited.code, audited.out) == (3, "")
    assert "stream LOG is not on the server: `fairdeal migrate` makes it" in audited.err
    assert (await fairdeal("migrate")).code == 0
    after = await fairdeal("check")
    assert after.code == 0
    assert "the streams and consumers are as they should be" in after.out
    assert "no dealer is ready: start one with `fairdeal run dealer`" in after.out


async def test_check_names_where_settings_come_from_and_hides_secrets(
    client: Client, server: NatsServer, fairdeal: Fairdeal, tmp_path: Path
) -> None:
    (tmp_path / "fairdeal.toml").write_text("log_level = 'error'\n")
    checked = await fairdeal("check", secret="5e" * 32)
    assert "setting log_level = error, from log_level in fairdeal.toml" in checked.out
    assert "setting secret = (hidden), from FAIRDEAL_SECRET" in checked.out
    assert server.url not in checked.out
    assert "5e5e" not in checked.out


async def test_check_knows_the_services_that_are_ready(roles: Processes, fairdeal: Fairdeal) -> None:
    found = {finding["what"]: finding["result"] for finding in (await fairdeal("check", "--json")).json}
    assert found["the dealer is ready"] == found["the referee is ready"] == found["the scorer is ready"] == "ok"
    assert found["no gallery is ready"] == "warning"


async def test_check_refuses_a_wrong_setting(fairdeal: Fairdeal) -> None:
    refused = await fairdeal("check", replicas="2")
    assert refused.code == 2
    assert "FAIRDEAL_REPLICAS" in refused.err


async def test_migrate_shows_the_differences_and_changes_nothing_in_a_dry_run(
    bare_client: Client, fairdeal: Fairdeal
) -> None:
    dry = await fairdeal("migrate", "--dry-run")
    assert dry.code == 1
    assert "stream LOG: is not there" in dry.out
    with pytest.raises(NotFoundError):
        await bare_client.jetstream().stream_info("LOG")
    wet = await fairdeal("migrate")
    assert (wet.code, wet.out) == (0, dry.out)
    again = await fairdeal("migrate", "--dry-run")
    assert (again.code, again.out) == (0, "nothing to change\n")


async def test_migrate_sets_the_timers_that_were_purged(client: Client, roles: Processes, fairdeal: Fairdeal) -> None:
    """Given live matches whose timers are gone; then check says so, and after migrate their waits end."""
    left = [await open_match(client, "gongzhu", {}, seats=4, clock=Clock(join=1)) for _ in range(2)]
    await client.jetstream().purge_stream("TIMERS")
    await open_match(client, "gongzhu", {}, seats=4)
    lost = "stream TIMERS: has no timer for 2 live matches"
    checked = (await fairdeal("check", "--json")).json
    assert {"result": "failed", "what": lost, "advice": "`fairdeal migrate` mends it"} in checked
    assert (await fairdeal("migrate", "--dry-run")).out == f"{lost}\n"
    assert (await fairdeal("migrate")).out == f"{lost}\n"
    async with asyncio.timeout(SECONDS):
        while not all([(await last_messages(client))[match].due == "none" for match in left]):
            await asyncio.sleep(0.05)
    assert (await fairdeal("migrate", "--dry-run")).out == "nothing to change\n"


@pytest.fixture
async def played(client: Client) -> dict[str, str]:
    """Two matches that are over, one that waits for seats, and what is no match at all; by what they are."""
    log = JetStreamLog(client)
    ids: dict[str, str] = {}
    for number, name in enumerate(("first", "second", "waiting")):
        play = Simulation("gongzhu", {"preset": "standard"}, seats=4, seed=bytes([number] * 32))
        sequence, ids[name] = 0, play.match
        entries = await play.run()
        for entry in entries[:4] if name == "waiting" else entries:
            sequence = await log.append(entry.subject, entry.data, expected=sequence)
    await log.append("log.not-an-id.referee.open", b"", expected=0)
    return ids


async def test_matches_are_listed_with_the_last_to_move_first(played: dict[str, str], fairdeal: Fairdeal) -> None:
    rows = (await fairdeal("matches", "--json")).json
    assert [row["match"] for row in rows] == [played["waiting"], played["second"], played["first"]]
    waiting, second, _ = rows
    assert (waiting["due"], waiting["taken"], waiting["seats"], waiting["commits"]) == ("open", 2, 4, 4)
    assert (second["due"], second["taken"], second["game"]) == ("none", 4, "gongzhu")
    assert second["commits"] > 100


async def test_matches_can_be_chosen_and_come_in_pages(played: dict[str, str], fairdeal: Fairdeal) -> None:
    live, ended, page = await asyncio.gather(
        fairdeal("matches", "--live", "--json"),
        fairdeal("matches", "--ended", "--json"),
        fairdeal("matches", "--limit", "1", "--skip", "1"),
    )
    assert [row["match"] for row in live.json] == [played["waiting"]]
    assert [row["match"] for row in ended.json] == [played["second"], played["first"]]
    assert played["second"] in page.out
    assert "1 of 3; the next ones: --skip 2" in page.err


async def test_the_list_of_matches_is_not_cut_where_there_is_no_terminal(
    played: dict[str, str], fairdeal: Fairdeal
) -> None:
    heading, *rows = (await fairdeal("matches")).out.splitlines()
    assert heading.split() == ["match", "game", "seats", "commits", "due", "opened", "moved"]
    assert len(rows) == len(played)
    assert all(
        match in row and row.count("ago") == 2 for match, row in zip(reversed(played.values()), rows, strict=True)
    )


async def test_a_match_whose_messages_cannot_be_read_is_listed_by_its_id(client: Client, fairdeal: Fairdeal) -> None:
    await JetStreamLog(client).append(log_subject("M" * 26, "referee", "dealer"), b"garbage", expected=0)
    [row] = (await fairdeal("matches", "--json")).json
    assert (row["match"], row["due"], row["game"], row["commits"]) == ("M" * 26, "dealer", None, None)


async def test_a_server_without_matches_lists_none(client: Client, fairdeal: Fairdeal) -> None:
    assert (await fairdeal("matches", "--json")).json == []


@pytest.mark.parametrize(
    ("milliseconds", "text"), [(-5, "0 s ago"), (59_999, "59 s ago"), (60_000, "1 min ago"), (172_800_000, "2 d ago")]
)
def test_an_age_is_told_in_its_largest_unit(milliseconds: int, text: str) -> None:
    assert ago(milliseconds) == text


@pytest.fixture
async def table(client: Client, all_services: Processes) -> str:
    """A match that was opened, on services that all run."""
    return await open_match(client, "gongzhu", {"preset": "standard"}, seats=4)


async def closed(client: Client, match: str) -> str:
    """Why the match was closed, once it is."""
    async for frame, _ in View(client, match).frames():
        if frame.table.over:
            return frame.table.closed
    return ""


async def dealt_hand(player: Player) -> Cards:
    """The first hand that is dealt to a player."""
    async for frame, _ in player.view().frames():
        if (hand := frame.table.places[player.seat].hand).n:
            return hand.value
    return ()


async def test_join_takes_a_seat_keeps_its_token_and_shows_the_entropy_when_all_are_there(
    client: Client, table: str, fairdeal: Fairdeal, tmp_path: Path
) -> None:
    path = tmp_path / "own" / "seats" / f"{table}.2.json"
    first = await fairdeal("join", table, "--seat", "2", "--no-wait")
    assert (first.code, first.out) == (0, f"seat 2 is yours; its token is in {path}\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = path.read_bytes()
    others = [Player(client, table) for _ in range(3)]
    assert [(await player.join()).seat for player in others] == [0, 1, 3]
    again = await fairdeal("join", table, "--seat", "2", "--json")
    assert again.json == {"match": table, "seat": 2, "file": str(path), "shown": True}
    assert path.read_bytes() == kept
    for player in others:
        await player.show_entropy()
    own = Player(client, table, token=bytes.fromhex(json.loads(kept)["token"]))
    own.seat = 2
    assert len(await asyncio.wait_for(dealt_hand(own), SECONDS)) == 13


async def test_join_commits_to_other_entropy_where_a_seat_was_lost(client: Client, table: str) -> None:
    """Bots take the other seats; the hand is dealt, since this seat too has committed and shown."""
    joined, leaving = Player(client, table), Player(client, table)
    await joined.join(2)
    await leaving.join(0)
    await leaving.leave()
    bots = [asyncio.create_task(sit_and_play(Player(client, table))) for _ in range(3)]
    try:
        await asyncio.wait_for(show_entropy(joined), SECONDS)
        assert len(await asyncio.wait_for(dealt_hand(joined), SECONDS)) == 13
    finally:
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)


async def test_join_without_a_seat_takes_the_lowest_free_one_and_goes_on_with_it(
    table: str, fairdeal: Fairdeal, tmp_path: Path
) -> None:
    """Where the folder holds several seats of the match, one of them must be named."""
    first, again = [(await fairdeal("join", table, "--no-wait", "--json")).json for _ in range(2)]
    assert first == again
    assert first["seat"] == 0
    assert (await fairdeal("join", table, "--seat", "1", "--no-wait")).code == 0
    kept = sorted(path.name for path in (tmp_path / "own" / "seats").iterdir())
    assert kept == [f"{table}.0.json", f"{table}.1.json"]
    unclear = await fairdeal("join", table, "--no-wait")
    assert unclear.code == 2
    assert "holds 2 seats of this match: say by --seat which" in unclear.err


async def test_two_joins_at_once_take_one_seat(
    client: Client, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second finds the file of the first, or finds it only when it writes its own."""

    def other_comes_first(_: int) -> str:
        (tmp_path / "seats" / f"{table}.3.json").write_bytes(msgspec.json.encode(other))
        return "b" * 64

    first, second = await asyncio.gather(*(take_seat(client, table, None, tmp_path / "seats") for _ in range(2)))
    assert first == second
    other = SeatFile(match=table, seat=None, token="a" * 64)
    monkeypatch.setattr("secrets.token_hex", other_comes_first)
    held, path = await take_seat(client, table, 3, tmp_path / "seats")
    assert held == msgspec.structs.replace(other, seat=3)
    assert sorted((tmp_path / "seats").iterdir()) == [first[1], path]


@pytest.mark.parametrize("next_seat", [0, 1])
async def test_join_says_that_a_seat_was_lost_and_then_takes_one_anew(
    client: Client, table: str, fairdeal: Fairdeal, tmp_path: Path, next_seat: int
) -> None:
    """Given a seat that was freed, whether somebody else has taken it since or not."""
    path = tmp_path / "own" / "seats" / f"{table}.0.json"
    assert (await fairdeal("join", table, "--no-wait")).code == 0
    lost = Player(client, table, token=bytes.fromhex(json.loads(path.read_bytes())["token"]))
    await lost.leave()
    if next_seat:
        await Player(client, table).join(0)
    again = await fairdeal("join", table, "--no-wait")
    assert (again.code, again.out) == (1, "")
    assert "seat 0 was lost" in again.err
    assert "the same command again asks for a seat anew" in again.err
    assert (await fairdeal("join", table, "--no-wait", "--json")).json["seat"] == next_seat


async def test_join_says_that_its_seat_was_lost_while_it_waited(
    client: Client, table: str, fairdeal: Fairdeal, tmp_path: Path
) -> None:
    """Given a seat that is left once its holder has asked for its frames."""
    path = tmp_path / "own" / "seats" / f"{table}.0.json"
    asked = await client.subscribe(sync_subject(table, 0), max_msgs=1)
    waiting = asyncio.ensure_future(fairdeal("join", table))
    await asked.next_msg(SECONDS)
    await Player(client, table, token=bytes.fromhex(json.loads(path.read_bytes())["token"])).leave()
    lost = await waiting
    assert lost.code == 1
    assert "seat 0 was lost" in lost.err
    assert sorted(each.name for each in (tmp_path / "own" / "seats").iterdir()) == [f"{table}.0.lost"]


@pytest.mark.parametrize("further", [(), ("--no-wait",)])
async def test_join_says_that_a_match_was_closed_while_it_was_away(
    client: Client, all_services: Processes, fairdeal: Fairdeal, further: tuple[str, ...]
) -> None:
    match = await open_match(client, "gongzhu", {}, seats=4, clock=Clock(join=2))
    assert (await fairdeal("join", match, "--no-wait")).code == 0
    assert await asyncio.wait_for(closed(client, match), SECONDS)
    again = await fairdeal("join", match, *further)
    assert (again.code, again.out) == (1, "")
    assert "the match is over" in again.err


async def test_join_ends_where_the_match_is_closed_while_it_waits(
    client: Client, all_services: Processes, capsys: pytest.CaptureFixture[str]
) -> None:
    player = Player(client, await open_match(client, "gongzhu", {}, seats=4, clock=Clock(join=2)))
    await player.join()
    with pytest.raises(typer.Exit):
        await asyncio.wait_for(show_entropy(player), SECONDS)
    assert "the match is over" in capsys.readouterr().err


async def test_a_seat_that_is_taken_is_refused_and_leaves_no_file(
    client: Client, table: str, fairdeal: Fairdeal, tmp_path: Path
) -> None:
    await Player(client, table).join(1)
    refused = await fairdeal("join", table, "--seat", "1")
    assert refused.code == 2
    assert "seat_taken" in refused.err
    assert list((tmp_path / "own" / "seats").iterdir()) == []


async def test_join_refuses_what_is_no_match_id(fairdeal: Fairdeal) -> None:
    assert (await fairdeal("join", "cmd.>")).code == 2


async def test_join_does_not_wait_for_ever_for_a_referee(
    client: Client, fairdeal: Fairdeal, child: MakeChild, tmp_path: Path
) -> None:
    async with Processes() as processes:
        await start(processes, client, child("callout"))
        unanswered = await fairdeal("join", "M" * 26, "--seat", "0")
    assert unanswered.code == 3
    assert "no referee has given it" in unanswered.err
    assert (tmp_path / "own" / "seats" / f"{'M' * 26}.0.json").exists()
