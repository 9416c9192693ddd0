"""How scenario files of Piquet map onto its state (piquet §10)."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from msgspec import Struct

from schemas.actions import Action
from schemas.cards import Cards, Seat
from schemas.refusals import Code
from schemas.views import Legal
from services.games.game import Refused, Scenarios
from services.games.piquet.deal import dealt
from services.games.piquet.evolve import evolve
from services.games.piquet.options import SEATS, Options, pack
from services.games.piquet.rules import timeout
from services.games.piquet.state import (
    CATEGORIES,
    Exchanging,
    Hand,
    State,
    due,
    hand_of,
    other,
    outcome_of,
    phase,
    result_of,
    running,
    total,
)
from services.games.shared.cards import is_from
from services.games.shared.scenario import Fact, alone, check_dealer, check_pack, facts_of, read_form, time_out, turn
from services.games.shared.state import Between, Ended


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
    form = read_form(scenario, _Form)
    dealer = options.first_dealer if form.dealer is None else form.dealer
    check_dealer(dealer, seats=SEATS)
    hand_no = form.hands_played + 1
    if form.deck is not None:
        check_pack(form.deck, pack(options))
        state = State(options=options, phase=Between(hand_no=hand_no, dealer=dealer), totals=form.totals)
        return reduce(evolve, dealt(options, hand_no, dealer, form.deck), state)
    if form.hands is None:
        raise Refused(Code.BAD_DEAL, "two hands and a talon, or a deck")
    if not is_from((*form.hands[0], *form.hands[1], *form.talon), pack(options)):
        raise Refused(Code.BAD_DEAL)
    hand = Hand(hand_no=hand_no, dealer=dealer, dealt=form.hands, held=form.hands, talon=form.talon)
    return State(options=options, phase=Exchanging(hand=hand, turn=other(dealer)), totals=form.totals)


def listed(legal: Legal) -> list[Action]:
    """What a seat may do as scenarios list it: of discards, the least and the largest number (piquet §4.1)."""
    return [_short(choice) for choice in legal.choices]


def _short(choice: Action) -> Action:
    if choice["type"] != "discard":
        return choice
    counts = choice["cards"]["counts"]
    return {"type": "discard", "min": counts[0], "max": counts[-1]}


# --- facts -------------------------------------------------------------------------------------------------------

_of_hand = facts_of(hand_of)
_of_result = facts_of(result_of)
_of_outcome = facts_of(outcome_of)


def _declared(hand: Hand) -> object:
    winners = {decided.what: decided.winner for decided in hand.decided}
    return {what: winners.get(what) for what in CATEGORIES}


FACTS: Mapping[str, Fact[State]] = {
    "phase": phase,
    "to_act": turn(due),
    "running": _of_hand(lambda hand: [running(parts) for parts in hand.parts]),
    "scores": _of_hand(lambda hand: [total(parts) for parts in hand.parts]),
    "breakdown": _of_hand(lambda hand: hand.parts),
    "declared": _of_hand(_declared),
    "tricks": _of_hand(lambda hand: [hand.tricks.count(seat) for seat in range(SEATS)]),
    "open_hand": _of_hand(lambda hand: [seat in hand.open for seat in range(SEATS)]),
    "hand_sizes": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "talon_left": _of_hand(lambda hand: len(hand.talon)),
    "timeout_action": time_out(due, timeout),
    "totals": lambda state: state.totals,
    "match_over": lambda state: isinstance(state.phase, Ended),
    "winner": _of_outcome(lambda outcome: alone(outcome.winners)),
    "settlement": _of_outcome(lambda outcome: outcome.settlement),
    "next_dealer": _of_result(lambda result: result.next_dealer),
}
"""The keys of `expect` and `after` (piquet §10)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS, listed=listed)
