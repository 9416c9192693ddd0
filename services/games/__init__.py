"""The games: every sub-folder that has a GAME is one, found by name."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from services.games.game import Game


class _Games(Mapping[str, Game[Any, Any]]):
    """The games by name. A game's modules are loaded when it is first asked for."""

    def __init__(self) -> None:
        packages = [module.name for module in iter_modules(__path__) if module.ispkg and module.name != "shared"]
        self._names = sorted(packages)

    def __getitem__(self, name: str) -> Game[Any, Any]:
        if name not in self._names:
            raise KeyError(name)
        game: Game[Any, Any] = import_module(f"{__name__}.{name}").GAME
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


GAMES: Mapping[str, Game[Any, Any]] = _Games()
