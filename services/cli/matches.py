"""Commands about games and matches."""

import asyncio
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table as Grid

from services.cli.connect import Unreachable, connected
from services.cli.output import Exit, err, fail, out, print_json, run_to_end, settings_or_fail
from services.client import open_match
from services.games import GAMES
from services.games.game import Game

ANSWER_SECONDS = 5.0
"""How long a command waits for the referee."""


def games(*, json: Annotated[bool, typer.Option("--json", help="Print a list.")] = False) -> None:
    """List the games, with their numbers of seats and presets.

    Example: fairdeal games --json
    """
    if json:
        print_json([_facts(game) for game in GAMES.values()])
        return
    grid = Grid("game", "name", "名称", "seats", "presets", box=None)
    for game in GAMES.values():
        grid.add_row(game.name, *game.title, _numbers(game), ", ".join(game.presets))
    out.print(grid)


def open_(
    game: Annotated[str, typer.Argument(help="The game, as `fairdeal games` names it.")],
    *,
    preset: Annotated[str | None, typer.Option(help="A preset of the game.")] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="An option as NAME=VALUE, the value in JSON.")
    ] = None,
    seats: Annotated[int | None, typer.Option(help="How many play.", min=1)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a document.")] = False,
) -> None:
    """Open a match; prints its id, by which players join.

    Example: fairdeal open gongzhu --preset standard -o lose_at=-500 -o first_dealer=2
    """
    if game not in GAMES:
        fail(Exit.USAGE, f"{game} is no game here; there are: {', '.join(GAMES)}")
    options = ({} if preset is None else {"preset": preset}) | dict(map(_option, option or []))
    number = seats or GAMES[game].seats[0]
    settings = settings_or_fail()

    async def ask() -> str:
        async with connected(settings) as nats:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    return await open_match(nats, game, options, seats=number)
            except TimeoutError:
                raise Unreachable("no referee answers; `fairdeal up` starts all services") from None

    match = run_to_end(ask())
    if json:
        print_json({"match": match})
    else:
        out.print(match)
        hint = f"bots take its seats with: fairdeal run bots --match {match} --bots {number}"
        err.print(hint, style="dim", markup=False, soft_wrap=True)


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        fail(Exit.USAGE, f"{text} is not NAME=VALUE")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _facts(game: Game[Any, Any]) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": {"en": game.title[0], "zh": game.title[1]},
        "rules": game.version,
        "seats": game.seats,
        "presets": list(game.presets),
        "reveal": game.reveal,
    }


def _numbers(game: Game[Any, Any]) -> str:
    return ", ".join(map(str, game.seats))
