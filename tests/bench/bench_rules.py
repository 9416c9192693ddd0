"""Random legal play of every game, its legal sets listed, beside python-chess in the same run.

    python -m tests.bench.bench_rules [GAME …]

A decision is one answer of a seat: all it may do is listed, one of it is chosen, decided and folded; deals and scores
are counted in. Nothing is encoded. Games take turns, and CPU seconds are counted, because other load changes the speed
of a machine by half and more.
"""

import sys
from collections.abc import Iterator
from functools import cache, partial, reduce
from importlib import import_module
from typing import Any

from schemas.cards import Cards
from services.games import GAMES
from services.games.game import Game
from services.games.pick import pick
from services.games.shuffle import shuffle
from tests.bench.speed import Dice, best, show

SECONDS = 1.0
ROUNDS = 5
DECKS = 200
"""So many decks are shuffled, once; which of them is dealt is thrown."""

FLOOR = 40_000
FLOORS = {"fifty_k": 20_000, "seven_card_stud": 0, "show_hand": 0, "texas_holdem": 0}
"""Other floors; that of poker, whose hands are short, is measured beside PokerKit."""

GOAL = 5
"""Times the moves of python-chess."""

PRESETS = {"fifty_k": "one_deck"}
"""What is played, where it is not the game's first preset."""


def decisions_of(game: Game[Any, Any], stream: Any) -> Iterator[None]:
    """Matches of the game, four seats where it can be, one decision after the other, without end."""
    seats = 4 if 4 in game.seats else game.seats[0]
    options = game.open({"preset": PRESETS.get(game.name, next(iter(game.presets)))}, seats)
    while True:
        state = game.begin(options, seats)
        while (due := game.due(state)) != "none":
            if due == "dealer":
                events = game.deal(state, partial(_shuffled, stream.below(DECKS)))
            elif due == "scorer":
                events = game.score(state)
            else:
                seat = due[stream.below(len(due))] if isinstance(due, tuple) else None
                action = pick(game.legal(state, seat), stream) or game.timeout(state, seat)
                events = game.act(state, seat, action, False)  # noqa: FBT003 - as Game has it
                yield
            state = reduce(game.evolve, events, state)


def moves_of_chess(dice: Dice) -> Iterator[None]:
    """Games of chess, all legal moves of each position listed and one of them made."""
    chess: Any = import_module("chess")
    while True:
        board = chess.Board()
        while moves := list(board.legal_moves):
            board.push(moves[dice.below(len(moves))])
            yield


@cache
def _shuffled(number: int, deck: Cards) -> Cards:
    return shuffle(deck, number.to_bytes(32))


def main(names: list[str]) -> None:
    """Measure all, or the games that are named."""
    sides = {name: decisions_of(GAMES[name], Dice(7)) for name in names or GAMES}
    speeds = best({"python-chess": moves_of_chess(Dice(7)), **sides}, rounds=ROUNDS, seconds=SECONDS)
    chess_moves = speeds.pop("python-chess")
    show("python-chess", chess_moves, "moves/s")
    for name, speed in speeds.items():
        show(name, speed, "decisions/s", floor=FLOORS.get(name, FLOOR), goal=GOAL * chess_moves)


if __name__ == "__main__":
    main(sys.argv[1:])
