"""The settings of every process: defaults, then the file, then the environment, then the flags."""

import os
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError

PREFIX = "FAIRDEAL_"
CONFIG = "FAIRDEAL_CONFIG"
DEFAULT_FILE = "fairdeal.toml"
SCHEMES = frozenset({"nats", "tls", "ws", "wss"})
SECRET_BYTES = 32
SEED = re.compile(r"S[AU][A-Z2-7]{56}")


class SettingsError(Exception):
    """A setting is unknown or cannot have its value; the message names it and where it was given, never a secret."""


def _data_folder() -> Path:
    """The user's folder for what programs keep (XDG; on macOS Application Support)."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _is_replicas(value: int) -> int:
    if value not in (1, 3):
        raise ValueError("must be 1 or 3")
    return value


def _is_seed(value: SecretStr) -> SecretStr:
    if SEED.fullmatch(value.get_secret_value()) is None:
        raise ValueError("must be the seed of an nkey, as `fairdeal keys` writes it")
    return value


def _is_digest(value: str) -> str:
    if len(value) != 2 * SECRET_BYTES or not set(value) <= set("0123456789abcdef"):
        raise ValueError(f"must be {SECRET_BYTES} bytes as {2 * SECRET_BYTES} digits 0-9 a-f")
    return value


def _is_secret(value: SecretStr) -> SecretStr:
    _is_digest(value.get_secret_value())
    return value


def _is_address(value: SecretStr) -> SecretStr:
    text = value.get_secret_value()
    try:
        parts = urlsplit(text if "://" in text else f"nats://{text}")
        complete = bool(parts.hostname) and not parts.netloc.endswith(":")
        sound = parts.scheme in SCHEMES and parts.port != 0  # to ask for the port is to read it
    except ValueError:
        complete = sound = False
    if not (complete and sound) or any(map(str.isspace, text)):
        raise ValueError("must be an address like nats://host:4222")
    return value


def _is_folder(value: Path) -> Path:
    try:
        path = value.expanduser()
        with suppress(PermissionError):  # what may not be looked at may not be needed either
            for each in (path, *path.parents):
                if each.exists() and not each.is_dir():
                    raise ValueError(f"must be a folder, and {each} is none")
    except (OSError, RuntimeError) as error:  # a name is too long; there is no such user's home
        raise ValueError(f"must be a folder, and {value} cannot be one: {error}") from None
    return path


class Settings(BaseModel):
    """All settings, checked. `FAIRDEAL_<KEY>` is the variable of each, `key = …` its line in the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    nats_url: Annotated[SecretStr, AfterValidator(_is_address)] | None = None
    """Address of the NATS server, perhaps with a password in it; unset: the embedded server that runs on `store`."""
    nats_seed: Annotated[SecretStr, AfterValidator(_is_seed)] | None = None
    """The seed of this process's user on the NATS server; unset for players, who need none."""
    nats_issuer: Annotated[SecretStr, AfterValidator(_is_seed)] | None = None
    """For the callout: the seed of the account key by which it signs whom it lets in."""
    nats_server_bin: Path | None = None
    """The nats-server program of the embedded server; unset: the one that is found."""
    store: Annotated[Path, AfterValidator(_is_folder)] = Field(default_factory=lambda: _data_folder() / "fairdeal")
    """Folder of the embedded server."""
    replicas: Annotated[int, AfterValidator(_is_replicas)] = 1
    """Copies of each stream: 1, or 3 in a cluster."""
    log_max_bytes: Annotated[int, Field(gt=0)] = 1 << 30
    """Size at which the stream LOG refuses more, in bytes."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least grave messages that are written."""
    log_format: Literal["auto", "json", "console"] = "auto"
    """`auto`: console on a terminal, else JSON."""
    health_port: Annotated[int, Field(ge=0, le=65535)] | None = None
    """Port on which the process answers `/livez` and `/readyz`; 0: a free one, which it logs; unset: none.

    `fairdeal up` gives each of its processes a free one."""
    health_host: str = "127.0.0.1"
    """Address on which it does; 0.0.0.0 in a container."""
    opens_per_second: Annotated[float, Field(gt=0)] = 100.0
    """How many matches one referee opens in a second, in the long run."""
    opens_burst: Annotated[int, Field(gt=0)] = 1000
    """How many it opens at once."""
    house_key: Annotated[SecretStr, AfterValidator(_is_secret)] | None = None
    """SHA-256 of the house's token, in hex, for matches opened from now on; unset: the house sends no commands."""
    token: Annotated[SecretStr, AfterValidator(_is_secret)] | None = None
    """The token of the house, or of the seat that a bot takes, 32 bytes in hex; unset: the bot makes its own."""
    secret: Annotated[SecretStr, AfterValidator(_is_secret)] | None = None
    """The secret of this process's role, 32 bytes in hex, the same for all its replicas; see `keys`."""


_Layer = dict[str, tuple[str, object]]


def load_settings(*, flags: Mapping[str, object] | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings: defaults < file < `FAIRDEAL_*` < flags.

    A flag of None and an empty variable count as not given. The file is TOML, `fairdeal.toml` in the working directory
    or the path in FAIRDEAL_CONFIG, which must then exist. Raises SettingsError.
    """
    given = _given(flags or {}, environ)
    try:
        return Settings.model_validate({key: value for key, (_, value) in given.items()})
    except ValidationError as error:
        complaints = (
            f"{given[str(each['loc'][0])][0]}: {each['msg'].removeprefix('Value error, ')}" for each in error.errors()
        )
        raise SettingsError("; ".join(complaints)) from None


def sources(*, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Where each setting that is not a default is given, by its key. Raises SettingsError."""
    return {key: where for key, (where, _) in _given({}, environ).items()}


def to_environ(settings: Settings, *, base: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child process that has exactly these settings: `base` with its `FAIRDEAL_*` replaced.

    Holds the secrets. A setting of None is left out, so the child's file may still give it.
    """
    values = {key: getattr(settings, key) for key in Settings.model_fields}
    own = {
        PREFIX + key.upper(): value.get_secret_value() if isinstance(value, SecretStr) else str(value)
        for key, value in values.items()
        if value is not None
    }
    return {key: value for key, value in base.items() if not key.startswith(PREFIX)} | own


def _given(flags: Mapping[str, object], environ: Mapping[str, str]) -> _Layer:
    """The settings that are given, each by the last layer that gives it."""
    layers = (_from_file(environ.get(CONFIG)), _from_environ(environ), _from_flags(flags))
    return {key: pair for layer in layers for key, pair in layer.items()}


def _from_file(chosen: str | None) -> _Layer:
    path = Path(chosen or DEFAULT_FILE)
    if not chosen and not path.exists():
        return {}
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not TOML: {error}") from None
    return _layer((f"{key} in {path}", key, value) for key, value in table.items())


def _from_environ(environ: Mapping[str, str]) -> _Layer:
    names = (name for name in environ if name.startswith(PREFIX) and name != CONFIG and environ[name])
    return _layer((name, name.removeprefix(PREFIX).lower(), environ[name]) for name in names)


def _from_flags(flags: Mapping[str, object]) -> _Layer:
    return _layer((f"--{key.replace('_', '-')}", key, value) for key, value in flags.items() if value is not None)


def _layer(items: Iterable[tuple[str, str, object]]) -> _Layer:
    """Keep of each (where, key, value) the value and where it was given; an unknown key is an error."""
    layer: _Layer = {}
    for where, key, value in items:
        if key not in Settings.model_fields:
            raise SettingsError(f"{where} is no setting; there are: {', '.join(Settings.model_fields)}")
        layer[key] = (where, value)
    return layer
