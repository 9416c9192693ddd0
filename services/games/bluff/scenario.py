"""How scenario files of Bluff map onto its state (bluff §11)."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from schemas.actions import Action
from schemas.cards import Seat
from schemas.refusals import Code
from schemas.views import Legal
from services.games.bluff.deal import dealt
from services.games.bluff.evolve import evolve
from services.games.bluff.options import Options, pack
from services.games.bluff.rules import CLAIMS
from services.games.bluff.state import Between, Hand, Playing, State, due, hand_of, outcome_of, phase, result_of
from services.games.game import DONE, Refused, Scenarios
from services.games.shared.cards import is_from
from services.games.shared.deal import deck_of, one_by_one
from services.games.shared.scenario import Fact, alone, check_dealer, facts_of, read_form, totals_of, turn
from services.games.shared.state import Ended


class _Start(Struct, frozen=True, forbid_unknown_fields=True):
    """What went before."""

    head: Seat = 0
    match_scores: tuple[int, ...] | None = None
    sequence_rank: str = "A"


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
    check_dealer(start.head, seats=form.seats)
    hands = one_by_one(form.deck or (), first=start.head, seats=form.seats) if form.hands is None else form.hands
    deck = deck_of(hands, first=start.head)
    if len(hands) != form.seats or not is_from(deck, pack(options)) or start.sequence_rank not in tuple(CLAIMS):
        raise Refused(Code.BAD_DEAL)
    state = State(options=options, phase=Between(hand_no=1, head=start.head), totals=totals)
    return _from_rank(reduce(evolve, dealt(1, start.head, deck, hands), state), start.sequence_rank)


def _from_rank(state: State, rank: str) -> State:
    """The same with this rank due first in a sequence."""
    match state.phase:
        case Playing(hand=hand) as playing:
            return replace(state, phase=replace(playing, hand=replace(hand, plays=CLAIMS.index(rank))))
        case _:
            return state


def listed(legal: Legal) -> Sequence[Action]:
    """A play by the numbers of cards and the ranks alone, as scenarios write it."""
    return [_summary(choice) for choice in legal.choices]


def _summary(choice: Action) -> Action:
    if choice["type"] != "play":
        return choice
    ranks = choice["rank"]["of"] if "rank" in choice else None
    return {"type": "play", "counts": choice["cards"]["counts"], "ranks": ranks}


# --- facts -------------------------------------------------------------------------------------------------------

_of_hand = facts_of(hand_of)
_of_result = facts_of(result_of)
_of_outcome = facts_of(outcome_of)


def _last_play(hand: Hand) -> object:
    if not hand.pile:
        return None
    last = hand.pile[-1]
    return {"seat": last.seat, "count": len(last.cards), "rank": last.rank}


def _reveal(hand: Hand) -> object:
    return None if hand.turned is None else {**asdict(hand.turned), "cards": sorted(hand.turned.cards)}


FACTS: Mapping[str, Fact[State]] = {
    "phase": phase,
    "turn": turn(due),
    "counts": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "hands": _of_hand(lambda hand: hand.held),
    "pile_count": _of_hand(lambda hand: sum(len(laid.cards) for laid in hand.pile)),
    "need": _of_hand(lambda hand: len(hand.pile[0].cards) if hand.pile else None),
    "claimed_rank": _of_hand(lambda hand: hand.pile[-1].rank if hand.pile else None),
    "last_play": _of_hand(_last_play),
    "out": _of_hand(lambda hand: hand.out),
    "removed": _of_hand(lambda hand: hand.removed),
    "reveal": _of_hand(_reveal),
    "hand_over": lambda state: phase(state) == DONE,
    "finish_order": _of_hand(lambda hand: hand.finish_order or None),
    "scores": _of_result(lambda result: result.scores),
    "match_scores": lambda state: state.totals,
    "next_head": _of_result(lambda result: result.next_leader),
    "match_over": lambda state: isinstance(state.phase, Ended),
    "winner": _of_outcome(lambda outcome: alone(outcome.winners)),
}
"""The keys of `expect` and `after` (bluff §11)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS, sets=frozenset({"hands"}), listed=listed)
