"""Random six-seat no-limit hold'em, and the ranking of seven cards, beside PokerKit and eval7 in the same run.

    python -m tests.bench.bench_poker

Rules and pots alone are measured, without encoding. Ours and theirs take turns, and CPU seconds are counted, because
other load changes the speed of a machine by half and more. eval7 is measured where it is installed.
"""

import time
import warnings
from collections.abc import Callable
from functools import partial, reduce
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from pokerkit import Automation, NoLimitTexasHoldem
from pokerkit.hands import StandardHighHand

from schemas.cards import PACK, Cards
from schemas.digest import digest
from services.games.pick import pick
from services.games.shared.poker.ranking import strength
from services.games.shuffle import shuffle
from services.games.texas_holdem import GAME
from tests.bench.speed import Dice

SEATS = 6
ROUNDS = 5
FLOOR, GOAL = 10, 20
STACK, SMALL, BIG = 10_000, 50, 100
EVERYTHING = tuple(Automation)
OPTIONS = GAME.open({"starting_stack": STACK, "small_blind": SMALL, "big_blind": BIG}, SEATS)


class Speed(NamedTuple):
    """What was done in one CPU second."""

    hands: float
    decisions: float


def our_hand(dice: Any, deck: Cards) -> int:
    """Play a hand at random; returns the number of decisions."""
    state = GAME.begin(OPTIONS, SEATS)
    state = reduce(GAME.evolve, GAME.deal(state, lambda _: deck), state)
    decisions = 0
    while isinstance(due := GAME.due(state), tuple):
        action = pick(GAME.legal(state, due[0]), dice)
        assert action is not None
        state = reduce(GAME.evolve, GAME.act(state, due[0], action, False), state)  # noqa: FBT003  # as Game has it
        decisions += 1
    state = reduce(GAME.evolve, GAME.score(state), state)
    assert sum(state.stacks) == SEATS * STACK
    return decisions


def their_hand(dice: Dice) -> int:
    """The same in PokerKit, which shuffles its own deck."""
    state = NoLimitTexasHoldem.create_state(EVERYTHING, True, 0, (SMALL, BIG), BIG, STACK, SEATS)  # noqa: FBT003  # as PokerKit has it
    decisions = 0
    while state.actor_index is not None:
        verbs = [
            verb
            for verb, may in (
                ("fold", state.can_fold()),
                ("call", state.can_check_or_call()),
                ("raise", state.can_complete_bet_or_raise_to()),
                ("all in", state.can_complete_bet_or_raise_to()),
            )
            if may
        ]
        verb = verbs[dice.below(len(verbs))]
        if verb == "fold":
            state.fold()
        elif verb == "call":
            state.check_or_call()
        else:
            least = state.min_completion_betting_or_raising_to_amount
            most = state.max_completion_betting_or_raising_to_amount
            assert least is not None
            assert most is not None
            amount = most if verb == "all in" else least + dice.below(int(most - least) + 1)
            state.complete_bet_or_raise_to(amount)
        decisions += 1
    return decisions


def speed(hand: Callable[[], int], count: int) -> Speed:
    """Hands and decisions in a CPU second."""
    start = time.process_time()
    decisions = sum(hand() for _ in range(count))
    spent = time.process_time() - start
    return Speed(count / spent, decisions / spent)


def rate(function: Callable[[Any], object], values: list[Any]) -> float:
    """Calls in a CPU second."""
    start = time.process_time()
    for value in values:
        function(value)
    return len(values) / (time.process_time() - start)


def hands() -> None:
    """Print hands and decisions of both, and how many times theirs ours is."""
    decks = [shuffle(PACK, digest("bench/deck", number)) for number in range(200)]
    dice = Dice(1)
    turn = iter(range(10**9))
    ours: Callable[[], int] = lambda: our_hand(dice, decks[next(turn) % len(decks)])  # noqa: E731  # a thunk
    theirs: Callable[[], int] = lambda: their_hand(dice)  # noqa: E731  # a thunk
    speed(ours, 500)
    speed(theirs, 50)  # both fill their tables
    print("six-seat no-limit hold'em, a CPU second        fairdeal   PokerKit   times")
    for _ in range(ROUNDS):
        a, b = speed(ours, 1000), speed(theirs, 50)
        times = a.hands / b.hands
        print(f"  hands {a.hands:>36,.0f} {b.hands:>10,.0f} {times:>7.1f}")
        print(f"  decisions {a.decisions:>32,.0f} {b.decisions:>10,.0f} {a.decisions / b.decisions:>7.1f}")
    print(f"  floor {FLOOR} times, goal {GOAL} times\n")


def evaluations() -> None:
    """Print how many hands of seven cards are ranked."""
    sevens = [shuffle(PACK, digest("bench/seven", number))[:7] for number in range(20_000)]
    texts = [("".join(cards[:2]), "".join(cards[2:])) for cards in sevens[:300]]
    print("seven cards ranked, a CPU second")
    for ranking in ("standard", "show_hand"):
        rate(partial(strength, ranking=ranking), sevens)  # the tables are filled
    for _ in range(2):
        print(f"  fairdeal, standard {rate(lambda c: strength(c, 'standard'), sevens):>23,.0f}")
        print(f"  fairdeal, show hand (suits decide) {rate(lambda c: strength(c, 'show_hand'), sevens):>7,.0f}")
        print(f"  PokerKit {rate(lambda text: StandardHighHand.from_game(*text), texts):>33,.0f}")
        if find_spec("eval7"):
            print(f"  eval7 (C, no suits) {rate(by_eval7(), sevens):>22,.0f}")


def by_eval7() -> Callable[[Cards], object]:
    """The ranking of eval7, from cards as we write them."""
    eval7: Any = import_module("eval7")
    card = {name: eval7.Card(name) for name in PACK}
    return lambda cards: eval7.evaluate([card[name] for name in cards])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    hands()
    evaluations()
