"""The commands against running services, from other processes, which find the server through its store."""

import asyncio
import contextlib
import json
import os
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner, Result

from replay.archive import load
from replay.audit import audit
from schemas.cards import Seat
from schemas.log import ROLES
from schemas.refusals import Code
from services.bots.app import sitting
from services.cli.app import app
from services.client import Refused, connect_guest, open_match
from services.runtime.child import LOG_BYTES
from services.runtime.nats_server import NatsServer, server_url
from services.runtime.settings import Settings
from tests.services.conftest import SECONDS, environ, fairdeal

OPTIONS = ("--option", "hands_limit=1", "--option", "opening_must_play=false")
VIEWERS = ("auditor", "rail", "seat.0", "seat.3")
NO_MATCH = "N" * 26

pytestmark = pytest.mark.usefixtures("alone")


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings but those of the test, and a working directory of its own."""
    monkeypatch.chdir(tmp_path)
    for key in os.environ:
        if key.startswith("FAIRDEAL_"):
            monkeypatch.delenv(key)


def run(*arguments: str, **settings: object) -> Result:
    """Run a command in this process, with these settings."""
    env = {f"FAIRDEAL_{key.upper()}": str(value) for key, value in settings.items()}
    return CliRunner().invoke(app, arguments, env=env)


def run_bots(store: Path, *arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    """Run bots in a process of their own until they end."""
    command = fairdeal("run", "bots", *arguments)
    env = environ(store=store, **settings)
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)


def migrate(store: Path) -> subprocess.CompletedProcess[str]:
    """Run `fairdeal migrate` in a process of its own."""
    env = environ(store=store)
    return subprocess.run(fairdeal("migrate"), env=env, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.fixture(scope="module")
def match(store: Path) -> str:
    """A match that was played to its end by four bots of one process."""
    opened = run("open", "gongzhu", *OPTIONS, "--json", store=store)
    assert opened.exit_code == 0
    match: str = json.loads(opened.stdout)["match"]
    bots = run_bots(store, "--match", match, "--bots", "4")
    assert (bots.returncode, bots.stderr) == (0, "")
    return match


def test_a_match_is_replayed_audited_and_exported_by_its_id(store: Path, match: str) -> None:
    """What comes from the server is what comes from its file."""
    exported = run("export", match, "--viewer", "auditor", store=store)
    assert exported.exit_code == 0
    file = exported.stdout.strip()
    assert file == f"{match}.auditor.fairdeal"
    lines = run("replay", match, "--json", store=store)
    assert lines.exit_code == 0
    assert json.loads(lines.stdout) == json.loads(run("replay", file, "--json").stdout)
    texts = [told["text"] for told in json.loads(lines.stdout)]
    assert run("replay", match, store=store).stdout.splitlines() == texts
    by_id, by_file = (run("audit", source, "--json", store=store) for source in (match, file))
    assert (by_id.exit_code, by_file.exit_code) == (0, 0)
    assert json.loads(by_id.stdout) == json.loads(by_file.stdout)
    [report] = json.loads(by_id.stdout)
    assert (report["ok"], report["match"], report["ended"]) == (True, match, True)
    assert report["decided"] == report["commits"] == len(json.loads(lines.stdout))


def test_the_logs_of_running_services_do_not_grow_for_ever(store: Path) -> None:
    log = store / "logs" / "dealer.log"
    with log.open("ab") as file:
        file.truncate(LOG_BYTES + 1)
    deadline = time.monotonic() + SECONDS
    while log.stat().st_size > LOG_BYTES:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert log.with_name("dealer.log.1").stat().st_size == LOG_BYTES + 1


def test_the_file_of_each_viewer_is_exported_and_passes_the_audit(store: Path, match: str) -> None:
    for viewer in VIEWERS:
        assert run("export", match, "--viewer", viewer, "--out", f"{viewer}.file", store=store).exit_code == 0
        assert audit(Path(f"{viewer}.file").read_bytes()).ok
    assert load(Path("seat.3.file")).viewer == 3
    assert run("audit", *(f"{viewer}.file" for viewer in VIEWERS)).exit_code == 0


def test_a_seat_is_named_that_the_match_does_not_have(store: Path, match: str) -> None:
    for arguments in (("replay", match, "--seat", "4"), ("export", match, "--viewer", "seat.4")):
        result = run(*arguments, store=store)
        assert result.exit_code == 2
        assert "the seats of this match are 0 to 3" in result.stderr


def test_open_without_json_prints_the_id_alone_on_stdout(store: Path) -> None:
    result = run("open", "gongzhu", store=store)
    assert result.exit_code == 0
    [match] = result.stdout.split()
    assert f"fairdeal run bots --match {match}" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["open", "chess"], ["chess is no game here", "gongzhu"]),
        (["open", "gongzhu", "--option", "lose_at=5"], ["An option or the number of seats", "(bad_option"]),
        (["open", "gongzhu", "--option", "no_such=1"], ["An option or the number of seats", "(bad_option", "no_such"]),
        (["open", "gongzhu", "--preset", "nonsense"], ["(bad_option", "the presets are standard"]),
        (["open", "gongzhu", "--seats", "5"], ["(bad_option"]),
        (["open", "gongzhu", "--option", "words"], ["words is not NAME=VALUE"]),
        (["replay", NO_MATCH], [f"there is no match {NO_MATCH}"]),
        (["audit", NO_MATCH], [f"there is no match {NO_MATCH}"]),
        (["export", "nonsense"], ["neither a file nor a match id"]),
    ],
)
def test_what_cannot_be_done_is_refused_in_words_and_with_the_code(
    store: Path, arguments: list[str], words: list[str]
) -> None:
    result = run(*arguments, store=store)
    assert (result.exit_code, result.stdout) == (2, "")
    assert [word for word in words if word not in result.stderr] == []
    assert "Traceback" not in result.stderr


def test_bots_without_a_match_end_with_the_refusal_alone(store: Path) -> None:
    bots = run_bots(store, "--match", NO_MATCH, "--bots", "2")
    assert (bots.returncode, bots.stdout) == (2, "")
    assert bots.stderr == "There is no match with this id; check it. (no_such_match)\n"


def test_bots_that_come_when_the_match_is_over_find_it_full(store: Path, match: str) -> None:
    bots = run_bots(store, "--match", match, "--bots", "2")
    assert (bots.returncode, bots.stderr) == (2, "All seats of this match are taken. (match_full)\n")


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (("--bots", "4"), "4 bots are too many, free seats: 3; no bot has sat down\n"),
        (("--seat", "1", "--seat", "2"), "these seats are not free: 2; no bot has sat down\n"),
        (("--seat", "1", "--seat", "9"), "the seats are 0 to 3; no bot has sat down\n"),
    ],
)
def test_more_bots_than_there_are_free_seats_take_none_of_them(
    store: Path, wanted: tuple[str, ...], words: str
) -> None:
    match = run("open", "gongzhu", store=store).stdout.strip()
    assert run("join", match, "--seat", "2", "--no-wait", store=store).exit_code == 0
    bots = run_bots(store, "--match", match, *wanted)
    assert (bots.returncode, bots.stdout, bots.stderr) == (2, "", words)
    [taken] = (
        row["taken"] for row in json.loads(run("matches", "--json", store=store).stdout) if row["match"] == match
    )
    assert taken == 1


@pytest.mark.parametrize("wanted", [[1, 3, None], [3, None, 1]])
async def test_bots_sit_down_where_seats_are_left_though_others_were_taken_meanwhile(
    store: Path, wanted: list[Seat | None]
) -> None:
    url = server_url(Settings(store=store))
    async with connect_guest(url) as guest:
        match = await open_match(guest, "gongzhu", {}, seats=4)
    with capture_logs() as lines:
        async with sitting(url, match, [3]), sitting(url, match, wanted) as players:
            assert {player.seat for player in players} == {0, 1}
    assert [(line["sit"], line["of"]) for line in lines] == [(2, 3)]


@pytest.mark.parametrize(("wanted", "code"), [([3, 3], Code.SEAT_TAKEN), ([1, 9], Code.NOT_ALLOWED)])
async def test_bots_are_refused_where_none_gets_a_seat_or_one_can_never_have_his(
    store: Path, wanted: list[Seat | None], code: Code
) -> None:
    url = server_url(Settings(store=store))
    async with connect_guest(url) as guest:
        match = await open_match(guest, "gongzhu", {}, seats=4)
    async with sitting(url, match, [3]):
        with pytest.raises(Refused) as refusal:
            async with sitting(url, match, wanted):
                pass
    assert refusal.value.reply.code == code


def test_a_bot_with_the_token_of_its_seat_goes_on_where_it_was_and_ends_with_the_match(store: Path) -> None:
    """It is started again once the match is over, and ends as the first did."""
    match = run("open", "gongzhu", *OPTIONS, store=store).stdout.strip()
    token = "7" * 64
    with subprocess.Popen(fairdeal("run", "bots", "--match", match, "--bots", "3"), env=environ(store=store)) as others:
        assert run_bots(store, "--match", match, "--seat", "3", token=token).returncode == 0
        assert others.wait(SECONDS) == 0
    late = run_bots(store, "--match", match, "--seat", "3", token=token)
    assert (late.returncode, late.stderr) == (0, "")


def test_one_token_is_not_for_two_bots() -> None:
    result = run("run", "bots", "--match", NO_MATCH, "--bots", "2", token="7" * 64)
    assert result.exit_code == 2
    assert "FAIRDEAL_TOKEN" in result.stderr


def test_each_service_of_up_has_its_own_secrets_in_its_environment_and_no_other(store: Path) -> None:
    found: dict[str, dict[str, str]] = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command, variables = ((process / name).read_text().split("\0") for name in ("cmdline", "environ"))
            environment = dict(each.split("=", 1) for each in variables if each.startswith("FAIRDEAL_"))
            if "run" in command and environment.get("FAIRDEAL_STORE") == str(store):
                found[command[command.index("run") + 1]] = environment
    secret = ("FAIRDEAL_NATS_SEED", "FAIRDEAL_NATS_ISSUER", "FAIRDEAL_SECRET", "FAIRDEAL_TOKEN")
    given = {name: [key for key in secret if key in environment] for name, environment in found.items()}
    own = {"gallery": ["FAIRDEAL_NATS_SEED"], "callout": ["FAIRDEAL_NATS_SEED", "FAIRDEAL_NATS_ISSUER"]}
    assert given == own | {role: ["FAIRDEAL_NATS_SEED", "FAIRDEAL_SECRET"] for role in ROLES}
    values = [environment[key] for environment in found.values() for key in secret if key in environment]
    assert len(set(values)) == len(values)


def test_up_on_a_store_that_is_in_use_says_so_and_what_to_do(store: Path) -> None:
    second = run("up", store=store, nats_url="nats://127.0.0.1:1")
    assert (second.exit_code, second.stdout) == (1, "")
    assert second.stderr == (
        "FAIRDEAL_NATS_URL is not used: `fairdeal up` starts a server of its own\n"
        f"the store {store} is in use by another NATS server: "
        "stop that one, or choose another folder (FAIRDEAL_STORE)\n"
    )
    assert run("matches", store=store).exit_code == 0


def test_migrate_changes_nothing_where_all_is_there(store: Path) -> None:
    result = run("migrate", store=store)
    assert (result.exit_code, result.stdout) == (0, "nothing to change\n")


async def test_migrate_says_what_was_missing_and_then_nothing(tmp_path: Path) -> None:
    async with NatsServer(tmp_path / "store") as server:
        first, second = [await asyncio.to_thread(migrate, server.store) for _ in range(2)]
    assert (first.returncode, second.returncode) == (0, 0)
    assert "stream LOG: is not there" in first.stdout
    assert second.stdout == "nothing to change\n"


@pytest.mark.parametrize(
    "arguments",
    [["open", "gongzhu"], ["audit", NO_MATCH], ["migrate"], ["run", "dealer"], ["run", "bots", "--match", NO_MATCH]],
)
def test_where_no_server_is_known_a_command_says_how_to_start_one(tmp_path: Path, arguments: list[str]) -> None:
    result = run(*arguments, store=tmp_path / "nothing")
    assert result.exit_code == 3
    assert "`fairdeal up`" in result.stderr


@pytest.mark.parametrize("address", ["nats://127.0.0.1:1", "nats://nowhere.invalid:4222"])
def test_a_server_that_does_not_answer_is_told_of_at_once(address: str) -> None:
    start = time.monotonic()
    result = run("migrate", nats_url=address)
    assert result.exit_code == 3
    assert "the NATS server does not answer" in result.stderr
    assert time.monotonic() - start < 5


def test_check_prints_a_document_also_where_no_server_answers() -> None:
    result = run("check", "--json", nats_url="nats://127.0.0.1:1")
    assert result.exit_code == 3
    *_, last = json.loads(result.stdout)
    assert last["result"] == "failed"
    assert last["what"].startswith("the NATS server does not answer")
    assert "FAIRDEAL_NATS_URL" in last["advice"]


def test_a_full_device_is_told_of_in_a_line() -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(fairdeal("games"), stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert ended.returncode == 1
    assert b"No space left" in ended.stderr
    assert ended.stderr.count(b"\n") == 1


@pytest.mark.parametrize("command", ["migrate", "matches"])
async def test_who_is_not_the_operator_is_told_what_to_set(server: NatsServer, command: str) -> None:
    env = environ(nats_url=server.url, nats_seed=server.keys.users["scorer"].get_secret_value())
    result = await asyncio.to_thread(
        partial(subprocess.run, fairdeal(command), env=env, capture_output=True, text=True, timeout=60, check=False)
    )
    assert result.returncode == 3
    assert "FAIRDEAL_NATS_SEED" in result.stderr


async def test_a_server_that_was_stopped_is_known_no_more(tmp_path: Path) -> None:
    async with NatsServer(tmp_path / "store") as server:
        assert (server.store / "server" / "url").exists()
    result = await asyncio.to_thread(migrate, server.store)
    assert result.returncode == 3
    assert "no NATS server is known" in result.stderr


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"nonsense": 1}, ["FAIRDEAL_NONSENSE is no setting", "nats_url"]),
        ({"replicas": 2}, ["FAIRDEAL_REPLICAS: must be 1 or 3"]),
        ({"store": __file__}, [f"FAIRDEAL_STORE: must be a folder, and {__file__} is none"]),
        ({"nats_url": "nonsense:port"}, ["FAIRDEAL_NATS_URL: must be an address like nats://host:4222"]),
    ],
)
def test_a_setting_that_is_unknown_or_wrong_is_named(settings: dict[str, Any], words: list[str]) -> None:
    result = run("migrate", **settings)
    assert result.exit_code == 2
    assert [word for word in words if word not in result.stderr] == []
