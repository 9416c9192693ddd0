"""How scenario files of Piquet map onto its state (piquet §10)."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from schemas.actions import Action
from schemas.cards import Cards, Seat
from schemas.piquet import MatchEnded
from schemas.refusals import Code
from schemas.views import Legal
from services.games.game import Refused, Scenarios
from services.games.piquet.deal import dealt
from services.games.piquet.evolve import evolve
from services.games.piquet.options import Options
from services.games.piquet.rules import timeout
from services.games.piquet.state import (
    CATEGORIES,
    PACK,
    Between,
    Ended,
    Exchanging,
    Hand,
    State,
    hand_of,
    other,
    phase,
    running,
    total,
    turn_of,
)
from services.games.shared.cards import is_from


class _Form(Struct, frozen=True):
    """What this game reads of a scenario: hands and talon as dealt, or the pack in dealing order."""

    hands: tuple[Cards, Cards] | None = None
    talon: Cards = ()
    deck: Cards | None = None
    dealer: Seat | None = None
    totals: tuple[int, int] = (0, 0)
    hands_played: int = 0


def begin(options: Options, scenario: Mapping[str, Any]) -> State:
    """The state a scenario starts from: the cards are dealt. Raises Refused: bad_deal."""
    try:
        form = msgspec.convert(scenario, _Form)
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_DEAL, str(error)) from None
    dealer = options.first_dealer if form.dealer is None else form.dealer
    if dealer not in (0, 1):
        raise Refused(Code.BAD_DEAL, "the dealer is one of the seats")
    hand_no = form.hands_played + 1
    if form.deck is not None:
        if sorted(form.deck) != sorted(PACK):
            raise Refused(Code.BAD_DEAL)
        between = State(options=options, phase=Between(hand_no=hand_no, dealer=dealer), totals=form.totals)
        return evolve(between, dealt(options, hand_no, dealer, form.deck))
    if form.hands is None:
        raise Refused(Code.BAD_DEAL, "two hands and a talon, or a deck")
    if not is_from((*form.hands[0], *form.hands[1], *form.talon), PACK):
        raise Refused(Code.BAD_DEAL)
    hand = Hand(hand_no=hand_no, dealer=dealer, dealt=form.hands, held=form.hands, talon=form.talon)
    return State(options=options, phase=Exchanging(hand=hand, turn=other(dealer)), totals=form.totals)


# --- what may be done, and facts ---------------------------------------------------------------------------------


def listed(legal: Legal) -> list[Action]:
    """What a seat may do as scenarios list it: of discards, the least and the largest number (piquet §4.1)."""
    return [_short(choice) for choice in legal.choices]


def _short(choice: Action) -> Action:
    if choice["type"] != "discard":
        return choice
    counts = choice["cards"]["counts"]
    return {"type": "discard", "min": counts[0], "max": counts[-1]}


def _of_hand(fact: Callable[[Hand], object]) -> Callable[[State], object]:
    """A fact of the hand in play or of the last one; None before the first."""

    def read(state: State) -> object:
        hand = hand_of(state)
        return None if hand is None else fact(hand)

    return read


def _of_outcome(fact: Callable[[MatchEnded], object]) -> Callable[[State], object]:
    """A fact of the end of the match; None while it goes on."""

    def read(state: State) -> object:
        return fact(state.phase.outcome) if isinstance(state.phase, Ended) else None

    return read


def _declared(hand: Hand) -> object:
    winners = {decided.what: decided.winner for decided in hand.decided}
    return {what: winners.get(what) for what in CATEGORIES}


def _next_dealer(state: State) -> Seat | None:
    return state.phase.result.next_dealer if isinstance(state.phase, Between | Ended) and state.phase.result else None


def _time_out(state: State) -> Action | None:
    seat = turn_of(state)
    if seat is None:
        return None
    action = timeout(state, seat)
    return {**action, "cards": sorted(action["cards"])} if "cards" in action else action


FACTS: Mapping[str, Callable[[State], object]] = {
    "phase": phase,
    "to_act": turn_of,
    "running": _of_hand(lambda hand: [running(parts) for parts in hand.parts]),
    "scores": _of_hand(lambda hand: [total(parts) for parts in hand.parts]),
    "breakdown": _of_hand(lambda hand: hand.parts),
    "declared": _of_hand(_declared),
    "tricks": _of_hand(lambda hand: [hand.tricks.count(seat) for seat in (0, 1)]),
    "open_hand": _of_hand(lambda hand: [seat in hand.open for seat in (0, 1)]),
    "hand_sizes": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "talon_left": _of_hand(lambda hand: len(hand.talon)),
    "timeout_action": _time_out,
    "totals": lambda state: state.totals,
    "match_over": lambda state: isinstance(state.phase, Ended),
    "winner": _of_outcome(lambda outcome: outcome.winner),
    "settlement": _of_outcome(lambda outcome: outcome.settlement),
    "next_dealer": _next_dealer,
}
"""The keys of `expect` and `after` (piquet §10)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS, listed=listed)
