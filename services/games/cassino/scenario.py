"""How scenario files of the fishing game map onto its state (cassino §10)."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from msgspec import Struct

from schemas.cards import Cards, Seat
from schemas.refusals import Code
from services.games.cassino.deal import dealt, first_player
from services.games.cassino.evolve import evolve
from services.games.cassino.options import Options, pack
from services.games.cassino.rules import timeout
from services.games.cassino.state import Hand, Penalties, Playing, State, due, hand_of, outcome_of, phase, result_of
from services.games.cassino.turns import next_turn
from services.games.game import Refused, Scenarios
from services.games.shared.scenario import (
    Fact,
    check_dealer,
    check_pack,
    facts_of,
    read_form,
    time_out,
    totals_of,
    turn,
)
from services.games.shared.state import Between, Ended


class _Form(Struct, frozen=True):
    """What this game reads of a scenario: how the cards lie before the first turn, or the pack in dealing order."""

    seats: int
    hands: tuple[Cards, ...] | None = None
    table: Cards = ()
    stock: Cards = ()
    piles: tuple[Cards, ...] | None = None
    deck: Cards | None = None
    dealer: Seat | None = None
    totals: tuple[int, ...] | None = None
    hands_played: int = 0


def begin(options: Options, scenario: Mapping[str, Any]) -> State:
    """The state a scenario starts from: the first turn, or whose turn that comes to be. Raises Refused: bad_deal."""
    form = read_form(scenario, _Form)
    seats, dealer = form.seats, options.first_dealer if form.dealer is None else form.dealer
    totals = totals_of(form.totals, seats=seats)
    check_dealer(dealer, seats=seats)
    hand_no = form.hands_played + 1
    if form.deck is not None:
        check_pack(form.deck, pack(options))
        state = State(options=options, phase=Between(hand_no=hand_no, dealer=dealer), totals=totals)
        return reduce(evolve, dealt(options, hand_no, dealer, form.deck, seats=seats), state)
    hand = _hand(options, form, hand_no, dealer)
    before = (first_player(options, dealer, seats=seats) - 1) % seats
    state = State(options=options, phase=Playing(hand=hand, turn=before), totals=totals)
    return reduce(evolve, next_turn(options, hand, before, stuck=0), state)


def _hand(options: Options, form: _Form, hand_no: int, dealer: Seat) -> Hand:
    seats = form.seats
    piles = ((),) * seats if form.piles is None else form.piles
    if form.hands is None or len(form.hands) != seats or len(piles) != seats:
        raise Refused(Code.BAD_DEAL, "a hand for each seat, or a deck; piles for each seat if there are any")
    laid = (*form.hands, form.table, form.stock, *piles)
    check_pack(tuple(card for cards in laid for card in cards), pack(options))
    return Hand(
        hand_no=hand_no,
        dealer=dealer,
        held=form.hands,
        table=form.table,
        stock=form.stock,
        piles=piles,
        penalties=(Penalties(),) * seats,
    )


# --- facts -------------------------------------------------------------------------------------------------------

_of_hand = facts_of(hand_of)
_of_result = facts_of(result_of)
_of_outcome = facts_of(outcome_of)


def _builds(hand: Hand) -> object:
    return [{"seat": build.seat, "value": build.value, "cards": sorted(build.cards)} for build in hand.builds]


FACTS: Mapping[str, Fact[State]] = {
    "phase": phase,
    "to_act": turn(due),
    "table": _of_hand(lambda hand: sorted(hand.table)),
    "builds": _of_hand(_builds),
    "hand_sizes": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "stock_left": _of_hand(lambda hand: len(hand.stock)),
    "piles": _of_hand(lambda hand: [sorted(pile) for pile in hand.piles]),
    "pile_sizes": _of_hand(lambda hand: [len(pile) for pile in hand.piles]),
    "penalties": _of_hand(lambda hand: hand.penalties),
    "timeout_action": time_out(due, timeout),
    "sides": _of_result(lambda result: result.sides),
    "scores": _of_result(lambda result: result.scores),
    "totals": lambda state: state.totals,
    "match_over": lambda state: isinstance(state.phase, Ended),
    "winners": _of_outcome(lambda outcome: outcome.winners),
    "next_dealer": _of_result(lambda result: result.next_dealer),
}
"""The keys of `expect` and `after` (cassino §10)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS, unordered=frozenset({"builds", "cards"}))
