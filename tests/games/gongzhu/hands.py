"""Hands of Gongzhu as card players write them, for tests that read Given, When, Then."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from schemas.cards import Seat
from schemas.events import Events
from schemas.refusals import Code
from services.games.game import Refused
from services.games.gongzhu import GAME
from services.games.gongzhu.state import Hand, State, hand_of

NORTH, WEST, SOUTH, EAST = range(4)

EVEN = ("AT62.K95.Q84.J73", "J73.AT62.K95.Q84", "Q84.J73.AT62.K95", "K95.Q84.J73.AT62")
"""Spades.hearts.diamonds.clubs of North, West, South, East. East has the 2c, South the pig, West the heart ace, East
the sheep and the transformer."""


def cards_of(hand: str) -> list[str]:
    """The cards of a hand written as spades.hearts.diamonds.clubs."""
    return [rank + suit for suit, ranks in zip("shdc", hand.split("."), strict=True) for rank in ranks]


def action_of(text: str) -> dict[str, Any]:
    """`expose Qs Jd`, `pass` or `play 2c` as a player sends it."""
    verb, *cards = text.split()
    return {"type": verb, "cards": cards} if cards else {"type": verb}


def decide(state: State, seat: Seat | None, action: Mapping[str, Any], *, auto: bool = False) -> Events:
    """What the referee decides on an action. Raises Refused."""
    return GAME.act(state, seat, action, auto)


class GongzhuTable:
    """A hand in play."""

    def __init__(self, scenario: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        self.state: State = GAME.scenarios.begin(GAME.open(options, 4), scenario)

    @property
    def hand(self) -> Hand:
        """The hand in play, or the last one."""
        hand = hand_of(self.state)
        assert hand is not None
        return hand

    @property
    def turn(self) -> Seat:
        """The one seat that is waited for."""
        seats = GAME.due(self.state)
        assert isinstance(seats, tuple)
        (seat,) = seats
        return seat

    def act(self, seat: Seat | None, action: Mapping[str, Any], *, auto: bool = False) -> Events:
        """Let a seat, or the house, act."""
        events = decide(self.state, seat, action, auto=auto)
        self.state = reduce(GAME.evolve, events, self.state)
        return events

    def does(self, seat: Seat, text: str) -> Events:
        """Let a seat act."""
        return self.act(seat, action_of(text))

    def passes(self, *seats: Seat) -> None:
        """Let seats expose nothing."""
        for seat in seats:
            self.does(seat, "pass")

    def play(self, cards: str) -> None:
        """Let the seats whose turn it is play these cards, one after the other."""
        for card in cards.split():
            self.does(self.turn, f"play {card}")

    def times_out(self, seat: Seat) -> Events:
        """Let a seat's time run out."""
        return self.act(seat, GAME.timeout(self.state, seat), auto=True)

    def refuses(self, seat: Seat | None, action: str | Mapping[str, Any]) -> Code:
        """The code by which an action is refused; it changes nothing."""
        try:
            decide(self.state, seat, action_of(action) if isinstance(action, str) else action)
        except Refused as refused:
            return refused.code
        raise AssertionError(f"accepted: {action}")

    def legal(self, seat: Seat) -> list[str]:
        """What a seat may do."""
        choices = GAME.legal(self.state, seat).choices
        return [" ".join([choice["type"], *choice.get("cards", [])]) for choice in choices]

    def score(self) -> None:
        """Let the scorer do what he is due to do."""
        self.state = reduce(GAME.evolve, GAME.score(self.state), self.state)

    def fact(self, name: str) -> object:
        """A fact of the hand by its scenario key."""
        return GAME.scenarios.facts[name](self.state)


def given(*hands: str, start: Mapping[str, Any] | None = None, **options: Any) -> GongzhuTable:
    """A hand dealt as written, North first; the EVEN deal where none is."""
    return GongzhuTable({"hands": [cards_of(hand) for hand in hands or EVEN], "start": start or {}}, options)


def given_tricks(cards: Mapping[Seat, str], *, start: Mapping[str, Any] | None = None, **options: Any) -> GongzhuTable:
    """A hand after play: the point cards that each seat has taken; `exposed` may be among the options."""
    captured = [cards.get(seat, "").split() for seat in range(4)]
    exposed = options.pop("exposed", {})
    managed = options.pop("managed", [False] * 4)
    scenario = {"captured": captured, "exposed": exposed, "managed": managed, "start": start or {}}
    table = GongzhuTable(scenario, options)
    table.score()
    return table
