"""All commands, in the order in which one meets them."""

import importlib.metadata
import io
import sys
from typing import Annotated

import typer

from services.cli import hands, keys, lab, listing, logs, matches, operate, seats, server
from services.cli.output import out


def _version(asked: bool) -> None:  # noqa: FBT001 - as typer calls it
    if asked:
        out.print(importlib.metadata.version("fairdeal"))
        raise typer.Exit


app = typer.Typer(
    name="fairdeal",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)


@app.callback()
def common(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version, and no more.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Card games on an append-only log: every match can be replayed, audited and watched."""


for command in (
    operate.demo,
    operate.up,
    operate.run,
    keys.keys,
    server.check,
    server.migrate,
    matches.games,
    matches.open_,
    seats.join,
    listing.matches,
    logs.replay,
    logs.audit,
    logs.export,
    hands.import_,
    lab.scenario,
    lab.simulate,
):
    app.command(command.__name__.rstrip("_"), rich_help_panel=None)(command)
app.add_typer(matches.house, name="house")


def main() -> None:
    """The entry point. What a terminal cannot write stands there escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()
