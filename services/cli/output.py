"""How the commands speak: colour on a terminal only, errors to stderr, and the exit codes."""

import asyncio
import signal
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from enum import IntEnum
from typing import Any, NoReturn, TypeVar

import msgspec
import nats.errors
import typer
from nats.js.errors import NotFoundError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from services.bots.app import TooFewSeats
from services.cli.connect import Unreachable
from services.client import NotConnected, Refused
from services.prose import refusal_text
from services.runtime.log import Unavailable
from services.runtime.nats_server import NatsServerError, NoServer
from services.runtime.processes import ChildFailed
from services.runtime.provision import ProvisionError
from services.runtime.settings import Settings, SettingsError, load_settings
from services.witness import Altered, BrokenChain, Dropped

T = TypeVar("T")

TO_CONNECT = "look at FAIRDEAL_NATS_URL and FAIRDEAL_NATS_SEED; where neither is set, `fairdeal up` starts a server"
"""What to do where there is no connection."""

UNBOUNDED = 10_000
"""More columns than any table has."""

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


class Exit(IntEnum):
    """What the exit code tells a script."""

    FINE = 0
    FAILED = 1
    USAGE = 2
    UNREACHABLE = 3
    INTERRUPTED = 130


def fail(code: Exit, message: str) -> NoReturn:
    """Say why on stderr, and end with this exit code."""
    err.print(message, style="red", markup=False, soft_wrap=True)
    raise typer.Exit(code)


def settings_or_fail(**flags: object) -> Settings:
    """The settings of this call; a wrong one ends the command."""
    try:
        return load_settings(flags=flags)
    except SettingsError as error:
        fail(Exit.USAGE, str(error))


def run_to_end(task: Coroutine[Any, Any, T]) -> T:
    """Run the work of a command; SIGINT and SIGTERM end it in good order, and what goes wrong ends the command."""
    with explained():
        return asyncio.run(_ended_by_sigterm(task))


@contextmanager
def explained() -> Generator[None]:
    """Say in words why a command cannot go on, and end it with the exit code for that."""
    try:
        yield
    except (KeyboardInterrupt, asyncio.CancelledError):
        fail(Exit.INTERRUPTED, "interrupted")
    except NotConnected as error:
        fail(Exit.UNREACHABLE, f"{error}; {TO_CONNECT}")
    except (NoServer, Unreachable, Unavailable) as error:
        fail(Exit.UNREACHABLE, str(error))
    except Refused as refused:
        code, detail = refused.reply.code, refused.reply.detail
        fail(Exit.USAGE, f"{refusal_text(code)} ({code}{detail and f': {detail}'})")
    except TimeoutError:
        advice = "set FAIRDEAL_NATS_SEED to the operator's; `fairdeal check` tells more"
        fail(Exit.UNREACHABLE, f"JetStream does not answer in time, or not this user: {advice}")
    except NotFoundError:
        fail(Exit.FAILED, "the streams are not on the server: `fairdeal migrate` makes them")
    except nats.errors.Error as error:
        fail(Exit.UNREACHABLE, f"the NATS server says: {error}; `fairdeal check` tells more")
    except (SettingsError, TooFewSeats) as error:
        fail(Exit.USAGE, str(error))
    except RecursionError:
        fail(Exit.FAILED, "a value is nested too deeply to be read")
    except (
        Altered,
        BrokenChain,
        Dropped,
        ChildFailed,
        NatsServerError,
        OSError,
        ProvisionError,
    ) as error:
        fail(Exit.FAILED, str(error))


async def _ended_by_sigterm(task: Coroutine[Any, Any, T]) -> T:
    running = asyncio.ensure_future(task)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    return await running


def print_json(value: object) -> None:
    """One JSON document on stdout, for scripts."""
    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2))  # bytes: UTF-8, whatever the terminal's is


def print_whole(table: Table) -> None:
    """A table on stdout; where that is no terminal, as wide as it is, so that a script reads all of it."""
    console = out if out.is_terminal else Console(highlight=False, width=UNBOUNDED)
    console.print(table)


@contextmanager
def progress(what: str, total: int) -> Generator[Progress]:
    """A progress bar on stderr, on a terminal only; its one task has id 0."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        bar.add_task(what, total=total)
        yield bar
