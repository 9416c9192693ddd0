"""Random matches of Gongzhu with any options, from the deal or from a misdeal on."""

from collections.abc import Iterator, Mapping
from functools import reduce
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from schemas.cards import PACK
from schemas.events import Events
from schemas.log import role_due
from services.games.game import Refused
from services.games.gongzhu import GAME
from services.games.gongzhu.options import Options
from services.games.gongzhu.state import State
from services.games.pick import pick
from services.games.shuffle import Stream, shuffle
from tests.games.gongzhu.hands import decide

OTHER_VALUES: dict[str, list[Any]] = {
    "opening_card": ["2c", "3s", "Qs", "Ah", "Th"],
    "first_dealer": [0, 1, 2, 3],
    "lose_at": [None, -1, -700, -1000],
    "win_at": [None, 1, 700, 1000],
    "hands_limit": [1, 2],
    "registration": [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]],
}
"""Of the options whose values cannot be told from their type; a limit keeps the matches short."""


def all_values() -> dict[str, list[Any]]:
    """The values of every option."""
    hints = get_type_hints(Options, include_extras=True)
    return {name: OTHER_VALUES.get(name) or _values_of(hints[name]) for name in Options.__struct_fields__}


def _values_of(hint: Any) -> list[Any]:
    if hint is bool:
        return [False, True]
    assert get_origin(hint) is Literal, hint
    assert get_origin(hint) not in (Annotated, Union, UnionType)
    return list(get_args(hint))


def random_options(numbers: Stream) -> dict[str, Any]:
    """A set of options that go together, each drawn from all its values."""
    values = all_values()
    while True:
        drawn = {name: choices[numbers.below(len(choices))] for name, choices in values.items()}
        try:
            GAME.open(drawn, 4)
        except Refused:
            continue
        return drawn


class Position(Struct, frozen=True):
    """A state met in a random match, and the events that led to it from the state before."""

    state: State
    events: Events = ()


def random_match(options: Mapping[str, Any], seed: bytes) -> Iterator[Position]:
    """Every position of one random match, claims and answers of the house among them."""
    start = GAME.begin(GAME.open(options, 4), 4)
    yield Position(start)
    yield from played_on(start, Stream(seed))


def misdealt_match(options: Mapping[str, Any], seed: bytes) -> Iterator[Position]:
    """The same, where the first hand is a misdeal: South has a card of West's."""
    numbers = Stream(seed)
    deck = shuffle(PACK * options.get("decks", 1), seed)
    hands = [list(deck[seat::4]) for seat in range(4)]
    hands[2].append(hands[1].pop())
    start = GAME.scenarios.begin(GAME.open({**options, "cut": "none"}, 4), {"hands": hands})
    yield Position(start)
    yield from played_on(start, numbers)


def played_on(state: State, numbers: Stream) -> Iterator[Position]:
    """The match from here on."""
    while GAME.due(state) != "none":
        events = _step(state, numbers)
        state = reduce(GAME.evolve, events, state)
        yield Position(state, events)


def _step(state: State, numbers: Stream) -> Events:
    match GAME.due(state):
        case "dealer":
            return GAME.deal(state, lambda deck: shuffle(deck, numbers.below(2**32).to_bytes(4, "big")))
        case "scorer":
            return GAME.score(state)
        case "house":
            return _house(state, numbers)
        case asked:
            assert role_due(asked) == "referee"
            seats = [int(seat) for seat in asked] if numbers.below(8) else range(4)
            seat = seats[numbers.below(len(seats))]
            action = pick(GAME.legal(state, seat), numbers)
            return () if action is None else decide(state, seat, action)


def _house(state: State, numbers: Stream) -> Events:
    """The house rules, mends a misdeal, or ends a period of grace, in which a seat may challenge."""
    if GAME.phase(state) == "misdeal_fix":
        move = {"from": 2, "to": 1, "card": state.phase.deal.hands[2][numbers.below(14)]}  # type: ignore[union-attr]  # misdealt
        return decide(state, None, {"type": "draw_back", "moves": [move]})
    if (ruling := pick(GAME.legal(state, None), numbers)) is not None:
        return decide(state, None, ruling)
    if (challenge := pick(GAME.legal(state, numbers.below(4)), numbers)) is not None and numbers.below(2):
        claimer = state.phase.claim.seat  # type: ignore[union-attr]  # a period of grace
        return decide(state, (claimer + 1) % 4, challenge)
    return decide(state, None, GAME.timeout(state, None), auto=True)
