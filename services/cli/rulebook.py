"""What there is to say of one game: seats, presets, options with their meaning, and the rules."""

import re
from collections.abc import Iterator
from importlib.resources import files
from inspect import getdoc
from pathlib import PurePosixPath
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import fields
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table as Grid

from schemas.cards import SuitedCard
from services.games.game import Game

RULES = "RULES.md"

_LINK = re.compile(r"]\(((?:\.\./)+[\w/]+\.md)\)")
_ATTRIBUTE = re.compile(r"    (\w+): (.*)")
_NONE = re.compile(r"\bNone\b")  # as options are given and printed: null


class Option(Struct, frozen=True, kw_only=True):
    """One option of a game: what it means, what it is by default, what it may be, in words and as JSON Schema."""

    name: str
    meaning: str
    default: Any
    allowed: str
    form: dict[str, Any]


def options_of(game: Game[Any, Any]) -> list[Option]:
    """The options of a game, in the order of its Struct; the meanings are those of its docstring."""
    hints = get_type_hints(game.options, include_extras=True)
    meanings = dict(_meanings(getdoc(game.options) or ""))
    return [
        Option(
            name=field.name,
            meaning=meanings.get(field.name, ""),
            default=msgspec.to_builtins(field.default),
            allowed=_allowed(hints[field.name]),
            form=msgspec.json.schema(hints[field.name]),
        )
        for field in fields(game.options)
    ]


def rules_of(game: Game[Any, Any]) -> str:
    """The rules as Markdown: the game's own, and what they link to of rules that games share."""
    folder = files("services.games").joinpath(game.name)
    own = folder.joinpath(RULES).read_text(encoding="utf-8")
    shared = [folder.joinpath(*PurePosixPath(link).parts) for link in dict.fromkeys(_LINK.findall(own))]
    return "\n\n".join([own, *(file.read_text(encoding="utf-8") for file in shared)])


def facts_of(game: Game[Any, Any]) -> dict[str, Any]:
    """All of it for scripts."""
    return {
        **summary_of(game),
        "presets": game.presets,
        "options": options_of(game),
        "rules_text": rules_of(game),
    }


def summary_of(game: Game[Any, Any]) -> dict[str, Any]:
    """What a list of games says of one."""
    return {
        "name": game.name,
        "title": {"en": game.title[0], "zh": game.title[1]},
        "rules": game.version,
        "seats": game.seats,
        "presets": list(game.presets),
        "reveal": game.reveal,
    }


def print_rulebook(game: Game[Any, Any], out: Console) -> None:
    """Print all of it as text."""
    out.print(f"{game.title[0]} · {game.title[1]}  ({game.name}, rules {game.version})", style="bold", markup=False)
    out.print(f"seats: {numbers(game)}    hands are revealed: {_REVEALED[game.reveal]}")
    for part in (_presets(game), _options(game), Markdown(rules_of(game))):
        out.print()
        out.print(part)


def numbers(game: Game[Any, Any]) -> str:
    """With how many seats the game can be played."""
    least, most = game.seats[0], game.seats[-1]
    return f"{least}" if least == most else f"{least} to {most}"


_REVEALED = {"hand": "after each hand", "match": "after the match", "never": "never"}


def _presets(game: Game[Any, Any]) -> Grid:
    grid = Grid("preset", "options that differ from the default", box=None)
    for name, differences in game.presets.items():
        grid.add_row(name, ", ".join(f"{option} {_text(value)}" for option, value in differences.items()) or "none")
    return grid


def _options(game: Game[Any, Any]) -> Grid:
    grid = Grid("option", "default", "allowed", "meaning", box=None)
    for option in options_of(game):
        grid.add_row(option.name, _text(option.default), option.allowed, option.meaning.replace("`", ""))
    return grid


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode().strip('"')


def _meanings(doc: str) -> Iterator[tuple[str, str]]:
    """The attributes that a docstring names, each with its text on one line."""
    _, _, section = doc.partition("Attributes:\n")
    for entry in re.split(r"\n(?=    \w+:)", section):
        if match := _ATTRIBUTE.match(" ".join(line.strip() for line in entry.splitlines()).join(("    ", ""))):
            yield match[1], _NONE.sub("null", match[2])


def _allowed(kind: Any) -> str:
    """In words what a value of this type may be."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return ", ".join(map(_text, args))
    if origin is Annotated:
        return _bounded(args[0], next(meta for meta in args[1:] if isinstance(meta, Meta)))
    if origin in (Union, UnionType):
        return " or ".join(map(_allowed, args))
    if origin is tuple:
        number = "" if args[-1] is Ellipsis else f" of {len(args)}"
        return f"a list{number}: {_allowed(args[0])}"
    return _PLAIN.get(kind, "any")


_PLAIN = {bool: "true, false", int: "a whole number", str: "text", NoneType: "null", SuitedCard: "a card"}


def _bounded(kind: Any, meta: Meta) -> str:
    if meta.pattern is not None:
        return f"text like {meta.pattern}"
    least = meta.ge if meta.ge is not None else None if meta.gt is None else meta.gt + 1
    most = meta.le if meta.le is not None else None if meta.lt is None else meta.lt - 1
    match least, most:
        case None, None:
            return _allowed(kind)
        case _, None:
            return f"{least} or more"
        case None, _:
            return f"{most} or less"
        case _:
            return f"{least} to {most}"
