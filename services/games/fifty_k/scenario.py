"""How scenario files of Fifty-K map onto its state (fifty_k §14)."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import msgspec
from msgspec import Struct

from schemas.actions import Action
from schemas.cards import Seat
from schemas.fifty_k import HandScored
from schemas.refusals import Code
from schemas.views import Legal
from services.games.fifty_k.combos import combo_text
from services.games.fifty_k.deal import hand_dealt, leader_of, pack
from services.games.fifty_k.options import SEATS, Options
from services.games.fifty_k.state import Between, Ended, Hand, State, due, evolve, hand_of, phase
from services.games.game import DONE, Refused, Scenarios
from services.games.shared.cards import deck_of, is_from, one_by_one


class _Start(Struct, frozen=True, forbid_unknown_fields=True):
    """What went before."""

    first_receiver: Seat = 0
    leader: Seat | None = None
    first_hand: bool = True
    match_scores: tuple[int, int] = (0, 0)
    hands_played: int = 0


class _Form(Struct, frozen=True):
    """What this game reads of a scenario."""

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
    first = start.first_receiver
    if first >= SEATS or (start.leader or 0) >= SEATS:
        raise Refused(Code.BAD_DEAL, "there are not so many seats")
    hands = one_by_one(form.deck or (), first=first, seats=SEATS) if form.hands is None else form.hands
    deck = deck_of(hands, first=first)
    if len(hands) != SEATS or not is_from(deck, pack(options)):
        raise Refused(Code.BAD_DEAL)
    leader = leader_of(hands, first) if start.leader is None else start.leader
    between = Between(hand_no=start.hands_played + 1, first_receiver=first)
    dealt = hand_dealt(options, between, deck, hands, leader=leader, first=start.first_hand)
    return reduce(evolve, (dealt,), State(options=options, phase=between, totals=start.match_scores))


def listed(legal: Legal) -> Sequence[Action]:
    """Plays by their combinations alone, as scenarios write them."""
    return [
        {"type": "play", "combo": combo_text(choice["as"], choice["cards"])} if choice["type"] == "play" else choice
        for choice in legal.choices
    ]


def line(entry: Action) -> str:
    """A combination, or `pass` (fifty_k §13)."""
    return str(entry.get("combo", entry["type"]))


# --- facts -------------------------------------------------------------------------------------------------------


def _of_hand(fact: Callable[[Hand], object]) -> Callable[[State], object]:
    """A fact of the hand in play or of the last one."""

    def read(state: State) -> object:
        hand = hand_of(state)
        return None if hand is None else fact(hand)

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


def _turn(state: State) -> Seat | None:
    seats = due(state)
    return seats[0] if isinstance(seats, tuple) else None


def _current(hand: Hand) -> object:
    return None if hand.current is None else {"seat": hand.current.seat, "combo": hand.current.combo}


FACTS: Mapping[str, Callable[[State], object]] = {
    "phase": lambda state: "over" if phase(state) == DONE else phase(state),
    "turn": _turn,
    "pile_points": _of_hand(lambda hand: hand.points),
    "captured": _of_hand(lambda hand: hand.captured),
    "counts": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "hands": _of_hand(lambda hand: hand.held),
    "finish_order": _of_hand(lambda hand: hand.finished),
    "current": _of_hand(_current),
    "hand_over": lambda state: phase(state) == DONE,
    "result": _of_result(lambda result: result.result),
    "unplayed": _of_result(lambda result: result.unplayed),
    "side_scores": _of_result(lambda result: result.side_scores),
    "scores": _of_result(lambda result: result.scores),
    "match_scores": lambda state: state.totals,
    "next_leader": _of_result(lambda result: result.next_leader),
    "match_over": lambda state: isinstance(state.phase, Ended),
    "winner_side": lambda state: state.phase.winner_side if isinstance(state.phase, Ended) else None,
}
"""The keys of `expect` and `after` (fifty_k §14)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS, sets=frozenset({"hands"}), listed=listed, line=line)
