"""The command that takes a seat for a player who goes on with a client of his own."""

import asyncio
import contextlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import msgspec
import typer
from msgspec import Struct
from nats.aio.client import Client

from schemas.cards import Seat
from schemas.codec import Message
from schemas.events import SeatJoined, SeatLeft, SeatLost
from schemas.refusals import Code
from schemas.subjects import is_match_id
from schemas.views import Frame
from services.cli.connect import Unreachable, as_guest
from services.cli.matches import ANSWER_SECONDS
from services.cli.output import Exit, err, fail, out, print_json, run_to_end, settings_or_fail
from services.client import Player, Refused, View
from services.games.match import key_of
from services.runtime.nats_server import server_url

BEFORE_PLAY = frozenset({"joining", "entropy"})
"""The phases in which entropy is asked for."""

OVERTAKEN = frozenset({Code.ALREADY_DECIDED, Code.WRONG_PHASE, Code.STALE})
"""Refusals of entropy that say that the table has moved on; a later frame tells what is asked now."""

LOST = ".lost"
"""What the file of a seat ends with after the seat was lost."""

OVER = "the match is over: there is nothing left to play"

WHY_LOST = "it was left, or the entropy was not shown in time"


class SeatFile(Struct, frozen=True, kw_only=True):
    """What the holder of a seat must keep: his token of 32 bytes, in hex. No seat: it is not taken yet."""

    match: str
    seat: Seat | None
    token: str


def join(
    match: Annotated[str, typer.Argument(help="The match id.", metavar="ID")],
    *,
    seat: Annotated[
        int | None, typer.Option(help="Which; else the one in the folder, or the lowest that is free.", min=0)
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="Folder for the token; else `seats` in the store.")] = None,
    wait: Annotated[bool, typer.Option(help="Wait until all seats are taken, and show the entropy.")] = True,
    json: Annotated[bool, typer.Option("--json", help="Print a document.")] = False,
) -> None:
    """Take a seat and keep its token in a file of yours, to play on with a client of your own.

    The same command again goes on with that seat. Example: fairdeal join ABCDEFGHIJKLMNOPQRSTUVWXYZ --seat 2
    """
    if not is_match_id(match):
        fail(Exit.USAGE, f"{match} is no match id")
    settings = settings_or_fail()
    kept = folder or settings.store / "seats"

    async def sit() -> tuple[SeatFile, Path]:
        async with as_guest(settings) as nats:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    held, path = await take_seat(nats, match, seat, kept)
            except TimeoutError:
                raise Unreachable(
                    "no referee has given it, or no gallery shows it; "
                    "`fairdeal check` tells why, and the same command goes on later"
                ) from None
            if not json:
                out.print(f"seat {held.seat} is yours; its token is in {path}", markup=False, soft_wrap=True)
            if wait:
                err.print("waiting until all seats are taken, to show the entropy; Ctrl-C: later", style="dim")
                async with _player(nats, held).seated(server_url(settings)) as player:
                    await _wait(player, path)
            return held, path

    held, path = run_to_end(sit())
    if json:
        print_json({"match": match, "seat": held.seat, "file": str(path), "shown": wait})
    elif wait:
        out.print("the entropy is shown; play on with the token, as deploy/PROTOCOL.md says")


async def take_seat(nats: Client, match: str, seat: Seat | None, folder: Path) -> tuple[SeatFile, Path]:
    """Take a seat, or find the one that the folder holds; what to keep of it, and where that is. Raises Refused."""
    path = _held_path(folder, match) if seat is None else _path(folder, match, seat)
    kept = _load(path)
    held = kept or _begun(path, match)
    if held.seat is None:
        held, path = await _taken(nats, held, seat, path)
    if kept is not None:
        seen = await View(nats, match).so_far()
        if seen[-1][0].table.over:
            fail(Exit.FAILED, OVER)
        if not _is_held(seen, held):
            _lose(held.seat, path)
    return held, path


def _begun(path: Path, match: str) -> SeatFile:
    """A token that the file holds before it is used: what is lost with it is the seat.

    It is that of another `join`, where one has begun at the same time.
    """
    held = SeatFile(match=match, seat=None, token=secrets.token_hex(32))
    new = _written(path, held)
    try:
        path.hardlink_to(new)
    except FileExistsError:
        return _load(path) or fail(Exit.FAILED, "another `join` of this match has just ended: try again")
    finally:
        new.unlink()
    return held


async def _taken(nats: Client, held: SeatFile, seat: Seat | None, path: Path) -> tuple[SeatFile, Path]:
    """The seat that the referee gives to the token, now or at an earlier try."""
    try:
        accepted = await _player(nats, held).join(seat)
    except Refused:
        _remove(path)
        raise
    held = msgspec.structs.replace(held, seat=accepted.seat)
    final = _path(path.parent, held.match, held.seat)
    _store(final, held)
    if final != path:
        _remove(path)
    return held, final


def _is_held(seen: Sequence[tuple[Frame, Message]], held: SeatFile) -> bool:
    """Whether the seat is still the one of this token."""
    key = b""
    for _, message in seen:
        for event in message.commit.events:
            match event:
                case SeatJoined() if event.seat == held.seat:
                    key = event.key
                case SeatLost() | SeatLeft(free=True) if event.seat == held.seat:
                    key = b""
                case _:
                    pass
    return key == key_of(bytes.fromhex(held.token))


async def _wait(player: Player, path: Path) -> None:
    """Show the entropy when it is asked for; where the seat is lost before, that ends the command. Raises Refused."""
    try:
        await show_entropy(player)
    except Refused as refused:
        if refused.reply.code == Code.BAD_TOKEN:
            _lose(player.seat, path)
        raise


async def show_entropy(player: Player) -> None:
    """Show the entropy as soon as it is asked for, and commit to other before where a seat was lost. Raises Refused."""
    async with contextlib.aclosing(player.view().frames()) as frames:
        async for frame, _ in frames:
            if frame.table.phase not in BEFORE_PLAY:
                return  # it was shown before
            if frame.table.over:
                fail(Exit.FAILED, OVER)
            try:
                if await player.give_entropy(frame):
                    return
            except Refused as refused:
                if refused.reply.code not in OVERTAKEN:
                    raise


def _player(nats: Client, held: SeatFile) -> Player:
    player = Player(nats, held.match, token=bytes.fromhex(held.token))
    player.seat = held.seat or 0
    return player


def _path(folder: Path, match: str, seat: Seat | None) -> Path:
    return folder / f"{match}.{'new' if seat is None else seat}.json"


def _held_path(folder: Path, match: str) -> Path:
    """Where the seat is that the folder holds, or will be; a try that was not answered yet comes before others."""
    new = _path(folder, match, None)
    held = [] if new.exists() else sorted(folder.glob(f"{match}.*.json"))
    if len(held) > 1:
        fail(Exit.USAGE, f"{folder} holds {len(held)} seats of this match: say by --seat which")
    return held[0] if held else new


def _load(path: Path) -> SeatFile | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=SeatFile)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        fail(Exit.FAILED, f"{path} does not hold a seat: {error}")


def _store(path: Path, held: SeatFile) -> None:
    """Write the file whole or not at all."""
    _written(path, held).replace(path)


def _written(path: Path, held: SeatFile) -> Path:
    """What the file is to hold, in one of this process beside it; it is of the user only, since it is the seat."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_suffix(f".{os.getpid()}.tmp")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600)
    new.write_bytes(msgspec.json.encode(held))
    return new


def _remove(path: Path) -> None:
    """Remove the file of a try, unless another `join` with the same token has done so."""
    path.unlink(missing_ok=True)


def _lose(seat: Seat | None, path: Path) -> NoReturn:
    """End the command; the token is left there for its user, but no more as one to go on with."""
    path.replace(path.with_suffix(LOST))
    fail(Exit.FAILED, f"seat {seat} was lost: {WHY_LOST}; the same command again asks for a seat anew")
