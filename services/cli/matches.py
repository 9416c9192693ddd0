"""Commands about games and matches, and those of the house."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import msgspec
import typer
from nats.aio.client import Client
from rich.table import Table as Grid

from schemas.actions import Action, Void, as_action
from schemas.clock import Clock
from schemas.subjects import is_match_id
from services.bots.house import preside as by_dice
from services.cli.connect import Unreachable, as_guest, as_operator
from services.cli.output import Exit, err, fail, out, print_json, run_to_end, settings_or_fail
from services.cli.rulebook import facts_of, numbers, print_rulebook, summary_of
from services.client import act_as_house, open_match
from services.games import GAMES
from services.games.game import Game
from services.runtime.jetstream import JetStreamLog
from services.runtime.keys import house_token, store_secret

T = TypeVar("T")

ANSWER_SECONDS = 5.0
"""How long a command waits for the referee."""


def games(
    game: Annotated[str | None, typer.Argument(help="A game, to read all about it.")] = None,
    *,
    json: Annotated[bool, typer.Option("--json", help="Print a document.")] = False,
) -> None:
    """List the games, or print the seats, presets, options and rules of one.

    Example: fairdeal games piquet
    """
    if game is not None:
        chosen = _game(game)
        print_json(facts_of(chosen)) if json else print_rulebook(chosen, out)
        return
    if json:
        print_json([summary_of(each) for each in GAMES.values()])
        return
    grid = Grid("game", "name", "名称", "seats", box=None)
    grid.add_column("presets", overflow="fold")
    for each in GAMES.values():
        grid.add_row(each.name, *each.title, numbers(each), ", ".join(each.presets))
    out.print(grid)


def open_(
    game: Annotated[str, typer.Argument(help="The game, as `fairdeal games` names it.")],
    *,
    preset: Annotated[str | None, typer.Option(help="A preset of the game.")] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="An option as NAME=VALUE, the value in JSON.")
    ] = None,
    seats: Annotated[int | None, typer.Option(help="How many play.", min=1)] = None,
    clock: Annotated[
        list[str] | None,
        typer.Option(help="A time setting as NAME=SECONDS: turn, bank, join, entropy, grace, a phase."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a document.")] = False,
) -> None:
    """Open a match; prints its id, by which players join.

    Example: fairdeal open gongzhu --preset standard -o lose_at=-500 -o first_dealer=2
    """
    known = _game(game)
    options = ({} if preset is None else {"preset": preset}) | dict(map(_option, option or []))
    number = seats or known.seats[0]
    settings, times = settings_or_fail(), _clock(dict(map(_option, clock or [])))

    async def ask() -> str:
        async with as_guest(settings) as nats:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    return await open_match(nats, game, options, seats=number, clock=times)
            except TimeoutError:
                raise Unreachable("no referee has opened it; `fairdeal check` tells why") from None

    match = run_to_end(ask())
    if json:
        print_json({"match": match})
    else:
        out.print(match)
        hint = f"bots take its seats with: fairdeal run bots --match {match} --bots {number}"
        err.print(hint, style="dim", markup=False, soft_wrap=True)


house = typer.Typer(
    help="""What the house may do in a match; FAIRDEAL_TOKEN is its token, or `up` has made one.

    Example: fairdeal house void ABCDEFGHIJKLMNOPQRSTUVWXYZ --reason "the power went"
    """,
    no_args_is_help=True,
)

_MatchId = Annotated[str, typer.Argument(metavar="ID", help="The match.")]


@house.command()
def void(match: _MatchId, *, reason: Annotated[str, typer.Option(help="Why; it stands in the log.")]) -> None:
    """End a match without a result.

    Example: fairdeal house void ABCDEFGHIJKLMNOPQRSTUVWXYZ --reason "the power went"
    """
    _act_as_house(match, as_action(Void(reason=reason)))


@house.command()
def act(match: _MatchId, action: Annotated[str, typer.Argument(help="The action in JSON.")]) -> None:
    """Act as the house, as the rules of the game allow it: a penalty, a ruling on a claim that was challenged.

    Example: fairdeal house act ABCDEFGHIJKLMNOPQRSTUVWXYZ '{"type": "rule", "ruling": "uphold"}'
    """
    try:
        _act_as_house(match, msgspec.json.decode(action, type=dict[str, Any]))
    except msgspec.DecodeError as error:
        fail(Exit.USAGE, f"the action is no JSON object: {error}")


@house.command()
def preside(match: _MatchId) -> None:
    """Decide by the dice whenever the rules leave it to the house, until the match is over.

    Example: fairdeal house preside ABCDEFGHIJKLMNOPQRSTUVWXYZ
    """

    async def decide(nats: Client, token: bytes) -> None:
        log = JetStreamLog(nats)
        if not await log.page(match, 0, 1):
            fail(Exit.USAGE, f"there is no match {match}; `fairdeal matches` lists them")
        await by_dice(log, nats, match, token)

    _as_house(match, decide)


def _act_as_house(match: str, action: Action) -> None:
    async def ask(nats: Client, token: bytes) -> int:
        return (await act_as_house(nats, match, token, action)).index

    out.print(f"done, as commit {_as_house(match, ask)}")


def _as_house(match: str, work: Callable[[Client, bytes], Awaitable[T]]) -> T:
    """What the work gives, done with the operator's connection and the house's token."""
    settings = settings_or_fail()
    if not is_match_id(match):
        fail(Exit.USAGE, f"{match} is no match id")
    if settings.token is not None:
        token = bytes.fromhex(settings.token.get_secret_value())
    elif settings.nats_url is None:
        token = house_token(store_secret(settings.store))
    else:
        fail(Exit.USAGE, "FAIRDEAL_TOKEN is not set: the house proves itself by its token")

    async def connected() -> T:
        async with as_operator(settings) as nats:
            return await work(nats, token)

    return run_to_end(connected())


def _clock(seconds: dict[str, Any]) -> Clock:
    """The clock with these settings; a name that it does not know is taken for a phase's."""
    own = {name: value for name, value in seconds.items() if name in Clock.__struct_fields__ and name != "phases"}
    phases = {name: value for name, value in seconds.items() if name not in own}
    try:
        return msgspec.convert({**own, "phases": phases}, Clock)
    except msgspec.ValidationError as error:
        fail(Exit.USAGE, f"the clock cannot be set like this: {error}")


def _game(name: str) -> Game[Any, Any]:
    if name not in GAMES:
        fail(Exit.USAGE, f"{name} is no game here; there are: {', '.join(GAMES)}")
    return GAMES[name]


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        fail(Exit.USAGE, f"{text} is not NAME=VALUE")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value
