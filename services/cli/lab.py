"""Commands that need no server and no match: scenarios and simulations."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from replay.archive import Archive, export
from replay.fold import archive_of
from replay.scenario import run_paths
from schemas.digest import digest
from services.cli.output import Exit, err, explained, fail, out, print_json, progress
from services.games import GAMES
from services.games.game import Refused
from services.simulate import Simulation


def scenario(
    paths: Annotated[list[Path], typer.Argument(help="Files, folders, or JSONL, one scenario a line.", exists=True)],
    *,
    json: Annotated[bool, typer.Option("--json", help="Print a list of results.")] = False,
) -> None:
    """Run scenarios: fixed deals, the actions in them, and what must come out.

    Example: fairdeal scenario tests/games/gongzhu/scenarios
    """
    results = list(run_paths(paths))
    if not results:
        fail(Exit.FAILED, "there is no scenario in these files and folders")
    failed = [(name, failures) for name, failures in results if failures]
    if json:
        print_json([{"scenario": name, "failures": [str(each) for each in failures]} for name, failures in results])
    else:
        for name, failures in failed:
            for failure in failures:
                out.print(f"{name}: {failure}", markup=False, soft_wrap=True)
        out.print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    raise typer.Exit(Exit.FAILED if failed else Exit.FINE)


def simulate(
    game: Annotated[str, typer.Argument(help="The game to play, as `fairdeal games` names it.")],
    *,
    matches: Annotated[int, typer.Option(help="How many matches.", min=1)] = 1,
    seed: Annotated[str, typer.Option(help="The same seed gives the same logs, byte for byte.")] = "0",
    out_folder: Annotated[Path, typer.Option("--out", help="Folder for one log file a match.")] = Path("simulated"),
    preset: Annotated[str | None, typer.Option(help="A preset of the game.")] = None,
    seats: Annotated[int | None, typer.Option(help="How many play.", min=1)] = None,
) -> None:
    """Play whole matches at random, legally, without a server.

    Example: fairdeal simulate gongzhu --matches 10 --seed 7 --out logs
    """
    if game not in GAMES:
        fail(Exit.USAGE, f"{game} is no game here; there are: {', '.join(GAMES)}")
    options = {} if preset is None else {"preset": preset}
    with explained(), progress(f"playing {game}", matches) as bar:
        out_folder.mkdir(parents=True, exist_ok=True)
        for number in range(matches):
            play = Simulation(game, options, seats=seats or GAMES[game].seats[0], seed=_seed(game, seed, number))
            try:
                archive = _archive(play)
            except Refused as refused:
                fail(Exit.USAGE, f"{refused.code}: {refused.detail}")
            (out_folder / f"{play.match}.fairdeal").write_bytes(export(archive, "auditor"))
            bar.advance(bar.task_ids[0])
    err.print(f"{matches} {'match' if matches == 1 else 'matches'} in {out_folder}", markup=False, soft_wrap=True)


def _archive(play: Simulation) -> Archive:
    archive, _ = archive_of(asyncio.run(play.run()))
    return archive


def _seed(game: str, seed: str, number: int) -> bytes:
    return digest("fairdeal/simulation", game, seed, number)
