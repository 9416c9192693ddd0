"""How scenario files of Seven-qiao map onto its state (seven_qiao §8)."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import msgspec
from msgspec import Struct

from schemas.actions import Action
from schemas.cards import Cards, Seat
from schemas.refusals import Code
from schemas.seven_qiao import HandScored, MatchEnded
from services.games.game import Refused, Scenarios
from services.games.seven_qiao.deal import dealt
from services.games.seven_qiao.evolve import evolve
from services.games.seven_qiao.options import DECK, Options
from services.games.seven_qiao.rules import timeout
from services.games.seven_qiao.state import Between, Drawing, Ended, Hand, State, due, hand_of, phase, result_of


class _Form(Struct, frozen=True):
    """What this game reads of a scenario: the pack in dealing order."""

    seats: int
    deck: Cards
    dealer: Seat | None = None
    totals: tuple[int, ...] | None = None
    hands_played: int = 0


def begin(options: Options, scenario: Mapping[str, Any]) -> State:
    """The state a scenario starts from: the cards are dealt. Raises Refused: bad_deal."""
    try:
        form = msgspec.convert(scenario, _Form)
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_DEAL, str(error)) from None
    seats, dealer = form.seats, options.first_dealer if form.dealer is None else form.dealer
    totals = (0,) * seats if form.totals is None else form.totals
    if dealer >= seats or len(totals) != seats:
        raise Refused(Code.BAD_DEAL, "the dealer is one of the seats, and totals has one number for each")
    if sorted(form.deck) != sorted(DECK):
        raise Refused(Code.BAD_DEAL, "each card of the pack is there once")
    hand_no = form.hands_played + 1
    state = State(options=options, phase=Between(hand_no=hand_no, dealer=dealer), totals=totals)
    return reduce(evolve, dealt(hand_no, dealer, form.deck, seats=seats), state)


# --- facts -------------------------------------------------------------------------------------------------------


def _of_hand(fact: Callable[[Hand], object]) -> Callable[[State], object]:
    """A fact of the hand in play or of the last one; None before the first."""

    def read(state: State) -> object:
        hand = hand_of(state)
        return None if hand is None else fact(hand)

    return read


def _of_result(fact: Callable[[HandScored], object]) -> Callable[[State], object]:
    """A fact of the scores of the last hand; None while they are not there."""

    def read(state: State) -> object:
        result = result_of(state)
        return None if result is None else fact(result)

    return read


def _of_outcome(fact: Callable[[MatchEnded], object]) -> Callable[[State], object]:
    """A fact of the end of the match; None while it goes on."""

    def read(state: State) -> object:
        return fact(state.phase.outcome) if isinstance(state.phase, Ended) else None

    return read


def _to_act(state: State) -> object:
    """The seat that is to act; all that are not done where they act in any order."""
    who = due(state)
    if not isinstance(who, tuple):
        return None
    return who if isinstance(state.phase, Drawing) and state.phase.turn is None else who[0]


def _time_out(state: State) -> Action | None:
    who = due(state)
    return timeout(state, who[0]) if isinstance(who, tuple) and len(who) == 1 else None


FACTS: Mapping[str, Callable[[State], object]] = {
    "phase": phase,
    "to_act": _to_act,
    "hand_sizes": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "done": _of_hand(lambda hand: hand.done),
    "pending": _of_hand(lambda hand: hand.pending),
    "reneges": _of_hand(lambda hand: hand.reneges),
    "stock_left": _of_hand(lambda hand: len(hand.stock)),
    "timeout_action": _time_out,
    "kinds": _of_result(lambda result: result.kinds),
    "sums": _of_result(lambda result: result.sums),
    "own_scores": _of_result(lambda result: result.own_scores),
    "scores": _of_result(lambda result: result.scores),
    "totals": lambda state: state.totals,
    "match_over": lambda state: isinstance(state.phase, Ended),
    "winners": _of_outcome(lambda outcome: outcome.winners),
    "losers": _of_outcome(lambda outcome: outcome.losers),
    "next_dealer": _of_result(lambda result: result.next_dealer),
    "hands": _of_result(lambda result: [sorted(cards) for cards in result.hands]),
}
"""The keys of `expect` and `after` (seven_qiao §8)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS, unordered=frozenset({"to_act"}))
