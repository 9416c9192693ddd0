"""The page "Write your own client": its code runs against the real services, and what it names is what there is."""

import asyncio
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import msgpack
from nats.aio.client import Client

from replay.audit import audit_entries
from schemas.actions import CommitEntropy, Join, Open, ShowEntropy
from schemas.codec import MAX_COMMAND_BYTES
from schemas.commands import Accepted, Refused
from schemas.events import EVENT_TAGS
from schemas.refusals import Code
from schemas.subjects import MATCH_ID, OPEN, join_subject, legal_subject, seat_subject, sync_subject, view_subject
from schemas.views import Frame, Synced
from services.client import open_match
from services.gallery.frames import Shown
from services.games.shuffle import entropy_commitment
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry
from services.runtime.mailbox import PER_SENDER
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Processes
from services.simulate import Simulation
from tests.docs.test_readme import anchors

FOLDER = Path(__file__).parents[2] / "deploy"
PAGE = (FOLDER / "PROTOCOL.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"<!-- example: (\S+) -->\n```\w+\n(.*?)```", PAGE, flags=re.DOTALL))
SECONDS = 60

Opens = Callable[..., bool]


async def run(player: Path, *arguments: str) -> tuple[int, str]:
    """Run the player of the page as its reader does, where nothing of ours can be imported."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", str(player), *arguments),
        cwd=player.parent,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(SECONDS):
        out, _ = await process.communicate()
    return process.returncode or 0, out.decode()


async def test_four_players_of_the_page_play_a_whole_match(
    client: Client, server: NatsServer, all_services: Processes, tmp_path: Path
) -> None:
    match = await open_match(client, "gongzhu", {"preset": "standard"}, seats=4)
    player = tmp_path / "player.py"
    player.write_text(EXAMPLES["player.py"], encoding="utf-8")
    played = await asyncio.gather(*(run(player, server.url, match) for _ in range(4)))
    assert [code for code, _ in played] == [0] * 4, played
    assert sorted(out[:7] for _, out in played) == ["seat 0:", "seat 1:", "seat 2:", "seat 3:"]
    report = audit_entries(await JetStreamLog(client).read(match))
    assert report.ok
    assert report.ended


async def test_a_player_of_the_page_who_is_refused_says_why_and_ends(
    server: NatsServer, all_services: Processes, tmp_path: Path
) -> None:
    player = tmp_path / "player.py"
    player.write_text(EXAMPLES["player.py"], encoding="utf-8")
    assert await run(player, server.url, "A" * 26) == (1, "refused: no_such_match\n")


def test_every_link_of_the_page_leads_to_something() -> None:
    links = set(re.findall(r"\]\(((?!https:)[^)\s]+)\)", PAGE))
    here = {link for link in links if link.startswith("#")}
    assert here - anchors(PAGE) == set()
    assert [link for link in links - here if not (FOLDER / link).exists()] == []


def test_the_player_of_the_page_is_short_and_imports_nothing_of_ours() -> None:
    lines = [line for line in EXAMPLES["player.py"].splitlines() if line.strip()]
    assert f"## A player in {len(lines)} lines" in PAGE
    assert len(lines) <= 30
    assert re.findall(r"^(?:import|from) (\S+)", EXAMPLES["player.py"], flags=re.MULTILINE) == [
        *("asyncio,", "contextlib", "msgspec.msgpack"),
    ]


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """The functions of the page for checking openings."""
    names: dict[str, Any] = {}
    exec(EXAMPLES["opens.py"], names)  # noqa: S102 - it is the page that is tested
    return names


@pytest.fixture(scope="module")
def frames() -> list[Any]:
    """All frames of a seat in a match, decoded as a reader of the page decodes them."""
    play = Simulation("gongzhu", {"preset": "standard"}, seats=4, seed=bytes(32))
    entries: list[Entry] = asyncio.run(play.run())
    shown = Shown(play.match)
    steps = [shown.follow(*entry) for entry in entries]
    return [msgpack.decode(step.frame(1)) for step in steps if step is not None]


def test_every_secret_of_a_frame_opens_as_the_page_says(page: dict[str, Any], frames: list[Any]) -> None:
    opened, opens = 0, page["opens"]
    for _, match, _, index, public, secrets, *_ in frames:
        sealed = page["sealed_in"](msgpack.decode(public))
        for slot, salt, value in secrets:
            assert opens(sealed[slot], match, index, slot, salt, value)
            assert not opens(sealed[slot], match, index, slot, salt, [*value, "Qs"] if isinstance(value, list) else 0)
            opened += 1
    assert opened > 10


def test_what_is_revealed_opens_as_the_page_says(page: dict[str, Any], frames: list[Any]) -> None:
    publics = {frame[3]: msgpack.decode(frame[4]) for frame in frames}
    revealed = [each for frame in frames for each in frame[10]]
    assert {slot for _, slot, _, _ in revealed} >= {"deck", "share", "hand.0"}
    for index, slot, salt, value in revealed:
        sealed = page["sealed_in"](publics[index])[slot]
        assert page["opens"](sealed, frames[0][1], index, slot, salt, value)


@pytest.mark.parametrize("vector", json.loads(EXAMPLES["vectors.json"]), ids=lambda vector: vector["slot"])
def test_the_vectors_of_the_page_hold(page: dict[str, Any], vector: dict[str, Any]) -> None:
    sealed = {"slot": vector["slot"], "commitment": bytes.fromhex(vector["commitment"]), "n": vector["n"]}
    place = (vector["match"], vector["index"], vector["slot"])
    assert page["opens"](sealed, *place, bytes.fromhex(vector["salt"]), vector["value"])


def test_the_commitment_to_entropy_is_as_the_page_says(page: dict[str, Any]) -> None:
    match, key, entropy = "M" * 26, bytes(32), bytes(range(32))
    assert '`H("fairdeal/entropy", match, key, entropy)`' in PAGE
    assert page["H"]("fairdeal/entropy", match, key, entropy) == entropy_commitment(match, key, entropy)


def test_the_page_names_the_subjects_the_codes_and_the_forms_that_there_are() -> None:
    named = set(re.findall(r"`([^`\n]+)`", PAGE))
    match = "<match>"
    seats = (seat_subject(match, 0), view_subject(match, 0), sync_subject(match, 0), legal_subject(match, 0))
    assert {OPEN, join_subject(match), view_subject(match, None), sync_subject(match, None)} <= named
    assert {subject.replace("0", "<seat>") for subject in seats} <= named
    codes = {"busy", "unavailable", "not_ready", "stale", "bad_token", "not_your_turn", "must_follow"}
    assert codes <= named & set(Code)
    verbs = {kind.__struct_config__.tag for kind in (Open, Join, ShowEntropy, CommitEntropy)}
    tags = {kind.__struct_config__.tag for kind in (Accepted, Refused, Synced, Frame)}
    assert all(f'"{tag}"' in PAGE or f"type: {tag}" in PAGE for tag in verbs | tags)
    assert {"share_used", "dealer_committed"} <= set(EVENT_TAGS)
    assert ", ".join(Frame.__struct_fields__) in PAGE
    assert f"At most {PER_SENDER} commands" in PAGE
    assert f"{MAX_COMMAND_BYTES // 1024} KiB" in PAGE
    assert MATCH_ID.pattern == "[0-9A-Z]{12,26}"
