"""Commands that start things: the demo, all services, or one of them."""

from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from schemas.subjects import is_match_id
from services.cli import demonstration
from services.cli.fleet import fleet
from services.cli.output import Exit, err, explained, fail, out, run_to_end, settings_or_fail
from services.games import GAMES
from services.runtime.logging import configure_logging
from services.runtime.processes import interrupted
from services.runtime.settings import Settings


class Service(StrEnum):
    """What `fairdeal run` runs."""

    DEALER = "dealer"
    REFEREE = "referee"
    SCORER = "scorer"
    GALLERY = "gallery"
    CALLOUT = "callout"
    BOTS = "bots"


def demo(
    game: Annotated[str, typer.Argument(help="The game, as `fairdeal games` names it.")] = "gongzhu",
    *,
    preset: Annotated[str | None, typer.Option(help="A preset of the game.")] = None,
    pace: Annotated[float, typer.Option(help="Seconds a bot thinks before it acts.", min=0)] = 0.05,
    folder: Annotated[Path, typer.Option("--out", help="Folder for the log files of the match.")] = Path("demo"),
) -> None:
    """Start everything, let bots play a match, show it live, and audit it from its log.

    Example: fairdeal demo gongzhu --pace 0.3
    """
    if game not in GAMES:
        fail(Exit.USAGE, f"{game} is no game here; there are: {', '.join(GAMES)}")
    options = {} if preset is None else {"preset": preset}
    show = demonstration.Demonstration(game, options, pace, folder)
    with demonstration.temporary_store() as store:
        sound = run_to_end(demonstration.run(settings_or_fail(store=store, nats_url=None), show))
    raise typer.Exit(Exit.FINE if sound else Exit.FAILED)


def up(
    *, replicas: Annotated[int, typer.Option(help="How many processes of each service there are.", min=1)] = 1
) -> None:
    """Start all services with an embedded server, until Ctrl-C; what ends before that is started again.

    Example: fairdeal up --replicas 2
    """
    run_to_end(_up(settings_or_fail(), replicas))


def run(
    service: Annotated[Service, typer.Argument(help="Which service.")],
    *,
    match: Annotated[str | None, typer.Option(help="For bots: the match they join.")] = None,
    seat: Annotated[list[int] | None, typer.Option(help="For bots: the seats they take, one option each.")] = None,
    bots: Annotated[
        int,
        typer.Option(
            help="For bots: how many there are, where no seat is named; refused where too few seats are free.", min=1
        ),
    ] = 1,
    pace: Annotated[float, typer.Option(help="For bots: seconds to think before an action.", min=0)] = 0.0,
) -> None:
    """Run one service in this process, as a deployment does.

    Example: fairdeal run bots --match ABCDEFGHIJKLMNOPQRSTUVWXYZ --bots 4
    """
    if service is not Service.BOTS and (match is not None or seat or bots != 1 or pace):
        fail(Exit.USAGE, f"--match, --seat, --bots and --pace are for bots: {service} serves every match")
    settings = settings_or_fail()
    module = import_module(f"services.{service}.app")
    if settings.token is not None and max(len(seat or ()), bots) > 1:
        fail(Exit.USAGE, "FAIRDEAL_TOKEN is the token of one seat, so one bot can have it")
    with explained():
        if service is not Service.BOTS:
            module.run(settings)
        elif match is None or not is_match_id(match):
            fail(Exit.USAGE, "bots need --match: the id that `fairdeal open` printed")
        else:
            module.run(settings, match, seats=seat or (None,) * bots, pace=pace)


async def _up(settings: Settings, replicas: int) -> None:
    configure_logging("up", level=settings.log_level, form=settings.log_format)
    if settings.nats_url is not None:
        err.print("FAIRDEAL_NATS_URL is not used: `fairdeal up` starts a server of its own", style="yellow")
    async with fleet(settings, replicas=replicas):
        out.print(
            f"all services are up; their logs are in {settings.store / 'logs'}; Ctrl-C ends them",
            markup=False,
            soft_wrap=True,
        )
        await interrupted()
