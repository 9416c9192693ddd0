"""How scenario files of Durak map onto its state (durak §12)."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import Cards, Seat, Suit
from schemas.events import Events
from schemas.refusals import Code
from services.games.durak.deal import dealt, first_attacker, hand_dealt, hands_of, holder_of
from services.games.durak.evolve import evolve
from services.games.durak.options import Options, pack
from services.games.durak.state import State, due, hand_of, outcome_of, phase, result_of
from services.games.game import DONE, Refused, Scenarios
from services.games.shared.cards import is_from
from services.games.shared.scenario import Fact, check_dealer, facts_of, over, read_form, totals_of, turn
from services.games.shared.state import Between, Ended


class _Start(Struct, frozen=True, forbid_unknown_fields=True):
    """What went before, and with `hands` the stock: top first, its last card the turn-up."""

    dealer: Seat = 0
    main: Seat | None = None
    stock: tuple[str, ...] | None = None
    trump: Suit | None = None
    exchange_phase: bool | None = None
    match_scores: tuple[int, ...] | None = None
    hands_played: int = 0


class _Form(Struct, frozen=True):
    """What this game reads of a scenario."""

    seats: int
    start: _Start = _Start()
    deck: tuple[str, ...] | None = None
    hands: tuple[tuple[str, ...], ...] | None = None


def begin(options: Options, scenario: Mapping[str, Any]) -> State:
    """The state a scenario starts from: after its deal. Raises Refused: bad_deal."""
    form = read_form(scenario, _Form)
    start = form.start
    totals = totals_of(start.match_scores, seats=form.seats)
    check_dealer(start.dealer, seats=form.seats)
    if (start.main or 0) >= form.seats:
        raise Refused(Code.BAD_DEAL, "the main attacker is one of the seats")
    hand_no = start.hands_played + 1
    state = State(options=options, phase=Between(hand_no=hand_no, dealer=start.dealer), totals=totals)
    return reduce(evolve, _dealt(options, hand_no, form), state)


def _dealt(options: Options, hand_no: int, form: _Form) -> Events:
    start = form.start
    if form.hands is None:
        deck = form.deck or ()
        hands = hands_of(options, deck, start.dealer, seats=form.seats)
    else:
        hands = form.hands
        deck = (*(card for cards in hands for card in cards), *(start.stock or ()))
    if len(hands) != form.seats or not is_from(deck, pack(options)):
        raise Refused(Code.BAD_DEAL)
    if form.hands is not None:
        return _given(options, hand_no, start, deck, hands)
    try:
        events = dealt(options, hand_no, start.dealer, deck, hands)
    except ValueError as error:
        raise Refused(Code.BAD_DEAL, str(error)) from None
    return _changed(events, start, seats=form.seats)


def _given(options: Options, hand_no: int, start: _Start, deck: Cards, hands: tuple[Cards, ...]) -> Events:
    turn_up = start.stock[-1] if start.stock else None
    trump = start.trump or (None if turn_up is None else turn_up[1])
    if trump is None or (turn_up is not None and (turn_up[0] == "X" or turn_up[1] != trump)):
        raise Refused(Code.BAD_DEAL, "the turn-up, or without a stock `trump`, says what is trump")
    asks = start.exchange_phase is True and options.exchange == "before_play" and turn_up is not None
    holder = holder_of(hands, turn_up) if asks and turn_up is not None else None
    main = first_attacker(options, hands, trump, start.dealer)
    event = hand_dealt(hand_no, start.dealer, deck, hands, turn_up=turn_up, trump=trump, main=main, holder=holder)
    return _changed((event,), start, seats=len(hands))


def _changed(events: Events, start: _Start, *, seats: int) -> Events:
    """The deal as `start` changes it: another main attacker, no phase in which to exchange."""
    event, *others = events
    if start.main is not None:
        event = replace(event, main=start.main, defender=(start.main + 1) % seats)
    if start.exchange_phase is False:
        event = replace(event, holder=None)
    return event, *others


# --- facts -------------------------------------------------------------------------------------------------------

_of_hand = facts_of(hand_of)
_of_result = facts_of(result_of)
_of_outcome = facts_of(outcome_of)


FACTS: Mapping[str, Fact[State]] = {
    "phase": over(phase),
    "turn": turn(due),
    "main": _of_hand(lambda hand: hand.main),
    "defender": _of_hand(lambda hand: hand.defender),
    "table": _of_hand(lambda hand: hand.table),
    "counts": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "hands": _of_hand(lambda hand: hand.held),
    "stock_count": _of_hand(lambda hand: len(hand.stock)),
    "turn_up": _of_hand(lambda hand: hand.turn_up),
    "trump": _of_hand(lambda hand: hand.trump),
    "out": _of_hand(lambda hand: hand.out),
    "discarded": _of_hand(lambda hand: hand.discarded),
    "hand_over": lambda state: phase(state) == DONE,
    "finish_order": _of_hand(lambda hand: hand.finish_order or None),
    "duraks": _of_hand(lambda hand: hand.duraks or None),
    "stalled": _of_hand(lambda hand: hand.stalled if hand.finish_order else None),
    "scores": _of_result(lambda result: result.scores),
    "match_scores": lambda state: state.totals,
    "next_dealer": _of_result(lambda result: result.next_dealer),
    "match_over": lambda state: isinstance(state.phase, Ended),
    "winners": _of_outcome(lambda outcome: outcome.winners),
}
"""The keys of `expect` and `after` (durak §12)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS, sets=frozenset({"hands"}))
