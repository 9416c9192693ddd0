"""Commands on a match's log, from a file or from the server: replay, audit, export."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from replay.archive import SUFFIX, Archive, BadArchive, load, viewer_of
from replay.archive import export as exported
from replay.audit import audit as audited
from replay.audit import audit_entries
from replay.fold import archive_of
from replay.formats.phh import as_file, written
from replay.report import Report, as_text
from replay.story import telling
from schemas.codec import NeedsNewer, Viewer
from schemas.events import MatchOpened
from schemas.subjects import is_match_id
from services.cli.connect import as_operator
from services.cli.output import Exit, explained, fail, out, print_json, progress, run_to_end, settings_or_fail
from services.games.game import Refused
from services.prose import refusal_text
from services.runtime.jetstream import JetStreamLog
from services.runtime.log import Entry

Source = Annotated[str, typer.Argument(help="A match id, or a log file.", metavar="ID|FILE")]
Json = Annotated[bool, typer.Option("--json", help="Print a document.")]


def replay(
    source: Source,
    *,
    to: Annotated[int | None, typer.Option(help="Stop after this commit.", min=1)] = None,
    seat: Annotated[int | None, typer.Option(help="Read with the eyes of this seat.", min=0)] = None,
    rail: Annotated[bool, typer.Option("--rail", help="Read with the eyes of a spectator.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print a list of the commits and their events; `text` is the line.")
    ] = False,
) -> None:
    """Tell a match commit by commit, as the auditor, a seat or a spectator could read it.

    Example: fairdeal replay demo/ABC.auditor.fairdeal --seat 2 --to 80
    """
    if rail and seat is not None:
        fail(Exit.USAGE, "--rail and --seat are two pairs of eyes; choose one")
    archive = _archive(source)
    viewer = _of_match(archive, "rail" if rail else archive.viewer if seat is None else seat)
    try:
        told = list(telling(archive, viewer=viewer, to=to))
    except ValueError as error:
        fail(Exit.USAGE, str(error))
    if json:
        print_json(told)
    else:
        for each in told:
            out.print(each.text, markup=False, soft_wrap=True)


def audit(
    sources: Annotated[list[str], typer.Argument(help="Match ids, or log files.", metavar="ID|FILE…")],
    *,
    json: Annotated[bool, typer.Option("--json", help="Print a list of reports.")] = False,
) -> None:
    """Check logs: the chain, every secret, the deal, and every decision over again. Names what is wrong, and where.

    Example: fairdeal audit demo/*.fairdeal
    """
    reports: list[Report] = []
    with progress("auditing", len(sources)) as bar:
        for source in sources:
            reports.append(_report(source))
            bar.advance(bar.task_ids[0])
    if json:
        print_json(reports)
    else:
        out.print("\n".join(map(as_text, reports)), markup=False, soft_wrap=True, end="")
    raise typer.Exit(Exit.FINE if all(report.ok for report in reports) else Exit.FAILED)


def export(
    source: Source,
    *,
    viewer: Annotated[str, typer.Option(help="Whose file: auditor, rail or seat.N.")] = "rail",
    format_: Annotated[
        Literal["fairdeal", "phh"], typer.Option("--format", help="A log file, or the hands of a poker match as PHH.")
    ] = "fairdeal",
    file: Annotated[Path | None, typer.Option("--out", help="The file to write.")] = None,
) -> None:
    """Write a match to a log file that holds what one viewer may see, and that he can audit.

    Example: fairdeal export ABCDEFGHIJKLMNOPQRSTUVWXYZ --viewer seat.2
    """
    archive = _archive(source)
    try:
        of = _of_match(archive, viewer_of(viewer))
        suffix, data = (SUFFIX, exported(archive, of)) if format_ == "fairdeal" else _as_phh(archive, of)
    except ValueError as error:
        fail(Exit.USAGE, str(error))
    path = file or Path(f"{archive.messages[0].commit.match}.{viewer}{suffix}")
    with explained():
        path.write_bytes(data)
    out.print(path, markup=False, soft_wrap=True)


def _as_phh(archive: Archive, viewer: Viewer) -> tuple[str, bytes]:
    """The hands of the match, and the suffix of the file that holds them. Raises ValueError."""
    try:
        hands = written(archive, viewer)
    except Refused as refused:
        fail(Exit.USAGE, f"{refusal_text(refused.code)} ({refused.code}: {refused.detail})")
    if not hands:
        fail(Exit.FAILED, "no hand of this match has been played to its end")
    return ".phh" if len(hands) == 1 else ".phhs", as_file(hands).encode()


def _report(source: str) -> Report:
    path = Path(source)
    if not path.is_file():
        return audit_entries(_entries(source))
    with explained():
        return audited(path.read_bytes())


def _archive(source: str) -> Archive:
    path = Path(source)
    with explained():
        try:
            archive = load(path) if path.is_file() else archive_of(_entries(source))[0]
        except BadArchive as error:
            fail(Exit.FAILED, f"{path}: {error}; `fairdeal audit` says more")
        except NeedsNewer as error:
            fail(Exit.FAILED, f"{source} needs a newer version of fairdeal, which knows {error}")
    if not archive.messages:
        fail(Exit.FAILED, f"{source} holds no valid commit")
    return archive


def _of_match(archive: Archive, viewer: Viewer) -> Viewer:
    """The viewer, if there is such a seat in the match."""
    for event in archive.messages[0].commit.events:
        if isinstance(event, MatchOpened) and isinstance(viewer, int) and viewer >= event.seats:
            fail(Exit.USAGE, f"there is no seat {viewer}: the seats of this match are 0 to {event.seats - 1}")
    return viewer


def _entries(match: str) -> list[Entry]:
    """The stored messages of a match on the server."""
    if not is_match_id(match):
        fail(Exit.USAGE, f"{match} is neither a file nor a match id")
    settings = settings_or_fail()

    async def fetch() -> list[Entry]:
        async with as_operator(settings) as nats:
            return await JetStreamLog(nats).read(match)

    entries = run_to_end(fetch())
    if not entries:
        fail(Exit.USAGE, f"there is no match {match} on this server")
    return entries
