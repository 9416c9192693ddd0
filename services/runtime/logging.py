"""Log set-up: our own messages and those of the libraries in one form, from which hidden values are kept out."""

import logging
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Literal, TextIO, cast

import structlog
from structlog.typing import EventDict, Processor

KEYS = ("event", "level", "ts", "service", "match", "index", "hand", "seat", "cause")
OURS = ("services", "schemas", "replay")
HIDDEN = "[hidden]"

_NUMBERS = ("index", "hand", "seat")
_SECRET = re.compile(
    "action|card|cred|deck|draw|entropy|hands|key|legal|passw|pile|private"
    "|salt|secret|seed|share|stock|table|token|value"
)
_USERINFO = re.compile(r"(?<=://)[^/@\s]+@")


def configure_logging(
    service: str,
    *,
    level: Literal["debug", "info", "warning", "error"] = "info",
    form: Literal["auto", "json", "console"] = "auto",
    stream: TextIO | None = None,
) -> None:
    """Send all logging of this process to `stream` (None: standard error), as JSON lines or for a terminal.

    Our modules are heard from `level` on, libraries from `warning` on (at `debug`, from `info` on). Call it after the
    import of FastStream, whose loggers it takes over, and give brokers `logger=structlog.get_logger("faststream")`.
    """
    output = stream or sys.stderr
    console = form == "console" or (form == "auto" and output.isatty())
    handler = logging.StreamHandler(output)
    handler.setFormatter(_formatter(service, console=console, colors=output.isatty()))
    _take_over_loggers()
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel({"debug": "INFO", "error": "ERROR"}.get(level, "WARNING"))
    for name in OURS:
        logging.getLogger(name).setLevel(level.upper())
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.contextvars.merge_contextvars,
            *_common(),
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def hide(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Keep hidden values out of a message: closed by default (design §9).

    A value whose key looks secret is replaced, at any depth; one that is no plain datum (a Struct, bytes) gives the
    name of its type only. `index`, `hand` and `seat` are numbers or hidden, since a hand may also be cards. User and
    password are cut out of addresses. It cannot look into the words of a message: values belong under keys.
    """
    return {key: _hidden(key, value) for key, value in event.items()}


def fault(event: str, error: Exception, **context: object) -> None:
    """Log an unexpected error by its type and where it was raised; its words may hold what is hidden."""
    frames = traceback.extract_tb(error.__traceback__)
    where = [f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    structlog.stdlib.get_logger(__name__).error(event, error=type(error).__qualname__, at=where, **context)


def _hidden(key: str, value: object) -> object:
    if value is None:
        return None
    if _SECRET.search(key.lower()) or (key in _NUMBERS and not isinstance(value, int)):
        return HIDDEN
    match value:
        case bool() | int() | float():
            return value
        case str() | PurePath():
            return _USERINFO.sub("***@", str(value))
        case bytes() if key == "cause":
            return value.hex()
        case Mapping():
            items = cast("Mapping[object, object]", value).items()
            return {str(name): _hidden(str(name), each) for name, each in items}
        case list() | tuple():
            return [_hidden(key, each) for each in cast("Sequence[object]", value)]
        case _:
            return f"<{type(value).__name__}>"


def _common() -> list[Processor]:
    return [structlog.stdlib.add_log_level, structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts")]


def _formatter(service: str, *, console: bool, colors: bool) -> logging.Formatter:
    def add_service(_logger: object, _method: str, event: EventDict) -> EventDict:
        event["service"] = service
        return event

    # The tracebacks must be the plain ones: the rich ones print local variables.
    renderer: Processor = (
        structlog.dev.ConsoleRenderer(
            colors=colors, timestamp_key="ts", sort_keys=False, exception_formatter=structlog.dev.plain_traceback
        )
        if console
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*_common(), structlog.stdlib.ExtraAdder()],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            add_service,
            structlog.processors.format_exc_info,
            hide,
            _in_order,
            renderer,
        ],
    )


def _in_order(_logger: object, _method: str, event: EventDict) -> EventDict:
    return {key: event[key] for key in KEYS if key in event} | dict(event)


def _take_over_loggers() -> None:
    for logger in logging.Logger.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            if logger.handlers:
                logger.handlers.clear()
                logger.setLevel(logging.NOTSET)
            logger.propagate = True
