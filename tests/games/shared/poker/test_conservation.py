"""Random hands with unequal stacks, all-ins of every size and odd chips: no chip is made or lost (poker §6).

`--matches N` plays 20 N hands of each game; 50 is the default.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest

from schemas.cards import PACK, Cards
from schemas.digest import digest
from schemas.events import Event
from schemas.poker import Acted, Award, HandScored
from services.games import GAMES
from services.games.game import Game
from services.games.pick import pick
from services.games.shared.poker.ranking import Ranking, strength
from services.games.shared.poker.state import Hand, State, cards_of, hand_of
from services.games.shuffle import Stream, shuffle

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "texas_holdem": [
        {},
        {"structure": "limit"},
        {"ante": 7, "big_blind_ante": 30, "small_blind": 13, "big_blind": 27},
        {"max_raises": 2, "showdown": "all", "all_in_reveal": False, "free_fold": True, "burn": False},
        {"structure": "limit", "small_bet": 31, "big_bet": 77, "max_raises": 0},
    ],
    "seven_card_stud": [
        {},
        {"structure": "no_limit"},
        {"ranking": "standard", "bring_in": 20, "board_tie": "position"},
        {"open_pair_big_bet": True, "ranking": "standard", "small_bet": 7, "big_bet": 19, "ante": 3},
        {"structure": "no_limit", "bring_in": 1, "ante": 0, "max_raises": 1, "all_in_reveal": False},
    ],
    "show_hand": [
        {},
        {"show_hand_from": 3, "opener_must_bet": True},
        {"ante": 0, "min_bet": 7, "max_raises": 1, "showdown": "muck_losing"},
        {"show_hand_from": 4, "burn": True, "free_fold": True},
        {"deck": "stripped"},
    ],
}


RANKINGS: dict[str, Callable[[Any], Ranking]] = {
    "texas_holdem": lambda _: "standard",
    "seven_card_stud": lambda options: options.ranking,
    "show_hand": lambda _: "show_hand",
}


def random_hand(name: str, number: int) -> Iterator[tuple[State[Any], Event]]:
    """The events of a random hand, each with the state after it."""
    dice = Stream(digest("tests/hand", name, number))
    game: Game[Any, State[Any]] = GAMES[name]
    options = OPTIONS[name][dice.below(len(OPTIONS[name]))]
    most = 5 if options.get("deck") == "stripped" else game.seats[-1]
    seats = 2 + dice.below(most - 1)
    stacks = [20 + dice.below(10 ** (2 + dice.below(3))) for _ in range(seats)]
    state = game.begin(game.open({**options, "stacks": stacks, "max_hands": 1}, seats), seats)
    while (due := game.due(state)) != "none":
        if isinstance(due, tuple):
            action = pick(game.legal(state, due[0]), dice)
            assert action is not None
            events = game.act(state, due[0], action, False)  # noqa: FBT003  # as Game has it
        elif due == "dealer":
            events = game.deal(state, lambda pack: shuffle(pack, dice.block()))
        else:
            events = game.score(state)
        for event in events:
            state = game.evolve(state, event)
            yield state, event


@pytest.mark.parametrize("name", OPTIONS)
def test_no_chip_is_made_or_lost(name: str, pytestconfig: pytest.Config) -> None:
    for number in range(20 * int(pytestconfig.option.matches)):
        for state, event in random_hand(name, number):
            hand = hand_of(state)
            assert hand is not None
            check_chips(state, hand, event)
            if isinstance(event, HandScored):
                check_awards(name, state, hand, event)


def check_chips(state: State[Any], hand: Hand, event: Event) -> None:
    """What lies before the seats and in the pot is what they began with."""
    in_pot = 0 if state.hand_scores else sum(hand.put) + hand.dead
    assert sum(state.stacks) + in_pot == sum(state.start)
    assert min(state.stacks) >= 0
    assert min(hand.put) >= 0
    if isinstance(event, Acted):
        assert event.round.bets[event.seat] == event.to
        assert all(seat in hand.live and state.stacks[seat] for seat in event.round.waiting)


def check_awards(name: str, state: State[Any], hand: Hand, scored: HandScored) -> None:
    """Every pot goes in whole to the best hands among those that can win it, and no card is in two places."""
    assert sum(pot.amount for pot in scored.pots) == sum(hand.put) + hand.dead
    assert sum(scored.scores) == 0
    for pot in scored.pots:
        assert sum(pot.shares) == pot.amount
        assert max(pot.shares) - min(pot.shares) <= 1
        assert {*pot.winners} == best_of(name, state, hand, pot)
        if RANKINGS[name](state.options) == "show_hand":
            assert len(pot.winners) == 1
    cards = Counter([*hand.board, *(card for seat in hand.seats for card in hand.down[seat] + hand.up[seat])])
    assert not cards & Counter(hand.stock)
    assert max(cards.values()) == 1
    assert {*cards, *hand.stock} <= {*PACK}


def best_of(name: str, state: State[Any], hand: Hand, pot: Award) -> set[int]:
    """Who holds the best five of all fives, looked for one by one."""
    if len(hand.live) == 1:
        return {*hand.live}
    ranking = RANKINGS[name](state.options)

    def best(cards: Cards) -> int:
        return max(strength(five, ranking) for five in combinations(cards, 5))

    strengths = {seat: best(cards_of(hand, seat)) for seat in pot.eligible}
    return {seat for seat in strengths if strengths[seat] == max(strengths.values())}
