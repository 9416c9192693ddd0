"""The command that lists the matches on a server, without reading their whole logs."""

import asyncio
import time
from datetime import datetime
from typing import Annotated

import typer
from msgspec import Struct
from msgspec.structs import replace
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig, DeliverPolicy
from nats.js.errors import NotFoundError
from rich.table import Table as Grid

from schemas.codec import BadMessage, Message, NeedsNewer, from_log
from schemas.events import MatchOpened
from schemas.subjects import LOG_STREAM, LOG_SUBJECTS, is_match_id, log_filter
from services.cli.connect import as_operator
from services.cli.output import Exit, err, fail, print_json, print_whole, run_to_end, settings_or_fail
from services.games.fold import Fold
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Unavailable

LIST_SECONDS = 30.0
"""How long the server may take to name the last message of each subject."""


FEW = 64
"""A match of fewer commits may not be filled, and is folded to see; all seats of a longer one were taken."""


class Tail(Struct, frozen=True):
    """The last message of a match: its sequence number, who it leaves due, and when the server stored it."""

    sequence: int
    due: str
    at: datetime


class Listed(Struct, frozen=True, kw_only=True):
    """A match as it is listed; times are milliseconds since 1970, and what cannot be read is None."""

    match: str
    due: str
    moved: int
    commits: int | None = None
    game: str | None = None
    seats: int | None = None
    taken: int | None = None
    opened: int | None = None


def matches(
    *,
    live: Annotated[bool, typer.Option("--live", help="Only those that are not over.")] = False,
    ended: Annotated[bool, typer.Option("--ended", help="Only those that are over.")] = False,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1)] = 20,
    skip: Annotated[int, typer.Option(help="How many to leave out, for the next page.", min=0)] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print a list.")] = False,
) -> None:
    """List the matches on the server, those that moved last first.

    Example: fairdeal matches --live --limit 50
    """
    if live and ended:
        fail(Exit.USAGE, "no match is live and ended; choose --live or --ended")
    settings = settings_or_fail()

    async def look() -> tuple[list[Listed], int]:
        async with as_operator(settings) as client:
            return await _page(client, live=live if live or ended else None, skip=skip, limit=limit)

    rows, total = run_to_end(look())
    if json:
        print_json(rows)
        return
    print_whole(_grid(rows))
    if skip + len(rows) < total:
        err.print(f"{len(rows)} of {total}; the next ones: --skip {skip + len(rows)}", style="dim")


async def _page(client: Client, *, live: bool | None, skip: int, limit: int) -> tuple[list[Listed], int]:
    """The matches of a page, and how many there are on all pages."""
    tails = await last_messages(client)
    wanted = [match for match, tail in tails.items() if live is None or (tail.due != "none") == live]
    wanted.sort(key=lambda match: tails[match].sequence, reverse=True)
    return [await listed(client, match, tails[match]) for match in wanted[skip : skip + limit]], len(wanted)


async def last_messages(client: Client) -> dict[str, Tail]:
    """The last message of every match. Raises Unavailable where there are too many to be told in time."""
    tails: dict[str, Tail] = {}
    ended = asyncio.Event()

    async def take(message: Msg) -> None:
        _, match, _, due = message.subject.split(".")
        metadata = message.metadata
        if is_match_id(match) and (match not in tails or tails[match].sequence < metadata.sequence.stream):
            tails[match] = Tail(metadata.sequence.stream, due, metadata.timestamp)
        if metadata.num_pending == 0:
            ended.set()

    stream = client.jetstream()
    if not (await stream.stream_info(LOG_STREAM)).state.messages:
        return tails
    config = ConsumerConfig(deliver_policy=DeliverPolicy.LAST_PER_SUBJECT, headers_only=True)
    subscription = await stream.subscribe(
        LOG_SUBJECTS, stream=LOG_STREAM, ordered_consumer=True, config=config, cb=take
    )
    try:
        async with asyncio.timeout(LIST_SECONDS):
            await ended.wait()
    except TimeoutError:
        raise Unavailable(f"the matches cannot be listed in {LIST_SECONDS:.0f} s") from None
    finally:
        await subscription.unsubscribe()
    return tails


async def listed(client: Client, match: str, tail: Tail) -> Listed:
    """A match from its first and its last message; from all where it may have free seats."""
    first, last = await _message(client, match, 1), await _message(client, match, tail.sequence)
    commits = None if last is None else last.commit.index
    row = Listed(match=match, due=tail.due, moved=int(tail.at.timestamp() * 1000), commits=commits)
    for event in first.commit.events if first else ():
        if isinstance(event, MatchOpened):
            taken = await _taken(client, match) if commits is None or commits < FEW else event.seats
            return replace(row, game=event.game, seats=event.seats, taken=taken, opened=first and first.commit.at)
    return row


async def _message(client: Client, match: str, sequence: int) -> Message | None:
    """The first message of the match from this sequence number on, if it is a commit that can be read."""
    try:
        stored = await client.jetstream().get_msg(LOG_STREAM, sequence, subject=log_filter(match), next=True)
        return from_log(stored.data or b"")
    except (BadMessage, NeedsNewer, NotFoundError):
        return None


async def _taken(client: Client, match: str) -> int:
    fold = Fold(match)
    for entry in await JetStreamLog(client).read(match):
        fold.apply(*entry)
    return sum(bool(holder.key) for holder in fold.state.holders) if fold.state else 0


def _grid(rows: list[Listed]) -> Grid:
    now = int(time.time() * 1000)
    grid = Grid(box=None)
    for heading in ("match", "game", "seats", "commits", "due", "opened", "moved"):
        grid.add_column(heading, no_wrap=heading == "match")  # the id is there to be copied
    for row in rows:
        seats = "?" if row.seats is None else f"{row.taken}/{row.seats}"
        opened = "?" if row.opened is None else ago(now - row.opened)
        due = "over" if row.due == "none" else row.due
        grid.add_row(row.match, row.game or "?", seats, str(row.commits or "?"), due, opened, ago(now - row.moved))
    return grid


def ago(milliseconds: int) -> str:
    """How long ago something was, in its largest unit."""
    seconds = max(0, milliseconds // 1000)
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"
