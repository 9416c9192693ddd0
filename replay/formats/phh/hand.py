"""A hand as a PHH file has it: which game, with what options and stacks, and its actions as words."""

import tomllib
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Final, cast

from msgspec import Struct

from schemas.cards import Seat
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shared.poker.options import MOST_CHIPS

MOST_PLACES = 15
"""Behind the point of an amount: more leave too few chips before it."""

GAMES: Final[Mapping[str, str]] = {"NT": "texas_holdem", "FT": "texas_holdem", "F7S": "seven_card_stud"}
"""The games of the variants that are read."""

Words = tuple[str, ...]


class Recorded(Struct, frozen=True, kw_only=True):
    """One hand as it was recorded; amounts are in our chips.

    Attributes:
        options: what the match is opened with.
        scale: our chips for one of the file's.
        actions: in words, without comments.
        finishing: the stacks at the end in our chips, perhaps broken; None where they are not recorded.
    """

    variant: str
    game: str
    options: dict[str, Any]
    seats: int
    scale: int
    actions: tuple[Words, ...]
    finishing: tuple[Decimal, ...] | None

    def amount(self, text: str) -> int:
        """An amount in an action, in our chips. Raises Refused: bad_message."""
        return _whole(_money(text), self.scale)


def hands_in(data: bytes) -> list[Mapping[str, Any]]:
    """The hands of a file, each as its fields: one in a .phh, several in a .phhs. Raises Refused: bad_message."""
    try:
        content = tomllib.loads(data.decode(), parse_float=Decimal)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Refused(Code.BAD_MESSAGE, str(error)) from None
    tables: dict[str, Mapping[str, Any]] = {
        name: table for name, table in content.items() if name.isdecimal() and isinstance(table, dict)
    }
    return [tables[name] for name in sorted(tables, key=int)] if tables else [content]


def recorded(fields: Mapping[str, Any]) -> Recorded:
    """A hand from its fields. Raises Refused: unsupported_variant, or bad_message where a field is malformed."""
    variant = fields.get("variant")
    if not isinstance(variant, str) or variant not in GAMES:
        raise Refused(Code.UNSUPPORTED_VARIANT, f"variant {variant}; {', '.join(GAMES)} are read")
    actions = tuple(filter(None, (_words(action) for action in _list(fields, "actions"))))
    stacks = _amounts(fields, "starting_stacks")
    antes = _each(fields, "antes", stacks)
    blinds = _each(fields, "blinds_or_straddles", stacks) if variant != "F7S" else []
    money = [*stacks, *antes, *blinds]
    money += [_money(fields[name]) for name in ("min_bet", "bring_in", "small_bet", "big_bet") if name in fields]
    money += [_money(words[2]) for words in actions if words[1:2] == ("cbr",) and len(words) > 2]
    scale = _scale(money)
    chips = {
        name: _whole(_money(fields[name]), scale)
        for name in ("min_bet", "bring_in", "small_bet", "big_bet")
        if name in fields
    }
    options: dict[str, Any] = {"stacks": [_whole(stack, scale) for stack in stacks], "max_hands": 1}
    trimmed = fields.get("ante_trimming_status") is not False
    options |= _antes([_whole(ante, scale) for ante in antes], options["stacks"], trimmed=trimmed)
    if variant == "F7S":
        options |= _stud(chips)
    else:
        options |= _holdem(variant, chips, [_whole(blind, scale) for blind in blinds])
    finishing = _amounts(fields, "finishing_stacks") if "finishing_stacks" in fields else None
    return Recorded(
        variant=variant,
        game=GAMES[variant],
        options=options,
        seats=len(stacks),
        scale=scale,
        actions=actions,
        finishing=None if finishing is None else tuple(stack * scale for stack in finishing),
    )


def seat_of(word: str) -> Seat:
    """The seat of a player: `p1` is seat 0, left of the button. Raises Refused: bad_message."""
    if not word.startswith("p") or not word[1:].isdecimal():
        raise Refused(Code.BAD_MESSAGE, f"{word} is no player")
    return int(word[1:]) - 1


def _words(action: object) -> Words:
    if not isinstance(action, str):
        raise Refused(Code.BAD_MESSAGE, "an action is a text")
    return tuple(action.split("#")[0].split())


def _list(fields: Mapping[str, Any], name: str) -> list[object]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise Refused(Code.BAD_MESSAGE, f"{name} is a list")
    return cast(list[object], value)


def _amounts(fields: Mapping[str, Any], name: str) -> list[Decimal]:
    return [_money(value) for value in _list(fields, name)]


def _each(fields: Mapping[str, Any], name: str, stacks: list[Decimal]) -> list[Decimal]:
    """An amount for each seat."""
    amounts = _amounts(fields, name)
    if len(amounts) != len(stacks) or not amounts:
        raise Refused(Code.BAD_MESSAGE, f"{name} has an amount for each player")
    return amounts


def _money(value: object) -> Decimal:
    try:
        amount = Decimal(value) if isinstance(value, str | int | Decimal) else Decimal("NaN")
    except InvalidOperation:
        amount = Decimal("NaN")
    if amount.is_nan():
        raise Refused(Code.BAD_MESSAGE, f"{value} is no amount")
    if not amount.is_finite():
        raise Refused(Code.UNSUPPORTED_VARIANT, "a stack without an end")
    if not -MOST_CHIPS <= amount <= MOST_CHIPS:
        raise Refused(Code.BAD_MESSAGE, "there are too many chips to count")
    return amount


def _scale(money: Iterable[Decimal]) -> int:
    """The smallest power of ten that makes all amounts whole. Raises Refused: bad_message."""
    places = max(0, *(-int(amount.normalize().as_tuple().exponent) for amount in money))
    if places > MOST_PLACES:
        raise Refused(Code.BAD_MESSAGE, f"an amount with more than {MOST_PLACES} places behind the point")
    return int(10**places)


def _whole(amount: Decimal, scale: int) -> int:
    return int(amount * scale)


def _antes(antes: list[int], stacks: list[int], *, trimmed: bool) -> dict[str, Any]:
    """All equal, or one of the big blind alone."""
    if len(set(antes)) == 1:
        if not trimmed and any(stack < antes[0] for stack in stacks):
            raise Refused(Code.UNSUPPORTED_VARIANT, "a short ante that wins all antes")
        return {"ante": antes[0]} if antes[0] else {}
    if any(ante for place, ante in enumerate(antes) if place != 1):  # two are written as their blinds are
        raise Refused(Code.UNSUPPORTED_VARIANT, "antes that differ")
    return {"big_blind_ante": antes[1]}


def _holdem(variant: str, chips: Mapping[str, int], blinds: list[int]) -> dict[str, Any]:
    if len(blinds) < 2 or min(blinds[:2]) <= 0 or any(blinds[2:]):
        raise Refused(Code.UNSUPPORTED_VARIANT, "a straddle, or a blind that is missing or posted by a newcomer")
    options = {"small_blind": blinds[0], "big_blind": blinds[1]}
    if variant == "NT":
        if chips.get("min_bet", blinds[1]) != blinds[1]:
            raise Refused(Code.UNSUPPORTED_VARIANT, "a minimum bet other than the big blind")
        return options
    return options | _limit(chips)


def _stud(chips: Mapping[str, int]) -> dict[str, Any]:
    if "bring_in" not in chips:
        raise Refused(Code.BAD_MESSAGE, "bring_in is missing")
    return {"bring_in": chips["bring_in"], "ranking": "standard", **_limit(chips)}


def _limit(chips: Mapping[str, int]) -> dict[str, Any]:
    if "small_bet" not in chips or "big_bet" not in chips:
        raise Refused(Code.BAD_MESSAGE, "small_bet or big_bet is missing")
    return {"structure": "limit", "small_bet": chips["small_bet"], "big_bet": chips["big_bet"], "max_raises": 4}
