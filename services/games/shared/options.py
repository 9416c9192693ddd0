"""Reading the options of a match."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from schemas.refusals import Code
from services.games.game import Refused

Opt = TypeVar("Opt", bound=Struct)


def read_options(raw: Mapping[str, Any], kind: type[Opt], presets: Mapping[str, Mapping[str, Any]]) -> Opt:
    """The options as they are given, over those of the preset they name. Raises Refused: bad_option."""
    own = dict(raw)
    preset = own.pop("preset", next(iter(presets)))
    if not isinstance(preset, str) or preset not in presets:
        raise Refused(Code.BAD_OPTION, f"the presets are {', '.join(presets)}")
    try:
        return msgspec.convert({**presets[preset], **own}, kind)
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_OPTION, str(error)) from None
