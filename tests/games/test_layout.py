"""The games read alike: the same files with the same names in the same order, and what is shared is so by two."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from schemas.cards import Cards
from schemas.events import OUTER_EVENTS, Event
from schemas.sealed import Sealed
from services.games import GAMES

FOLDER = Path(__file__).resolve().parents[2] / "services" / "games"
SHARED = FOLDER / "shared"
PREFIX = "services.games."

NAMES: Mapping[str, tuple[str, ...]] = {
    "options": ("SEAT_COUNTS", "Options", "PRESETS", "open_", "pack"),
    "state": ("State", "begin", "phase", "due"),
    "evolve": ("evolve",),
    "deal": ("deal",),
    "rules": ("legal", "timeout", "seals", "act"),
    "score": ("score",),
    "table": ("table",),
    "scenario": ("SCENARIOS",),
}
"""The files of every game, in the order in which they are read, and what stands in each, in this order too."""

COMMON: Mapping[str, set[str]] = {
    "hand_dealt": {"hand_no", "deck"},
    "trick_taken": {"winner"},
    "hand_scored": {"hand_no", "scores"},
    "match_ended": {"winners"},
}
"""What the events of all games with these names tell alike."""

EVENT_FIELDS: Mapping[str, Mapping[str, object]] = {
    str(kind.__struct_config__.tag): get_type_hints(kind, include_extras=True)
    for kind in get_args(Event)
    if kind not in OUTER_EVENTS
}
"""The fields of the games' events, by tag."""

Node = tuple[str, str]
"""A module of ours and a name at its top."""


def parse(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def module_of(path: Path) -> str:
    """The dotted name of a file below services/games."""
    parts = path.relative_to(FOLDER).with_suffix("").parts
    return PREFIX + ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def named(statement: ast.stmt) -> list[str]:
    """The names that a statement at the top of a module gives."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.ImportFrom(names=names):
            return [alias.asname or alias.name for alias in names]
        case _:
            return []


def imported(tree: ast.Module) -> dict[str, Node]:
    """What each name stands for that a module imports of ours."""
    return {
        alias.asname or alias.name: (statement.module, alias.name)
        for statement in ast.walk(tree)
        if isinstance(statement, ast.ImportFrom) and statement.module and statement.module.startswith(PREFIX)
        for alias in statement.names
    }


def used(tree: ast.AST, known: Mapping[str, Node]) -> Iterator[Node]:
    """What a piece of code uses of these names, and of the modules among them."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if name in known:
                yield known[name]
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in known:
                yield ".".join(known[name]), attribute
            case _:
                pass


def users() -> dict[Node, set[str]]:
    """For each public name of shared the games that use it, themselves or by something else in shared."""
    shared: set[Node] = set()
    uses: list[tuple[Node, Node]] = []
    for path in sorted(SHARED.rglob("*.py")):
        tree, module = parse(path), module_of(path)
        tops = [(name, top) for top in tree.body if not isinstance(top, ast.ImportFrom) for name in named(top)]
        known = imported(tree) | {name: (module, name) for name, _ in tops}
        shared |= {(module, name) for name, _ in tops}
        uses += [((module, name), used_) for name, top in tops for used_ in used(top, known)]
    games: dict[Node, set[str]] = {node: set() for node in shared}
    for game in GAMES:
        for path in (FOLDER / game).glob("*.py"):
            tree = parse(path)
            for node in (*imported(tree).values(), *used(tree, imported(tree))):
                games.get(node, set[str]()).add(game)
    for _ in shared:
        for user, used_ in uses:
            games.get(used_, set[str]()).update(games[user])
    return games


USERS = users()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_the_same_files(game: str) -> None:
    assert {"__init__.py", "RULES.md", *(f"{name}.py" for name in NAMES)} <= {p.name for p in (FOLDER / game).iterdir()}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", GAMES)
def test_a_file_has_the_same_names_in_the_same_order(game: str, name: str) -> None:
    given = [given for top in parse(FOLDER / game / f"{name}.py").body for given in named(top)]
    assert [given_ for given_ in given if given_ in NAMES[name]] == [*NAMES[name]]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_says_in_which_order_it_is_read(game: str) -> None:
    """All its files are named, those that every game has in the same order."""
    words = re.search(
        r"Read it in this order: ([\w,\s]+)\.", ast.get_docstring(parse(FOLDER / game / "__init__.py")) or ""
    )
    assert words is not None
    order = re.findall(r"\w+", words[1])
    assert sorted(order) == sorted(p.stem for p in (FOLDER / game).glob("*.py") if p.stem != "__init__")
    assert [name for name in order if name in NAMES] == [*NAMES]


@pytest.mark.parametrize("tag", sorted(EVENT_FIELDS))
def test_the_same_thing_has_the_same_name_in_the_events_of_every_game(tag: str) -> None:
    told = EVENT_FIELDS[tag]
    assert COMMON.get(tag.rpartition(".")[2], set()) <= told.keys()
    if tag.endswith(".hand_scored"):
        assert len({"totals", "stacks"} & told.keys()) == 1
    assert {name for name, kind in told.items() if kind == Sealed[Cards]} & {"card"} == set()


@pytest.mark.parametrize(("module", "name"), sorted(node for node in USERS if not node[1].startswith("_")))
def test_what_is_shared_serves_two_games(module: str, name: str) -> None:
    assert len(USERS[module, name]) > 1
