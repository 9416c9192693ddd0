"""The command on files of other projects: import."""

import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from replay.archive import SUFFIX
from replay.archive import export as exported
from replay.formats.phh import archive_of_hand, hands_in
from schemas.refusals import Code
from services.cli.output import Exit, err, explained, fail, out, print_json, progress
from services.games.game import Refused

SUFFIXES = (".phh", ".phhs")


class Imported(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one hand: the log file, or the code it is refused with."""

    source: str
    file: str = ""
    code: Code | None = None
    detail: str = ""


def import_(
    sources: Annotated[list[Path], typer.Argument(help="PHH files, or folders of them.", metavar="FILE|FOLDER…")],
    *,
    out_folder: Annotated[Path, typer.Option("--out", help="Folder for one log file a hand.")] = Path("imported"),
    json: Annotated[bool, typer.Option("--json", help="Print a list of results.")] = False,
) -> None:
    """Play recorded poker hands (PHH) again by our rules, as logs whose deal is given; each can be audited.

    Example: fairdeal import hand.phh --out logs
    """
    with explained():
        files = list(_files(sources))
    if not files:
        fail(Exit.USAGE, "there is no .phh or .phhs file")
    if len({target.with_suffix("") for _, target in files}) < len(files):
        fail(Exit.USAGE, "two files of one name would become one log; import them apart")
    results: list[Imported] = []
    with progress("importing", len(files)) as bar, explained():
        for path, target in files:
            results += _hands_of(path, out_folder / target)
            bar.advance(bar.task_ids[0])
    refused = [result for result in results if result.code is not None]
    if json:
        print_json(results)
    else:
        for result in refused:
            err.print(f"{result.source}: {result.code}: {result.detail}", markup=False, soft_wrap=True)
        if len(results) - len(refused) == 1:
            out.print(next(result.file for result in results if result.file), markup=False, soft_wrap=True)
        else:
            out.print(f"{len(results) - len(refused)} hands imported into {out_folder}, {len(refused)} refused")
    raise typer.Exit(Exit.FAILED if refused else Exit.FINE)


def _files(sources: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
    """The files, and where below the folder of logs the log of each goes."""
    for source in sources:
        if source.is_dir():
            found = sorted(path for path in source.rglob("*") if path.suffix in SUFFIXES)
            yield from ((path, path.relative_to(source)) for path in found)
        else:
            yield source, Path(source.name)


def _hands_of(path: Path, target: Path) -> Iterator[Imported]:
    data = path.read_bytes()
    try:
        hands = hands_in(data)
    except Refused as refused:
        yield Imported(source=str(path), code=refused.code, detail=refused.detail)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    for number, fields in enumerate(hands, start=1):
        source = str(path) if len(hands) == 1 else f"{path}:{number}"
        file = target.with_suffix(SUFFIX if len(hands) == 1 else f".{number}{SUFFIX}")
        try:
            file.write_bytes(exported(archive_of_hand(fields, secrets.token_bytes(32)), "auditor"))
        except Refused as refused:
            yield Imported(source=source, code=refused.code, detail=refused.detail)
        else:
            yield Imported(source=source, file=str(file))
