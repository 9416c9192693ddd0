"""How the scenario files of games map onto their states: reading a file, and facts of what may not be there."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from schemas.actions import Action
from schemas.cards import Cards, Seat
from schemas.log import Due
from schemas.refusals import Code
from services.games.game import DONE, Refused
from services.games.shared.score import Points
from services.games.shared.seats import turn_of

F = TypeVar("F")
P = TypeVar("P")
S = TypeVar("S")

Fact = Callable[[S], object]
"""How to read something off a state, or off a part of it."""


def read_form(scenario: Mapping[str, Any], form: type[F]) -> F:
    """What a game reads of a scenario. Raises Refused: bad_deal."""
    try:
        return msgspec.convert(scenario, form)
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_DEAL, str(error)) from None


def totals_of(totals: Points | None, *, seats: int) -> Points:
    """The totals before the hand: 0 where none are given. Raises Refused: bad_deal where there is not one a seat."""
    if totals is None:
        return (0,) * seats
    if len(totals) != seats:
        raise Refused(Code.BAD_DEAL, "there is one total for each seat")
    return totals


def check_dealer(dealer: Seat, *, seats: int) -> None:
    """Whether this is one of the seats. Raises Refused: bad_deal."""
    if dealer >= seats:
        raise Refused(Code.BAD_DEAL, "the dealer is one of the seats")


def check_pack(cards: Cards, pack: Cards) -> None:
    """Whether these are the whole pack. Raises Refused: bad_deal."""
    if sorted(cards) != sorted(pack):
        raise Refused(Code.BAD_DEAL, "each card of the pack is there once")


def facts_of(part: Callable[[S], P | None]) -> Callable[[Fact[P]], Fact[S]]:
    """Facts of the hand, of its scores, of the outcome of the match; None while a state has no such part."""

    def of_part(fact: Fact[P]) -> Fact[S]:
        def read(state: S) -> object:
            found = part(state)
            return None if found is None else fact(found)

        return read

    return of_part


def alone(winners: tuple[Seat, ...]) -> Seat | None:
    """The one who has won; None where several have."""
    return winners[0] if len(winners) == 1 else None


def over(phase: Callable[[S], str]) -> Fact[S]:
    """The name of the phase, and `over` where no hand is in play."""
    return lambda state: "over" if phase(state) == DONE else phase(state)


def turn(due: Callable[[S], Due]) -> Fact[S]:
    """The seat that is waited for; None where none is, or several are."""
    return lambda state: turn_of(due(state))


def time_out(due: Callable[[S], Due], timeout: Callable[[S, Seat | None], Action]) -> Fact[S]:
    """What stands in for the answer of that seat, its cards sorted; None where there is no such seat."""

    def read(state: S) -> Action | None:
        seat = turn_of(due(state))
        if seat is None:
            return None
        action = timeout(state, seat)
        return {**action, "cards": sorted(action["cards"])} if "cards" in action else action

    return read
