"""The demo: one match from the deal to the verdict, played by bots and watched from one seat."""

import asyncio
import secrets
import shutil
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct
from nats.aio.client import Client
from pydantic import SecretStr
from rich.live import Live

from replay.archive import SUFFIX, Archive, export
from replay.audit import audit_entries
from replay.fold import archive_of
from replay.report import as_text
from replay.story import story
from schemas.codec import Viewer
from services.bots.house import preside
from services.cli.fleet import Fleet, fleet
from services.cli.output import out
from services.client import View, connect_guest, connect_seat, open_match
from services.games import GAMES
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry
from services.runtime.nats_server import is_abandoned
from services.runtime.settings import Settings
from services.screen import table_panel

WATCHED = 0
"""The seat whose eyes the demo looks through."""

STORES = "fairdeal-demo-"
"""How the names of the demos' temporary folders begin."""

FILES: Mapping[str, Viewer] = {"public": "rail", "auditor": "auditor"}
"""The log files that are written, and for whom."""


class Demonstration(Struct, frozen=True):
    """What is to be shown: the game and its options, how fast the bots act, and where the log files go."""

    game: str
    options: dict[str, Any]
    pace: float
    folder: Path


@contextmanager
def temporary_store() -> Generator[Path]:
    """A folder for one demo. Those of demos that were killed, and could not take theirs away, are taken away first."""
    for left in Path(tempfile.gettempdir()).glob(f"{STORES}*"):
        if is_abandoned(left):
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=STORES) as store:
        yield Path(store)


async def run(settings: Settings, show: Demonstration) -> bool:
    """Play and audit the match; whether the audit found nothing. Raises NatsServerError, ChildFailed, Refused."""
    show.folder.mkdir(parents=True, exist_ok=True)  # before a match is played that could not be kept
    async with fleet(settings) as running:
        seats = GAMES[show.game].seats[0]
        token = secrets.token_bytes(32)
        async with connect_guest(running.url) as guest:
            match = await open_match(guest, show.game, show.options, seats=seats)
            out.print(f"match {match}: {seats} bots play {show.game}, as seat {WATCHED} sees it", markup=False)
            for seat in range(seats):
                await _seat_bot(running, show, match, seat, token if seat == WATCHED else None)
            await running.processes.watch_over(_see(running, guest, match, token))
        return _verdict(await JetStreamLog(running.client).read(match), show)


async def _seat_bot(running: Fleet, show: Demonstration, match: str, seat: int, token: bytes | None) -> None:
    arguments = ("run", "bots", "--match", match, "--seat", str(seat), "--pace", str(show.pace))
    bot = running.child(f"bot-{seat}", *arguments, token=None if token is None else SecretStr(token.hex()))
    await running.processes.start(bot)


async def _see(running: Fleet, guest: Client, match: str, token: bytes) -> None:
    """Show the match to its end, from when the watched seat is taken; beside it the house decides where it must."""
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(preside(JetStreamLog(running.client), running.client, match, running.house))
            await _until_seated(View(guest, match))
            async with connect_seat(running.url, match, WATCHED, token) as own:
                await _watch(View(own, match, WATCHED, token))
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None  # the first that failed has ended the other


async def _until_seated(rail: View) -> None:
    """Wait until the watched seat is taken: before that its token opens nothing."""
    async for frame, _ in rail.frames():
        if frame.table.places[WATCHED].joined:
            return


async def _watch(view: View) -> None:
    """Show every frame: as a picture on a terminal, else as a line."""
    if not out.is_terminal:
        async for frame, message in view.frames():
            for line in story(Archive(WATCHED, (message,))):
                out.print(line, markup=False, soft_wrap=True)
            if frame.table.over:
                return
    with Live(console=out, auto_refresh=False) as live:
        async for frame, _ in view.frames():
            live.update(table_panel(frame.table, watched=WATCHED), refresh=True)
            if frame.table.over:
                return


def _verdict(entries: list[Entry], show: Demonstration) -> bool:
    """Audit the stored log, write the files, and say what came of it and what one may do now."""
    report = audit_entries(entries)
    out.print("\nthe audit of its log:", style="bold")
    out.print(as_text(report), markup=False, soft_wrap=True)
    archive, _ = archive_of(entries)
    paths = {name: show.folder / f"{report.match}.{name}{SUFFIX}" for name in FILES}
    for name, viewer in FILES.items():
        paths[name].write_bytes(export(archive, viewer))
    out.print("what one may do now:", style="bold")
    for command in (
        f"fairdeal replay {paths['auditor']}",
        f"fairdeal replay {paths['auditor']} --seat {WATCHED} --to 40",
        f"fairdeal audit {paths['public']} {paths['auditor']}",
        f"fairdeal export {paths['auditor']} --viewer seat.{WATCHED}",
    ):
        out.print(f"  {command}", markup=False, soft_wrap=True)
    return report.ok
