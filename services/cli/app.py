"""All commands, in the order in which one meets them."""

import typer

from services.cli import hands, keys, lab, listing, logs, matches, operate, seats, server

app = typer.Typer(
    name="fairdeal",
    help="Card games on an append-only log: every match can be replayed, audited and watched.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)

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
    """The entry point."""
    app()
