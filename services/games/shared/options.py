"""Reading the options of a match, and what those of several games must fulfil."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from schemas.cards import Seat
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


def check_seats(seats: int, counts: Sequence[int]) -> None:
    """Whether the game is for so many seats. Raises Refused: bad_option."""
    if seats not in counts:
        number = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
        raise Refused(Code.BAD_OPTION, f"this game is for {number} seats")


def check_dealer(dealer: Seat, *, seats: int) -> None:
    """Whether the first dealer is one of the seats. Raises Refused: bad_option."""
    if dealer >= seats:
        raise Refused(Code.BAD_OPTION, "the dealer is one of the seats")
