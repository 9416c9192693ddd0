"""How scenario files of Seven-qiao map onto its state (seven_qiao §8)."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from msgspec import Struct

from schemas.cards import Cards, Seat
from services.games.game import Scenarios
from services.games.seven_qiao.deal import dealt
from services.games.seven_qiao.evolve import evolve
from services.games.seven_qiao.options import Options, pack
from services.games.seven_qiao.rules import timeout
from services.games.seven_qiao.state import Drawing, State, due, hand_of, outcome_of, phase, result_of
from services.games.shared.scenario import Fact, check_dealer, check_pack, facts_of, read_form, time_out, totals_of
from services.games.shared.state import Between, Ended


class _Form(Struct, frozen=True):
    """What this game reads of a scenario: the pack in dealing order."""

    seats: int
    deck: Cards
    dealer: Seat | None = None
    totals: tuple[int, ...] | None = None
    hands_played: int = 0


def begin(options: Options, scenario: Mapping[str, Any]) -> State:
    """The state a scenario starts from: the cards are dealt. Raises Refused: bad_deal."""
    form = read_form(scenario, _Form)
    seats, dealer = form.seats, options.first_dealer if form.dealer is None else form.dealer
    totals = totals_of(form.totals, seats=seats)
    check_dealer(dealer, seats=seats)
    check_pack(form.deck, pack(options))
    hand_no = form.hands_played + 1
    state = State(options=options, phase=Between(hand_no=hand_no, dealer=dealer), totals=totals)
    return reduce(evolve, dealt(hand_no, dealer, form.deck, seats=seats), state)


# --- facts -------------------------------------------------------------------------------------------------------

_of_hand = facts_of(hand_of)
_of_result = facts_of(result_of)
_of_outcome = facts_of(outcome_of)


def _to_act(state: State) -> object:
    """The seat that is to act; all that are not done where they act in any order."""
    who = due(state)
    if not isinstance(who, tuple):
        return None
    return who if isinstance(state.phase, Drawing) and state.phase.turn is None else who[0]


FACTS: Mapping[str, Fact[State]] = {
    "phase": phase,
    "to_act": _to_act,
    "hand_sizes": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "done": _of_hand(lambda hand: hand.done),
    "pending": _of_hand(lambda hand: hand.pending),
    "reneges": _of_hand(lambda hand: hand.reneges),
    "stock_left": _of_hand(lambda hand: len(hand.stock)),
    "timeout_action": time_out(due, timeout),
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
