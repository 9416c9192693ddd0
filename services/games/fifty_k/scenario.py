"""How scenario files of Fifty-K map onto its state (fifty_k §14)."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from msgspec import Struct

from schemas.actions import Action
from schemas.cards import Seat
from schemas.fifty_k import MatchEnded
from schemas.refusals import Code
from schemas.views import Legal
from services.games.fifty_k.combos import combo_text
from services.games.fifty_k.deal import dealt, leader_of
from services.games.fifty_k.evolve import evolve
from services.games.fifty_k.options import SEATS, Options, pack
from services.games.fifty_k.state import Between, Hand, State, due, hand_of, outcome_of, phase, result_of, side_of
from services.games.game import DONE, Refused, Scenarios
from services.games.shared.cards import is_from
from services.games.shared.deal import deck_of, one_by_one
from services.games.shared.scenario import Fact, facts_of, over, read_form, turn
from services.games.shared.state import Ended


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
    form = read_form(scenario, _Form)
    start = form.start
    first = start.first_receiver
    if first >= SEATS or (start.leader or 0) >= SEATS:
        raise Refused(Code.BAD_DEAL, "there are not so many seats")
    hands = one_by_one(form.deck or (), first=first, seats=SEATS) if form.hands is None else form.hands
    deck = deck_of(hands, first=first)
    if len(hands) != SEATS or not is_from(deck, pack(options)):
        raise Refused(Code.BAD_DEAL)
    hand_no, leader = start.hands_played + 1, leader_of(hands, first) if start.leader is None else start.leader
    state = State(options=options, phase=Between(hand_no=hand_no, first_receiver=first), totals=start.match_scores)
    events = dealt(options, hand_no, first, deck, hands, leader=leader, first=start.first_hand)
    return reduce(evolve, events, state)


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

_of_hand = facts_of(hand_of)
_of_result = facts_of(result_of)
_of_outcome = facts_of(outcome_of)


def _winner_side(outcome: MatchEnded) -> object:
    """None where both sides win."""
    sides = {*map(side_of, outcome.winners)}
    return sides.pop() if len(sides) == 1 else None


def _current(hand: Hand) -> object:
    return None if hand.current is None else {"seat": hand.current.seat, "combo": hand.current.combo}


FACTS: Mapping[str, Fact[State]] = {
    "phase": over(phase),
    "turn": turn(due),
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
    "winner_side": _of_outcome(_winner_side),
}
"""The keys of `expect` and `after` (fifty_k §14)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS, sets=frozenset({"hands"}), listed=listed, line=line)
