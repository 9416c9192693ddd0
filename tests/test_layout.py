"""The layout of the code: packages on one root, imports that point one way, rules that reach nothing outside."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import replay
import schemas
import services

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("schemas", "services", "replay")

# Each layer, and what of ours it may import besides itself. The longest prefix of a module's name is its layer.
PURE = {
    "schemas": set[str](),
    "services.games": {"schemas"},
    "replay": {"schemas", "services.games"},
}
SHELL = {*PURE, "services.runtime"}
ROLES = {"services.dealer", "services.referee", "services.scorer", "services.gallery", "services.callout"}
EDGE = {
    "services.client",
    "services.bots",
    "services.gateway",
    "services.simulate",
    "services.screen",
    "services.prose",
    "services.witness",
}
LAYERS = (
    PURE
    | {"services": set[str](), "services.runtime": set(PURE)}
    | dict.fromkeys(ROLES, SHELL)
    | dict.fromkeys(EDGE, SHELL | {"services.client", "services.witness"})
    | {"services.simulate": SHELL | {"services.referee"}}
    | {"services.cli": SHELL | ROLES | EDGE}
)

THIRD_PARTIES_OF_PURE = {"msgspec"}
IMPURE_BUILTINS = {"breakpoint", "eval", "exec", "float", "hash", "id", "input", "open", "print"}


def module_name(path: Path) -> str:
    """The dotted name under which a file below the root is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}


def layer_of(name: str) -> str | None:
    """The layer to which a dotted name of ours belongs; None for the name of somebody else."""
    layers = [layer for layer in LAYERS if f"{name}.".startswith(f"{layer}.")]
    return max(layers, key=len, default=None)


def imports(tree: ast.AST) -> Iterator[str]:
    """Every dotted name imported anywhere in a module, `from a import b` as `a.b`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.ImportFrom(lineno=line):
                yield f"relative import in line {line}"
            case _:
                pass


def called_names(tree: ast.AST) -> Iterator[str]:
    """Every plain name that is called anywhere in a module."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)):
                yield name
            case _:
                pass


def parse(name: str) -> ast.Module:
    """The syntax tree of one of our modules."""
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


def wrong_directions(name: str, tree: ast.AST) -> list[str]:
    """The imports of ours that a module of this name may not have."""
    layer = layer_of(name)
    assert layer is not None
    allowed = LAYERS[layer] | {layer}
    ours = (target for target in imports(tree) if target.split(".")[0] in {*PACKAGES, "tests"})
    return [target for target in ours if layer_of(target) not in allowed]


def banned_modules() -> set[str]:
    """The modules closed to the pure layers: the table that ruff reads."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return set(config["tool"]["ruff"]["lint"]["flake8-tidy-imports"]["banned-api"])


def impurities(tree: ast.AST) -> list[str]:
    """What a module of a pure layer imports, calls or writes though it may not."""
    tops = {target.split(".")[0] for target in imports(tree)}
    known = set(sys.stdlib_module_names) | set(PACKAGES) | THIRD_PARTIES_OF_PURE
    floats = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, float | complex))
    return [
        *sorted(tops & banned_modules()),
        *sorted(tops - known),
        *sorted(set(called_names(tree)) & IMPURE_BUILTINS),
        *(f"float in line {node.lineno}" for node in floats),
    ]


def game_of(name: str) -> str | None:
    """The game in whose folder a module lies: a sub-folder of services/games, but for `shared`."""
    parts = name.split(".")
    inside = parts[:2] == ["services", "games"] and len(parts) > 2 and ROOT.joinpath(*parts[:3]).is_dir()
    return parts[2] if inside and parts[2] != "shared" else None


PURE_MODULES = sorted(name for name in MODULES if layer_of(name) in PURE)
FILELESS_MODULES = [name for name in PURE_MODULES if layer_of(name) != "replay" and name != "services.games"]
GAME_BLIND_MODULES = sorted(name for name in MODULES if layer_of(name) in SHELL - {"replay"} | ROLES)


def test_the_three_packages_share_one_root() -> None:
    """Path equals import: a folder of the repository is the package that Python finds."""
    roots = {Path(package.__file__ or "").resolve().parents[1] for package in (schemas, services, replay)}
    assert roots == {ROOT}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_with_code_is_a_package_and_says_that_it_is_typed(package: str) -> None:
    """No folder is an implicit namespace, and type checkers of users read our annotations."""
    folders = {path.parent for path in (ROOT / package).rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []
    assert (ROOT / package / "py.typed").is_file()


def test_every_part_of_services_has_a_layer() -> None:
    """A new folder or module directly in services is given its place here before anything imports it."""
    assert [name for name in MODULES if name != "services" and layer_of(name) == "services"] == []


@pytest.mark.parametrize("name", sorted(MODULES))
def test_imports_point_one_way(name: str) -> None:
    """schemas ← services.games ← replay ← services.runtime ← services.<role> ← client, bots, gateway, CLI."""
    assert wrong_directions(name, parse(name)) == []


@pytest.mark.parametrize("name", PURE_MODULES)
def test_the_pure_layers_reach_nothing_outside(name: str) -> None:
    """No clock, randomness, I/O, environment, float or hash order in schemas, services/games and replay."""
    assert impurities(parse(name)) == []


@pytest.mark.parametrize("name", FILELESS_MODULES)
def test_only_replay_reads_files(name: str) -> None:
    """The language and the rules know no files; services/games/__init__.py alone looks for the games' folders."""
    assert [target for target in imports(parse(name)) if target.split(".")[0] in {"io", "pathlib"}] == []


@pytest.mark.parametrize("name", GAME_BLIND_MODULES)
def test_no_game_is_imported_by_another_or_by_what_serves_them_all(name: str) -> None:
    """An eleventh game is one folder: what all games share, and the other games, do not know it."""
    games = {game_of(target) for target in imports(parse(name))}
    assert games - {game_of(name), None} == set()


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("schemas.cards", "from services.games import match"),
        ("services.games.match", "from replay.audit import audit"),
        ("services.games.match", "from services import runtime"),
        ("replay.audit", "import services.runtime.log"),
        ("services.runtime.worker", "from services.dealer.app import app"),
        ("services.dealer.app", "from services import referee"),
        ("services.referee.app", "from services.client import Client"),
        ("services.bots.app", "def f(): import services.cli"),
        ("services.client", "from tests.helpers import log"),
    ],
)
def test_an_import_against_the_direction_is_found(name: str, source: str) -> None:
    """The check of directions can fail."""
    assert wrong_directions(name, ast.parse(source)) != []


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "from time import monotonic",
        "def f(): from os import path",
        "import asyncio.subprocess",
        "import nats",
        "from . import cards",
        "half = 0.5",
        "order = hash('a')",
        "open('log')",
    ],
)
def test_an_impurity_is_found(source: str) -> None:
    """The check of purity can fail."""
    assert impurities(ast.parse(source)) != []
