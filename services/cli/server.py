"""Commands about the server: whether all is as it should be, and making it so."""

import time
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from typing import Annotated, Literal

import msgspec
import nats.errors
import typer
from msgspec import Struct
from nats.aio.client import Client
from nats.js.errors import APIError, NotFoundError
from pydantic import SecretStr

from schemas.subjects import LOG_STREAM, TIMERS_STREAM, ready_subject
from services.cli.connect import as_operator
from services.cli.fleet import SERVICES
from services.cli.listing import last_messages
from services.cli.output import TO_CONNECT, Exit, out, print_json, run_to_end, settings_or_fail
from services.client import NotConnected
from services.runtime import app
from services.runtime.health import fullness
from services.runtime.log import Unavailable
from services.runtime.nats_server import NoServer
from services.runtime.provision import differences, provision
from services.runtime.settings import Settings, sources
from services.runtime.timers import Timers, without_timer

OLDEST_SERVER = (2, 12)
"""The first version of the NATS server that has all that is used: message schedules came last."""

SKEW_SECONDS = 2
"""By how much the clock of this machine may differ from that of the server."""

ANSWER_SECONDS = 1.0
"""How long a service may take to say that it is ready."""

COLOURS = {"ok": "green", "warning": "yellow", "failed": "red"}


class Finding(Struct, frozen=True, omit_defaults=True):
    """One thing that was checked, and what to do about it."""

    result: Literal["ok", "warning", "failed"]
    what: str
    advice: str = ""


class _Limit(Struct):
    max_bytes: int = -1


class _Size(Struct):
    bytes: int = 0


class _Found(Struct):
    """What is read of the server's answer about the log; `ts` is its clock."""

    ts: datetime | None = None
    config: _Limit = msgspec.field(default_factory=_Limit)
    state: _Size = msgspec.field(default_factory=_Size)


def check(*, json: Annotated[bool, typer.Option("--json", help="Print a list of findings.")] = False) -> None:
    """Check the settings, the server, and what must be on it; says what to do where something is wrong.

    Example: fairdeal check
    """
    settings = settings_or_fail()
    findings = list(_settings_findings(settings))
    if not json:
        _print(findings)

    async def look() -> tuple[list[Finding], Exit]:
        found: list[Finding] = []
        try:
            async with as_operator(settings) as client:
                async for finding in _server_findings(client, settings):
                    found.append(finding)  # noqa: PERF401 - what was found before the server goes away is told too
        except NoServer as error:
            return [Finding("failed", str(error))], Exit.UNREACHABLE
        except NotConnected as error:
            return [Finding("failed", str(error), TO_CONNECT)], Exit.UNREACHABLE
        except (nats.errors.Error, TimeoutError, Unavailable):
            return [*found, Finding("failed", "the server answers no more", "try again")], Exit.UNREACHABLE
        return found, Exit.FAILED if any(each.result == "failed" for each in found) else Exit.FINE

    found, code = run_to_end(look())
    if json:
        print_json([*findings, *found])
    else:
        _print(found)
    raise typer.Exit(code)


def migrate(
    *, dry_run: Annotated[bool, typer.Option(help="Change nothing; exit 1 if there is a difference.")] = False
) -> None:
    """Show what on the server is not as it should be, then make or change it: streams, consumers, lost timers.

    Example: fairdeal migrate --dry-run
    """
    settings = settings_or_fail()

    async def apply() -> list[str]:
        async with as_operator(settings) as client:
            found, unwatched = await differences(client, settings), await _unwatched(client)
            found += _lost_timers(unwatched)
            out.print("\n".join(found or ["nothing to change"]), markup=False, soft_wrap=True)
            if found and not dry_run:
                await provision(client, settings)
                timers = Timers(client, clock=app.now)
                for match in unwatched:  # a referee looks at it at once, and sets the next one
                    await timers.arm(match, app.now())
            return found

    if run_to_end(apply()) and dry_run:
        raise typer.Exit(Exit.FAILED)


def _print(findings: list[Finding]) -> None:
    for finding in findings:
        out.print(finding.result.ljust(8), style=COLOURS[finding.result], end="")
        out.print(finding.what + (f": {finding.advice}" if finding.advice else ""), markup=False, soft_wrap=True)


def _settings_findings(settings: Settings) -> Iterator[Finding]:
    given = sources()
    for key, where in given.items():
        value = getattr(settings, key)
        shown = "(hidden)" if isinstance(value, SecretStr) else value
        yield Finding("ok", f"setting {key} = {shown}, from {where}")
    yield Finding("ok", f"{len(Settings.model_fields) - len(given)} settings have their defaults")


async def _server_findings(client: Client, settings: Settings) -> AsyncIterator[Finding]:
    version = client.connected_server_version
    new_enough = (version.major, version.minor) >= OLDEST_SERVER
    yield Finding(
        "ok" if new_enough else "failed",
        f"NATS server {version.major}.{version.minor}.{version.patch} answers",
        "" if new_enough else "it is too old; {}.{} or newer is needed".format(*OLDEST_SERVER),
    )
    try:
        await client.jetstream().account_info()
    except (APIError, nats.errors.Error, TimeoutError):
        remedy = "enable it for the account of the services, and set FAIRDEAL_NATS_SEED to the operator's"
        yield Finding("failed", "JetStream does not answer this user", remedy)
        return
    found = [*await differences(client, settings), *_lost_timers(await _unwatched(client))]
    for difference in found:
        yield Finding("failed", difference, "`fairdeal migrate` mends it")
    if not found:
        yield Finding("ok", "the streams and consumers are as they should be")
    log = msgspec.json.decode((await client.request(f"$JS.API.STREAM.INFO.{LOG_STREAM}")).data, type=_Found)
    for warning in fullness(log.state.bytes, log.config.max_bytes):
        yield Finding("warning", warning, "set FAIRDEAL_LOG_MAX_BYTES higher and run `fairdeal migrate`")
    if log.ts is not None and (skew := abs(time.time() - log.ts.timestamp())) > SKEW_SECONDS:
        yield Finding("warning", f"the clocks of this machine and the server differ by {skew:.0f} s", "set them right")
    for service in SERVICES:
        yield await _service_finding(client, service)


async def _unwatched(client: Client) -> list[str]:
    """The live matches in which nobody would end a wait, because their timer is lost. Raises Unavailable."""
    try:
        tails = await last_messages(client)
    except NotFoundError:  # there is no log yet
        return []
    return await without_timer(client, [match for match, tail in tails.items() if tail.due != "none"])


def _lost_timers(unwatched: list[str]) -> list[str]:
    return [f"stream {TIMERS_STREAM}: has no timer for {len(unwatched)} live matches"] if unwatched else []


async def _service_finding(client: Client, service: str) -> Finding:
    try:
        await client.request(ready_subject(service), timeout=ANSWER_SECONDS)
    except (nats.errors.Error, TimeoutError):
        return Finding(
            "warning", f"no {service} is ready", f"start one with `fairdeal run {service}`, or all with `fairdeal up`"
        )
    return Finding("ok", f"the {service} is ready")
