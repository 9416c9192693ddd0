"""The keys of a deployment: what the server is told, and what each process is given."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from services.cli.output import Exit, explained, fail, out
from services.runtime.keys import credentials, new_secret
from services.runtime.nats_config import accounts_config, new_keys

SERVER_FILE = "accounts.conf"


def keys(
    *,
    folder: Annotated[Path, typer.Option("--out", help="The folder to write; it must not be there yet.")],
    url: Annotated[str, typer.Option(help="The server's address, as the services reach it.")] = "nats://127.0.0.1:4222",
) -> None:
    """Make the keys of a deployment: accounts.conf for the NATS server, and a settings file for each process.

    Example: fairdeal keys --out keys --url nats://nats.example:4222
    """
    with explained():
        try:
            folder.mkdir(mode=0o700, parents=True)
        except FileExistsError:
            fail(Exit.USAGE, f"{folder} is there already; who replaces the dealer's secret cannot deal on old matches")
        for name, text in files(url).items():
            path = folder / name
            path.touch(mode=0o600)
            path.write_text(text, encoding="utf-8")
            out.print(path, markup=False)


def files(url: str) -> dict[str, str]:
    """The files by their names, with new keys in them."""
    made = new_keys()
    settings = {
        f"{name}.toml": _line("nats_url", url)
        + "".join(_line(key, value.get_secret_value()) for key, value in own.items())
        for name, own in credentials(made, new_secret()).items()
    }
    return {SERVER_FILE: msgspec.json.format(msgspec.json.encode(accounts_config(made)), indent=2).decode()} | settings


def _line(key: str, value: str) -> str:
    """A line of TOML, whose strings are written as those of JSON."""
    return f"{key} = {msgspec.json.encode(value).decode()}\n"
