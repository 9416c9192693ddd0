"""A table of any game, set up as a scenario would, for tests that read Given, When, Then."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from schemas.cards import Cards, Seat
from schemas.codec import Covered, Viewer, from_service
from schemas.events import Event, Events
from schemas.log import Due
from schemas.refusals import Code
from schemas.views import Table as Layout
from services.games import GAMES
from services.games.game import Refused


class HandTable:
    """A hand in play: `hands` are written as `"3s 4h"`, seat 0 first."""

    def __init__(self, game: str, *hands: str, start: Mapping[str, Any] | None = None, **options: Any) -> None:
        self.game = GAMES[game]
        scenario = {"seats": len(hands), "hands": [hand.split() for hand in hands], "start": start or {}}
        self.state = self.game.scenarios.begin(self.game.open(options, len(hands)), scenario)

    @property
    def turn(self) -> Seat:
        """The one seat that is waited for."""
        return turn_of(self.game.due(self.state))

    def act(self, seat: Seat | None, action: Mapping[str, Any], *, auto: bool = False) -> Events:
        """Let a seat act; a hand that has ended is scored."""
        events = self.game.act(self.state, seat, action, auto)
        self.state = reduce(self.game.evolve, events, self.state)
        if self.game.due(self.state) == "scorer":
            self.state = reduce(self.game.evolve, self.game.score(self.state), self.state)
        return events

    def times_out(self) -> Events:
        """Let the time of the seat be up that is waited for."""
        return self.act(self.turn, self.game.timeout(self.state, self.turn), auto=True)

    def refuses(self, seat: Seat | None, action: Any) -> Code:
        """The code by which an action is refused."""
        try:
            self.game.act(self.state, seat, action, False)  # noqa: FBT003 - as Game has it
        except Refused as refused:
            return refused.code
        raise AssertionError(f"accepted: {action}")

    def legal(self, seat: Seat) -> list[str]:
        """What a seat may do, in order: as scenarios write it in a line, else its verb."""
        scenarios = self.game.scenarios
        listed = scenarios.listed(self.game.legal(self.state, seat))
        return sorted(scenarios.line(entry) if scenarios.line else str(entry["type"]) for entry in listed)

    def fact(self, key: str) -> Any:
        """A fact by its scenario key."""
        return self.game.scenarios.facts[key](self.state)

    def facts(self, *keys: str) -> tuple[Any, ...]:
        """Several facts."""
        return tuple(map(self.fact, keys))

    def seen(self, viewer: Viewer) -> Layout:
        """The lay-out as it reaches a viewer."""
        return from_service(Covered(self.game.table(self.state)).opened_to(viewer), Layout)


def bad_option(game: str, options: Mapping[str, Any], seats: int) -> bool:
    """Whether a match cannot be opened like this."""
    try:
        GAMES[game].open(options, seats)
    except Refused as refused:
        return refused.code == Code.BAD_OPTION
    return False


def reverse(deck: Cards) -> Cards:
    """The order of the first deal."""
    return deck[::-1]


def turn_of(due: Due) -> Seat:
    """The one seat that is waited for."""
    assert isinstance(due, tuple)
    (seat,) = due
    return seat


def whole_match(
    game: str, options: Mapping[str, Any], seats: int, choose: Callable[[Any, Seat], Mapping[str, Any]]
) -> tuple[Any, list[Event]]:
    """The end of a match whose decks are not shuffled, the first one turned round, and all that has happened."""
    rules = GAMES[game]
    state = rules.begin(rules.open(options, seats), seats)
    happened: list[Event] = []
    while (due := rules.due(state)) != "none":
        match due:
            case "dealer":
                events = rules.deal(state, tuple if happened else reverse)
            case "scorer":
                events = rules.score(state)
            case _:
                events = rules.act(state, turn_of(due), choose(state, turn_of(due)), True)  # noqa: FBT003 - as Game has it
        state = reduce(rules.evolve, events, state)
        happened += events
    return state, happened
