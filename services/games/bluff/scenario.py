"""How scenario files of Bluff map onto its state (bluff §11)."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.actions import Action
from schemas.bluff import HandPlayed, HandScored
from schemas.cards import Seat
from schemas.refusals import Code
from schemas.views import Legal
from services.games.bluff.deal import dealt
from services.games.bluff.options import Options, pack
from services.games.bluff.rules import CLAIMS
from services.games.bluff.state import Between, Ended, Hand, Playing, State, due, evolve, hand_of, phase
from services.games.game import DONE, Refused, Scenarios
from services.games.shared.cards import deck_of, is_from, one_by_one


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
    try:
        form = msgspec.convert(scenario, _Form)
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_DEAL, str(error)) from None
    start = form.start
    totals = (0,) * form.seats if start.match_scores is None else start.match_scores
    if len(totals) != form.seats or start.head >= form.seats:
        raise Refused(Code.BAD_DEAL, "there are not so many seats")
    hands = form.hands
    if hands is None:
        hands = one_by_one(form.deck or (), first=start.head, seats=form.seats)
    deck = deck_of(hands, first=start.head)
    if len(hands) != form.seats or not is_from(deck, pack(options)) or start.sequence_rank not in tuple(CLAIMS):
        raise Refused(Code.BAD_DEAL)
    between = Between(hand_no=1, head=start.head)
    state = State(options=options, phase=between, totals=totals)
    return _from_rank(reduce(evolve, dealt(between, deck, hands), state), start.sequence_rank)


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


def _turn(state: State) -> Seat | None:
    seats = due(state)
    return seats[0] if isinstance(seats, tuple) else None


def _last_play(hand: Hand) -> object:
    if not hand.pile:
        return None
    last = hand.pile[-1]
    return {"seat": last.seat, "count": len(last.cards), "rank": last.rank}


def _reveal(hand: Hand) -> object:
    told = hand.turned
    if told is None:
        return None
    return {
        "seat": told.seat,
        "by": told.by,
        "cards": sorted(told.cards),
        "rank": told.rank,
        "true": told.true,
        "taker": told.taker,
        "taken": told.taken,
    }


FACTS: Mapping[str, Callable[[State], object]] = {
    "phase": phase,
    "turn": _turn,
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
    "finish_order": _of_played(lambda played: played.finish_order),
    "scores": _of_result(lambda result: result.scores),
    "match_scores": lambda state: state.totals,
    "next_head": _of_result(lambda result: result.next_head),
    "match_over": lambda state: isinstance(state.phase, Ended),
    "winner": lambda state: state.phase.winner if isinstance(state.phase, Ended) else None,
}
"""The keys of `expect` and `after` (bluff §11)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS, sets=frozenset({"hands"}), listed=listed)
