"""How scenario files of Gongzhu map onto its state (gongzhu §12)."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from msgspec.structs import replace

from schemas.cards import PACK, Cards, Seat
from schemas.gongzhu import Capture, Exposure, HandScored, MatchEnded
from schemas.refusals import Code
from services.games.game import Refused, Scenarios
from services.games.gongzhu.deal import dealt, dealer_of, hands_of
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
from services.games.gongzhu.state import begin as begin_match


def begin(options: Options, scenario: Mapping[str, Any]) -> State:
    """The state a scenario starts from: after its deal, or with point cards taken. Raises Refused: bad_deal."""
    state = _started(options, scenario.get("start", {}))
    between = state.phase
    assert isinstance(between, Between)
    if "captured" in scenario:
        return replace(state, phase=Unscored(hand=_taken(between, scenario)))
    dealer = dealer_of(options, between)
    if "deck" in scenario:
        deck = tuple(scenario["deck"])
        hands = hands_of(deck, dealer)
    elif "hands" in scenario:
        hands = tuple(map(tuple, scenario["hands"]))
        deck = _deck_of(hands, dealer)
    else:
        return state
    if len(hands) != SEATS or not _is_whole(deck, PACK * options.decks):
        raise Refused(Code.BAD_DEAL)  # gongzhu §3.3
    return reduce(evolve, dealt(options, between, deck, hands), state)


def _started(options: Options, start: Mapping[str, Any]) -> State:
    hand_no: int = start.get("hand_no", 1)
    pig_taker: Seat | None = start.get("prev_pig_taker") if hand_no > 1 else None
    turn = (options.first_dealer + hand_no - 1) % SEATS
    dealer, leader = {
        "pig_taker": (pig_taker, pig_taker),
        "opening_card": (pig_taker, None),
        "rotate": (turn, turn),
    }[options.leader_rule]
    totals = tuple(start.get("totals", (0,) * SEATS))
    return replace(
        begin_match(options, SEATS),
        phase=Between(hand_no=hand_no, dealer=start.get("dealer", dealer), leader=leader),
        totals=totals,
        raw_totals=tuple(start.get("raw_totals", totals)),
        penalties=tuple(start.get("penalties", (0,) * SEATS)),
    )


def _deck_of(hands: tuple[Cards, ...], dealer: Seat) -> Cards:
    """The dealing order of which these hands came."""
    places = [(j, (seat - dealer) % SEATS, card) for seat, hand in enumerate(hands) for j, card in enumerate(hand)]
    return tuple(card for _, _, card in sorted(places, key=lambda place: place[:2]))


def _is_whole(deck: Cards, pack: Cards) -> bool:
    return all(isinstance(card, str) for card in deck) and sorted(deck) == sorted(pack)


def _taken(between: Between, scenario: Mapping[str, Any]) -> Hand:
    """A hand of which only the point cards taken are known; `@` marks those taken by the seat they were dealt to."""
    modes: Mapping[str, Any] = scenario.get("exposed", {})
    captures = tuple(
        Capture(text[:2], seat, seat if text.endswith("@") else (seat + 1) % SEATS, modes.get(text[:2]))
        for seat, texts in enumerate(scenario["captured"])
        for text in texts
    )
    cards = [capture.card for capture in captures]
    if len(set(cards)) < len(cards) or not all(card in PACK and is_point_card(card) for card in cards):
        raise Refused(Code.BAD_DEAL)
    owners = {capture.card: capture.owner for capture in captures}
    dealer = between.dealer or 0
    return Hand(
        hand_no=between.hand_no,
        dealer=dealer,
        leader=dealer if between.leader is None else between.leader,
        opening=None,
        dealt=((),) * SEATS,
        held=((),) * SEATS,
        exposed=tuple(Exposure(card, owners.get(card, 0), mode) for card, mode in modes.items()),
        captures=captures,
        managed=tuple(scenario.get("managed", (False,) * SEATS)),
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
    "leader": _of_hand(lambda hand: hand.leader),
    "dealer": _dealer,
    "hand_sizes": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "trick_winners": _of_hand(lambda hand: hand.winners),
    "captured": _of_hand(_captured),
    "exposed": _of_hand(_exposed),
    "sides": lambda state: sides(state.options),
    "breaches": _of_hand(lambda hand: hand.breaches),
    "void": lambda state: isinstance(state.phase, Between) and state.phase.void,
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
