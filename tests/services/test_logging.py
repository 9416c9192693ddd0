"""What log lines look like, and what never stands in one."""

import asyncio
import io
import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest
import structlog
from faststream.nats import NatsBroker
from faststream.nats.security import NatsNKey

from services.runtime.logging import configure_logging
from services.runtime.nats_server import NatsServer
from tests.users import TEST_USERS, TESTS

HUSH = "5eA-hush"
SECONDS = 20
SHAPES = ("text", "list", "map", "bytes", "struct")
SECRET_KEYS = (
    *("SALT_KEY", "action", "cards", "deck", "entropy", "handCards", "hand_cards", "password", "salt", "secret"),
    *("seed", "share", "stock", "token", "value"),
    *("hand", "index", "seat"),
)


class Struct(msgspec.Struct):
    """A value that shows its inside in its repr."""

    inside: str


@dataclass
class Plain:
    """As Struct."""

    inside: str


def logger(name: str = "services.dealer") -> structlog.stdlib.BoundLogger:
    """A logger of one of our modules."""
    bound: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return bound


def fail(error: Exception) -> NoReturn:
    """Raise the error, as something called would."""
    raise error


def test_line_has_the_keys_in_order_and_the_bound_ones(output: io.StringIO) -> None:
    configure_logging("dealer", stream=output)
    with structlog.contextvars.bound_contextvars(match="M1", index=7):
        logger().info("dealt", cause=b"\x01\xff", seat=2, hand=1, milliseconds=1.5)
    line = json.loads(output.getvalue())
    assert list(line) == ["event", "level", "ts", "service", "match", "index", "hand", "seat", "cause", "milliseconds"]
    assert line.pop("ts").endswith("Z")
    assert line == {
        "event": "dealt",
        "level": "info",
        "service": "dealer",
        "match": "M1",
        "index": 7,
        "hand": 1,
        "seat": 2,
        "cause": "01ff",
        "milliseconds": 1.5,
    }


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize("key", SECRET_KEYS)
@pytest.mark.parametrize("shape", [HUSH, [HUSH], {"x": HUSH}, HUSH.encode(), Struct(HUSH)], ids=SHAPES)
def test_secret_key_never_shows_its_value(output: io.StringIO, form: str, key: str, shape: object) -> None:
    configure_logging("dealer", form="json" if form == "json" else "console", stream=output)
    logger().error("dealt", **{key: shape, "outer": {key: shape}, "list": [{key: shape}]})
    assert "dealt" in output.getvalue()
    assert HUSH not in output.getvalue()


@pytest.mark.parametrize(
    "value", [Struct(HUSH), Plain(HUSH), HUSH.encode(), {HUSH}, [Struct(HUSH)], {"x": Plain(HUSH)}]
)
def test_value_that_is_no_plain_datum_shows_only_its_type(output: io.StringIO, value: object) -> None:
    configure_logging("dealer", stream=output)
    logger().error("dealt", commit=value)
    assert HUSH not in output.getvalue()
    assert "<" in output.getvalue()


def test_password_in_an_address_is_cut_out_everywhere(output: io.StringIO) -> None:
    configure_logging("dealer", stream=output)
    address = f"nats://services:{HUSH}@127.0.0.1:4222"
    logger().error("lost %s", address, server=address, path=Path("/srv"))
    logging.getLogger("nats.aio.client").error("lost %s", address)
    try:
        fail(ConnectionError(address))
    except ConnectionError:
        logger().exception("lost")
    assert HUSH not in output.getvalue()
    assert output.getvalue().count("nats://***@127.0.0.1:4222") == 4


@pytest.mark.parametrize("form", ["json", "console"])
def test_traceback_shows_no_local_variables(output: io.StringIO, form: str) -> None:
    configure_logging("dealer", form="json" if form == "json" else "console", stream=output)
    hidden = HUSH[::-1][::-1]
    try:
        fail(RuntimeError(f"{len(hidden)} letters"))
    except RuntimeError:
        logger().exception("failed")
    assert "8 letters" in output.getvalue()
    assert HUSH not in output.getvalue()


def test_libraries_come_out_in_the_same_form_and_only_from_warning_on(output: io.StringIO) -> None:
    configure_logging("dealer", stream=output)
    for name in ("faststream", "nats.aio.client", "asyncio"):
        logging.getLogger(name).info("quiet")
        logging.getLogger(name).warning("loud", extra={"subject": "log.M1.dealer.open", "token": HUSH})
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    assert [(line["event"], line["service"], line["subject"]) for line in lines] == [
        ("loud", "dealer", "log.M1.dealer.open")
    ] * 3
    assert HUSH not in output.getvalue()


@pytest.mark.asyncio
async def test_broker_that_is_given_the_logger_writes_through_it(output: io.StringIO, tmp_path: Path) -> None:
    configure_logging("dealer", stream=output)
    async with NatsServer(tmp_path, users=TEST_USERS) as server:
        security = NatsNKey.from_seed(server.keys.users[TESTS].get_secret_value())
        broker = NatsBroker(server.url, security=security, logger=structlog.stdlib.get_logger("faststream"))

        @broker.subscriber("cmd.open")
        async def take(body: bytes) -> None:
            raise RuntimeError(f"{len(body)} bytes")

        async with broker:
            await broker.start()
            await broker.publish(HUSH.encode(), "cmd.open")
            async with asyncio.timeout(SECONDS):
                while "8 bytes" not in output.getvalue():
                    await asyncio.sleep(0.005)
    line = json.loads(output.getvalue())
    assert (line["service"], line["level"], line["extra"]["subject"]) == ("dealer", "error", "cmd.open")
    assert HUSH not in output.getvalue()


@pytest.mark.parametrize(("level", "ours"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
def test_level_is_the_least_grave_that_is_written(output: io.StringIO, level: str, ours: int) -> None:
    names = {"debug": "debug", "info": "info", "warning": "warning", "error": "error"}
    configure_logging("dealer", level=names[level], stream=output)  # type: ignore[arg-type]  # one of the four
    for method in names:
        getattr(logger(), method)("said")
    assert output.getvalue().count("said") == ours


def test_terminal_gets_text_for_people(output: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "isatty", lambda: True)
    configure_logging("dealer", stream=output)
    logger().info("dealt", seat=1)
    assert "dealt" in output.getvalue()
    with pytest.raises(json.JSONDecodeError):
        json.loads(output.getvalue())
