"""A deployment from nothing: keys, the server with its own configuration, one process each, and a match to its end."""

import asyncio
import json
import stat
import subprocess
import tomllib
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from services.cli.connect import as_operator
from services.cli.fleet import SERVICES
from services.runtime.child import end, spawn
from services.runtime.nats_server import find_binary
from services.runtime.processes import Child, Processes
from services.runtime.ready import until_ready
from services.runtime.settings import Settings, load_settings
from tests.services.conftest import ROOT, SECONDS, environ, fairdeal

OPTIONS = ("--option", "hands_limit=1", "--option", "opening_must_play=false")
ADDRESSES = ("0.0.0.0:4222", "127.0.0.1:8222")


def run(*arguments: str, **settings: object) -> str:
    """Run a command in a process of its own; what it prints."""
    env = environ(**settings)
    done = subprocess.run(fairdeal(*arguments), env=env, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """The folder of a deployment's keys."""
    run("keys", "--out", str(tmp_path / "keys"))
    return tmp_path / "keys"


@pytest.fixture
async def url(tmp_path: Path, keys: Path) -> AsyncIterator[str]:
    """The address of a server with the configuration of `deploy/`, but on free ports and a folder of the test."""
    config = (ROOT / "deploy" / "nats.conf").read_text()
    changes = {**dict.fromkeys(ADDRESSES, "127.0.0.1:-1"), "/var/lib/nats": str(tmp_path / "store")}
    for ours, of_test in changes.items():
        assert config.count(ours) == 1
        config = config.replace(ours, of_test)
    (keys / "nats.conf").write_text(config)
    command = [str(find_binary()), "-c", str(keys / "nats.conf"), "--ports_file_dir", str(tmp_path)]
    process = await spawn(command, log=tmp_path / "nats.log")
    ports = tmp_path / f"nats-server_{process.pid}.ports"
    async with asyncio.timeout(SECONDS):
        while not ports.exists() or not ports.read_text().endswith("}"):
            await asyncio.sleep(0.005)
    yield json.loads(ports.read_text())["nats"][0]
    await end(process, grace=SECONDS)


def settings_of(keys: Path, name: str, url: str) -> Settings:
    """The settings of a process that is given its file, and where the server is."""
    return load_settings(environ={"FAIRDEAL_CONFIG": str(keys / f"{name}.toml"), "FAIRDEAL_NATS_URL": url})


async def test_a_deployment_plays_a_match_from_its_keys_to_the_audit(keys: Path, url: str, tmp_path: Path) -> None:
    """Each process has its own file, players have the address alone."""
    players = {"nats_url": url, "store": tmp_path / "nothing"}
    operator = {**players, "config": keys / "admin.toml"}
    assert "stream LOG: is not there" in await asyncio.to_thread(run, "migrate", **operator)
    async with as_operator(settings_of(keys, "admin", url)) as client, Processes() as processes:
        for name in SERVICES:
            env = environ(nats_url=url, config=keys / f"{name}.toml")
            child = Child(name=name, command=fairdeal("run", name), env=env, log=tmp_path / f"{name}.log")
            await processes.start(child, ready=partial(until_ready, client, name))
        match = (await asyncio.to_thread(run, "open", "gongzhu", *OPTIONS, **players)).strip()
        await asyncio.to_thread(run, "run", "bots", "--match", match, "--bots", "4", **players)
        [report] = json.loads(await asyncio.to_thread(run, "audit", match, "--json", **operator))
    assert (report["ok"], report["ended"]) == (True, True)


def test_each_file_is_for_its_owner_only_and_holds_what_is_its_own(keys: Path) -> None:
    files = {path.name: path for path in keys.iterdir()}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files.values()} == {0o600}
    assert stat.S_IMODE(keys.stat().st_mode) == 0o700
    accounts = json.loads(files.pop("accounts.conf").read_text())
    own = {name: tomllib.loads(path.read_text()) for name, path in files.items()}
    assert sorted(own) == sorted(f"{name}.toml" for name in (*SERVICES, "admin"))
    hidden = [value for settings in own.values() for key, value in settings.items() if key != "nats_url"]
    assert len(set(hidden)) == len(hidden) == 12
    assert [value for value in hidden if value in json.dumps(accounts)] == []


def test_keys_that_are_there_are_not_replaced(keys: Path) -> None:
    before = {path: path.read_bytes() for path in keys.iterdir()}
    done = subprocess.run(fairdeal("keys", "--out", str(keys)), env=environ(), capture_output=True, check=False)
    assert done.returncode == 2
    assert {path: path.read_bytes() for path in keys.iterdir()} == before
