"""How scenario files of Gongzhu map onto its state (gongzhu §12)."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import PACK, Cards, Seat
from schemas.gongzhu import Capture, Exposure, HandScored, MatchEnded, Mode
from schemas.refusals import Code
from services.games.game import Refused, Scenarios
from services.games.gongzhu.deal import dealer_of, dealt, hands_of
from services.games.gongzhu.options import SEATS, Options
from services.games.gongzhu.playing import is_point_card
from services.games.gongzhu.score import sides
from services.games.gongzhu.state import (
    Between,
    Ended,
    Hand,
    State,
    Unscored,
    due,
    evolve,
    hand_of,
    in_order,
    phase,
    place_of,
)

Numbers = tuple[int, int, int, int]


class _Start(Struct, frozen=True, forbid_unknown_fields=True):
    """What went before; totals not given are 0."""

    hand_no: int = 1
    dealer: Seat | None = None
    prev_pig_taker: Seat | None = None
    totals: Numbers = (0, 0, 0, 0)
    raw_totals: Numbers | None = None
    penalties: Numbers = (0, 0, 0, 0)


class _Form(Struct, frozen=True):
    """What this game reads of a scenario; `@` marks a card taken by the seat that was dealt it."""

    start: _Start = _Start()
    deck: tuple[str, ...] | None = None
    hands: tuple[tuple[str, ...], ...] | None = None
    captured: tuple[tuple[str, ...], ...] | None = None
    exposed: dict[str, Mode] = {}
    managed: tuple[bool, bool, bool, bool] = (False, False, False, False)


def begin(options: Options, scenario: Mapping[str, Any]) -> State:
    """The state a scenario starts from: after its deal, or with point cards taken. Raises Refused: bad_deal."""
    try:
        form = msgspec.convert(scenario, _Form)
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_DEAL, str(error)) from None
    between = _between(options, form.start)
    dealer = dealer_of(options, between)
    state = _started(options, form.start, between)
    if form.captured is not None:
        return replace(state, phase=Unscored(hand=_taken(between, dealer, form.captured, form)))
    if form.deck is not None:
        return _dealt(state, between, form.deck, hands_of(form.deck, dealer))
    if form.hands is not None:
        return _dealt(state, between, _deck_of(form.hands, dealer), form.hands)
    return state


def _between(options: Options, start: _Start) -> Between:
    pig_taker = start.prev_pig_taker if start.hand_no > 1 else None
    turn = (options.first_dealer + start.hand_no - 1) % SEATS  # gongzhu §3.1, §5.1
    dealer, leader = {
        "pig_taker": (pig_taker, pig_taker),
        "opening_card": (pig_taker, None),
        "rotate": (turn, turn),
    }[options.leader_rule]
    return Between(hand_no=start.hand_no, dealer=dealer if start.dealer is None else start.dealer, leader=leader)


def _started(options: Options, start: _Start, between: Between) -> State:
    return State(
        options=options,
        phase=between,
        raw_totals=start.totals if start.raw_totals is None else start.raw_totals,
        totals=start.totals,
        penalties=start.penalties,
    )


def _deck_of(hands: tuple[Cards, ...], dealer: Seat) -> Cards:
    """The dealing order of which these hands came."""
    places = [(j, (seat - dealer) % SEATS, card) for seat, hand in enumerate(hands) for j, card in enumerate(hand)]
    return tuple(card for _, _, card in sorted(places))


def _dealt(state: State, between: Between, deck: Cards, hands: tuple[Cards, ...]) -> State:
    if len(hands) != SEATS or sorted(deck) != sorted(PACK * state.options.decks):
        raise Refused(Code.BAD_DEAL)  # gongzhu §3.3
    return reduce(evolve, dealt(state.options, between, deck, hands), state)


def _taken(between: Between, dealer: Seat, captured: tuple[tuple[str, ...], ...], form: _Form) -> Hand:
    """A hand of which only the point cards taken are known."""
    captures = tuple(
        Capture(text[:2], seat, seat if text[2:] == "@" else (seat + 1) % SEATS, form.exposed.get(text[:2]))
        for seat, texts in enumerate(captured)
        for text in texts
    )
    owners = {capture.card: capture.owner for capture in captures}
    points = [card for card in PACK if is_point_card(card)]
    if len(owners) < len(captures) or not all(card in points for card in owners) or len(captured) != SEATS:
        raise Refused(Code.BAD_DEAL)
    return Hand(
        hand_no=between.hand_no,
        dealer=dealer,
        leader=dealer if between.leader is None else between.leader,
        opening=None,
        dealt=((),) * SEATS,
        held=((),) * SEATS,
        exposed=tuple(Exposure(card, owners.get(card, 0), mode) for card, mode in form.exposed.items()),
        captures=captures,
        managed=form.managed,
    )


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
        match state.phase:
            case Between(result=HandScored() as result) | Ended(result=result):
                return fact(result)
            case _:
                return None

    return read


def _of_outcome(fact: Callable[[MatchEnded], object]) -> Callable[[State], object]:
    """A fact of the end of the match; None while it goes on."""

    def read(state: State) -> object:
        return fact(state.phase.outcome) if isinstance(state.phase, Ended) else None

    return read


def _turn(state: State) -> Seat | None:
    seats = due(state)
    return seats[0] if isinstance(seats, tuple) and len(seats) == 1 else None


def _dealer(state: State) -> Seat | None:
    hand = hand_of(state)
    if hand is not None:
        return hand.dealer
    return state.phase.dealer if isinstance(state.phase, Between) else None


def _is_void(state: State) -> bool:
    return isinstance(state.phase, Between) and state.phase.void


def _leader(state: State) -> Seat | None:
    hand = hand_of(state)
    return None if hand is None or _is_void(state) else hand.leader


def _captured(hand: Hand) -> object:
    return [in_order(tuple(c.card for c in hand.captures if c.taker == seat)) for seat in range(SEATS)]


def _exposed(hand: Hand) -> object:
    return sorted(hand.exposed, key=lambda e: (place_of(e.card), e.seat))


def _next_dealer(state: State) -> Seat | None:
    match state.phase:
        case Between(dealer=dealer, last=Hand()):
            return dealer
        case Ended(outcome=outcome):
            return outcome.next_dealer
        case _:
            return None


def _next_leader(state: State) -> Seat | None:
    match state.phase:
        case Between(leader=leader, last=Hand(), void=False):
            return leader
        case _:
            return None


FACTS: Mapping[str, Callable[[State], object]] = {
    "phase": phase,
    "turn": _turn,
    "leader": _leader,
    "dealer": _dealer,
    "hand_sizes": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "trick_winners": _of_hand(lambda hand: hand.winners),
    "captured": _of_hand(_captured),
    "exposed": _of_hand(_exposed),
    "sides": lambda state: sides(state.options),
    "breaches": _of_hand(lambda hand: hand.breaches),
    "void": _is_void,
    "shown": lambda _: [],  # no claims yet, which alone show a hand
    "scores": _of_result(lambda result: result.scores),
    "side_scores": _of_result(lambda result: result.side_scores),
    "final": _of_result(lambda result: result.final),
    "raw_totals": lambda state: state.raw_totals,
    "totals": lambda state: state.totals,
    "match_over": lambda state: isinstance(state.phase, Ended),
    "next_leader": _next_leader,
    "next_dealer": _next_dealer,
    "winners": _of_outcome(lambda outcome: outcome.winners),
    "pigs": _of_outcome(lambda outcome: outcome.pigs),
    "ranking": _of_outcome(lambda outcome: outcome.ranking),
    "match_final": _of_outcome(lambda outcome: outcome.match_final),
}
"""The keys of `expect` and `then` (gongzhu §12)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS)
