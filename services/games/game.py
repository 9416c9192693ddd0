"""What a game is: a decider with one `evolve` and three decides (deal, act, score), written as data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from schemas.actions import Action
from schemas.cards import Cards, Seat
from schemas.events import Event, Events
from schemas.log import Due
from schemas.refusals import Code
from schemas.views import Legal, Table
from services.games.pick import told

S = TypeVar("S")
Opt = TypeVar("Opt", bound=Struct)

Shuffle = Callable[[Cards], Cards]
"""Puts a deck in the order of this deal; the whole order is fixed and recorded, and no randomness comes after it."""

DONE = "done"
"""The phase of every game in which no hand is in play."""


class Refused(Exception):
    """The request cannot be granted, and nothing has changed. `detail` never names a hidden value."""

    def __init__(self, code: Code, detail: str = "") -> None:
        super().__init__(code.value, detail)
        self.code = code
        self.detail = detail


def openly(_state: object) -> bool:
    """Everybody may know who is asked."""
    return False


def no_decks(_options: object, _scenario: Mapping[str, Any]) -> tuple[Cards, ...]:
    """No hand is dealt after the one that a scenario starts from."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Scenarios(Generic[Opt, S]):
    """How a game's scenario files map onto its state.

    Attributes:
        begin: the state that a scenario starts from; raises Refused with `bad_deal`.
        decks: the decks of the hands to come, each dealt as soon as the dealer is due; raises Refused with `bad_deal`.
        facts: how to read each key of `expect`, `then` and `after` off a state.
        unordered: the keys whose lists are sets, at any depth.
        sets: the keys that hold a list of sets, one a seat.
        listed: how `legal` writes what a seat may do.
        line: how `legal_sha` writes an entry of that; None for JSON without spaces, its keys and the lists that are
            sets in order.
    """

    begin: Callable[[Opt, Mapping[str, Any]], S]
    facts: Mapping[str, Callable[[S], object]]
    decks: Callable[[Opt, Mapping[str, Any]], tuple[Cards, ...]] = no_decks
    unordered: frozenset[str] = frozenset()
    sets: frozenset[str] = frozenset()
    listed: Callable[[Legal], Sequence[Action]] = told
    line: Callable[[Action], str] | None = None


@dataclass(frozen=True, kw_only=True)
class Game(Generic[Opt, S]):
    """One game. `S` is its state, `Opt` its options, both frozen Structs; every function is pure.

    Attributes:
        name: id, the same as its folder.
        title: the name in English and in 中文.
        version: of the rules; a match is decided by the version it was opened with.
        seats: the numbers of seats it can be played with.
        actions: the union of its actions, as `schemas` has them.
        options: the Struct of all options with their defaults.
        presets: differences from the defaults, by name.
        reveal: when the secrets of a hand are opened to all.
        open: raw options and seats to resolved options; raises Refused with `bad_option`.
        begin: the state before the first hand.
        evolve: an event onto the state. Total: it stores outcomes, decides nothing and never raises.
        phase: the phase the state is in; `done` where no hand is in play.
        due: who must decide next.
        deal: what the dealer does when he is due.
        legal: what a seat may do, or the house (None) where it is due.
        act: what an action of a seat, or of the house (None), does; raises Refused. `auto` marks that it stands in
            for an answer that did not come.
        timeout: the action that stands in for a seat's answer, or for the house's where time may run out there.
        score: what the scorer does when he is due.
        seals: whether this action is recorded sealed: to its seat, of the house to nobody.
        veils: whether who is asked now is secret: then who acts is sealed too, and managed seats answer when their time
            is up, since the referee playing at once would tell.
        table: the lay-out for viewers.
        scenarios: how scenario files map onto the state.
        seconds: for an answer, by the name of the phase, where it is not as long as a turn.
    """

    name: str
    title: tuple[str, str]
    version: int
    seats: tuple[int, ...]
    actions: Any
    options: type[Opt]
    presets: Mapping[str, Mapping[str, Any]]
    reveal: Literal["hand", "match", "never"]
    open: Callable[[Mapping[str, Any], int], Opt]
    begin: Callable[[Opt, int], S]
    evolve: Callable[[S, Event], S]
    phase: Callable[[S], str]
    due: Callable[[S], Due]
    deal: Callable[[S, Shuffle], Events]
    legal: Callable[[S, Seat | None], Legal]
    act: Callable[[S, Seat | None, Action, bool], Events]
    timeout: Callable[[S, Seat | None], Action]
    score: Callable[[S], Events]
    seals: Callable[[S, Seat | None, Action], bool]
    veils: Callable[[S], bool] = openly
    table: Callable[[S], Table]
    scenarios: Scenarios[Opt, S]
    seconds: Mapping[str, int] = field(default_factory=dict[str, int])
