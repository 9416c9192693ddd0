"""A hand of any game from where a scenario starts, told by facts; and random play of a hand, position by position."""

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any, NamedTuple

from schemas.actions import Action
from schemas.cards import Seat
from schemas.events import Events
from services.games import GAMES
from services.games.game import DONE
from services.games.pick import pick
from services.games.shuffle import Stream, shuffle
from tests.tables import HandTable


class Scene(HandTable):
    """A hand in play, from where a scenario starts."""

    def __init__(self, game: str, scenario: Mapping[str, Any], *, seats: int, **options: Any) -> None:
        self.game = GAMES[game]
        self.state = self.game.scenarios.begin(self.game.open(options, seats), {"seats": seats, **scenario})

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that are waited for."""
        who = self.game.due(self.state)
        return who if isinstance(who, tuple) else ()

    def choices(self, seat: Seat) -> list[Action]:
        """What a seat may do, as scenarios list it."""
        return list(self.game.scenarios.listed(self.game.legal(self.state, seat)))

    def does(self, verb: str, **fields: Any) -> Events:
        """Let the seat act whose turn it is."""
        return self.act(self.turn, {"type": verb, **fields})

    def stands_in(self) -> Action:
        """Let the time of the seat be up whose turn it is; the action that stands in."""
        action: Action = self.game.timeout(self.state, self.turn)
        self.times_out()
        return action

    def play_by_time_outs(self) -> None:
        """Let every time run out until the hand is over."""
        while self.asked:
            seat = self.asked[0]
            self.act(seat, self.game.timeout(self.state, seat), auto=True)


class Position(NamedTuple):
    """A position of random play, before a seat acts; `events` came of it."""

    state: Any
    seat: Seat
    action: Action
    events: Events
    after: Any


def positions(game: str, options: Mapping[str, Any], *, seats: int, seed: bytes) -> Iterator[Position]:
    """Random legal play of one hand; `after` the last position it is scored."""
    rules, dice = GAMES[game], Stream(seed)
    state: Any = rules.begin(rules.open(options, seats), seats)
    events = rules.deal(state, lambda deck: shuffle(deck, dice.block()))
    state = reduce(rules.evolve, events, state)
    while rules.phase(state) != DONE:
        who = rules.due(state)
        assert isinstance(who, tuple)
        seat = who[dice.below(len(who))]
        action = pick(rules.legal(state, seat), dice)
        assert action is not None
        events = rules.act(state, seat, action, False)  # noqa: FBT003
        after = reduce(rules.evolve, events, state)
        if rules.due(after) == "scorer":
            after = reduce(rules.evolve, rules.score(after), after)
        yield Position(state, seat, action, events, after)
        state = after
