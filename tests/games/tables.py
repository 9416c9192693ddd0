"""A hand of any game in play, for tests that read Given, When, Then; and random play of many hands."""

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any, NamedTuple

from schemas.actions import Action
from schemas.cards import Seat
from schemas.codec import Viewer, from_service, to_viewer
from schemas.events import Events
from schemas.refusals import Code
from schemas.views import Table as Layout
from services.games import GAMES
from services.games.game import DONE, Refused
from services.games.pick import pick
from services.games.shuffle import Stream, shuffle


class Table:
    """A hand in play, from where a scenario starts."""

    def __init__(self, game: str, scenario: Mapping[str, Any], *, seats: int, **options: Any) -> None:
        self.game = GAMES[game]
        start = self.game.scenarios.begin(self.game.open(options, seats), {"seats": seats, **scenario})
        self.state: Any = start

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that are waited for."""
        who = self.game.due(self.state)
        return who if isinstance(who, tuple) else ()

    @property
    def turn(self) -> Seat:
        """The one seat that is waited for."""
        (seat,) = self.asked
        return seat

    def fact(self, key: str) -> Any:
        """What a scenario could expect."""
        return self.game.scenarios.facts[key](self.state)

    def choices(self, seat: Seat) -> list[Action]:
        """What a seat may do, as scenarios list it."""
        return list(self.game.scenarios.listed(self.game.legal(self.state, seat)))

    def seen(self, viewer: Viewer) -> Layout:
        """The lay-out as it reaches a viewer."""
        return from_service(to_viewer(self.game.table(self.state), viewer), Layout)

    def act(self, seat: Seat | None, action: Any, *, auto: bool = False) -> Events:
        """Let a seat act; the scorer scores at once."""
        events = self.game.act(self.state, seat, action, auto)
        self.state = reduce(self.game.evolve, events, self.state)
        if self.game.due(self.state) == "scorer":
            self.state = reduce(self.game.evolve, self.game.score(self.state), self.state)
        return events

    def does(self, verb: str, **fields: Any) -> Events:
        """Let the seat act whose turn it is."""
        return self.act(self.turn, {"type": verb, **fields})

    def refuses(self, seat: Seat | None, action: Any) -> Code:
        """The code with which an action is refused; it must leave the state as it was."""
        before = self.state
        try:
            self.act(seat, action)
        except Refused as refused:
            assert self.state == before
            return refused.code
        raise AssertionError(f"{action} was accepted")

    def times_out(self) -> Action:
        """Let the time of the seat run out whose turn it is; the action that stands in."""
        action: Action = self.game.timeout(self.state, self.turn)
        self.act(self.turn, action, auto=True)
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
