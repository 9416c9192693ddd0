"""How scenario files of Durak map onto its state (durak §12)."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import Cards, Seat, Suit
from schemas.durak import HandPlayed, HandScored
from schemas.events import Events
from schemas.refusals import Code
from services.games.durak.deal import dealt, first_attacker, hand_dealt, hands_of, holder_of
from services.games.durak.options import Options, pack
from services.games.durak.state import Between, Ended, Hand, State, due, evolve, hand_of, phase
from services.games.game import DONE, Refused, Scenarios
from services.games.shared.cards import is_from


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
    try:
        form = msgspec.convert(scenario, _Form)
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_DEAL, str(error)) from None
    start = form.start
    totals = (0,) * form.seats if start.match_scores is None else start.match_scores
    between = Between(hand_no=start.hands_played + 1, dealer=start.dealer)
    if len(totals) != form.seats or start.dealer >= form.seats or (start.main or 0) >= form.seats:
        raise Refused(Code.BAD_DEAL, "there are not so many seats")
    events = _dealt(options, between, form)
    return reduce(evolve, events, State(options=options, phase=between, totals=totals))


def _dealt(options: Options, between: Between, form: _Form) -> Events:
    if form.hands is None:
        deck = form.deck or ()
        hands = hands_of(options, deck, between.dealer, form.seats)
    else:
        hands = form.hands
        deck = (*(card for cards in hands for card in cards), *(form.start.stock or ()))
    if len(hands) != form.seats or not is_from(deck, pack(options)):
        raise Refused(Code.BAD_DEAL)
    if form.hands is not None:
        return _given(options, between, form.start, deck, hands)
    try:
        events = dealt(options, between, deck, hands)
    except ValueError as error:
        raise Refused(Code.BAD_DEAL, str(error)) from None
    return _changed(events, form.start, seats=form.seats)


def _given(options: Options, between: Between, start: _Start, deck: Cards, hands: tuple[Cards, ...]) -> Events:
    turn_up = start.stock[-1] if start.stock else None
    trump = start.trump or (None if turn_up is None else turn_up[1])
    if trump is None or (turn_up is not None and (turn_up[0] == "X" or turn_up[1] != trump)):
        raise Refused(Code.BAD_DEAL, "the turn-up, or without a stock `trump`, says what is trump")
    asks = start.exchange_phase is True and options.exchange == "before_play" and turn_up is not None
    holder = holder_of(hands, turn_up) if asks and turn_up is not None else None
    main = first_attacker(options, hands, trump, between.dealer)
    event = hand_dealt(between, deck, hands, turn_up=turn_up, trump=trump, main=main, holder=holder)
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


def _of_hand(fact: Callable[[Hand], object]) -> Callable[[State], object]:
    """A fact of the hand in play or of the last one."""

    def read(state: State) -> object:
        hand = hand_of(state)
        return None if hand is None else fact(hand)

    return read


def _of_played(fact: Callable[[HandPlayed], object]) -> Callable[[State], object]:
    """A fact of how the hand ended; None while it goes on."""

    def read(state: State) -> object:
        match state.phase:
            case Between(played=HandPlayed() as played) | Ended(played=played):
                return fact(played)
            case _:
                return None

    return read


def _of_result(fact: Callable[[HandScored], object]) -> Callable[[State], object]:
    """A fact of the scores; None while they are not there."""

    def read(state: State) -> object:
        match state.phase:
            case Between(result=HandScored() as result) | Ended(result=result):
                return fact(result)
            case _:
                return None

    return read


def _phase(state: State) -> str:
    return "over" if phase(state) == DONE else phase(state)


def _turn(state: State) -> Seat | None:
    seats = due(state)
    return seats[0] if isinstance(seats, tuple) else None


FACTS: Mapping[str, Callable[[State], object]] = {
    "phase": _phase,
    "turn": _turn,
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
    "finish_order": _of_played(lambda played: played.finish_order),
    "duraks": _of_played(lambda played: played.duraks),
    "stalled": _of_played(lambda played: played.stalled),
    "scores": _of_result(lambda result: result.scores),
    "match_scores": lambda state: state.totals,
    "next_dealer": _of_result(lambda result: result.next_dealer),
    "match_over": lambda state: isinstance(state.phase, Ended),
    "winners": lambda state: state.phase.winners if isinstance(state.phase, Ended) else None,
}
"""The keys of `expect` and `after` (durak §12)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS, sets=frozenset({"hands"}))
