"""How scenario files of Gongzhu map onto its state (gongzhu §12)."""

from collections import Counter
from collections.abc import Mapping
from functools import reduce
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import Seat
from schemas.events import Events
from schemas.gongzhu import Capture, Exposure, Mode, Place
from schemas.refusals import Code
from services.games.game import Refused, Scenarios
from services.games.gongzhu.deal import deal_of, dealt, shuffled
from services.games.gongzhu.evolve import evolve
from services.games.gongzhu.options import SEATS, Options, pack
from services.games.gongzhu.sides import sides
from services.games.gongzhu.state import (
    EXPOSABLE,
    PIG,
    POINT_CARDS,
    SHEEP,
    Between,
    Deal,
    Hand,
    State,
    bare,
    due,
    hand_of,
    outcome_of,
    phase,
    result_of,
    stands,
)
from services.games.shared.cards import in_order, place_of
from services.games.shared.deal import deck_of
from services.games.shared.scenario import Fact, check_pack, facts_of, read_form, turn
from services.games.shared.state import Ended, Unscored

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
    """What this game reads of a scenario; `@` marks a card taken by the seat that was dealt it, `!` an exposed copy."""

    start: _Start = _Start()
    deck: tuple[str, ...] | None = None
    hands: tuple[tuple[str, ...], ...] | None = None
    captured: tuple[tuple[str, ...], ...] | None = None
    exposed: dict[str, Mode | list[Mode]] = {}
    dealt: dict[str, Place] = {}
    managed: tuple[bool, bool, bool, bool] = (False, False, False, False)


def begin(options: Options, scenario: Mapping[str, Any]) -> State:
    """The state a scenario starts from: after its deal, or with point cards taken. Raises Refused: bad_deal."""
    form = read_form(scenario, _Form)
    between = _between(options, form.start)
    deal = deal_of(options, between)
    state = _started(options, form.start, between)
    if form.captured is not None:
        return replace(state, phase=Unscored(hand=_taken(options, deal, form.captured, form)))
    return reduce(evolve, _deal(options, between, deal, form), state)


def _deal(options: Options, between: Between, deal: Deal, form: _Form) -> Events:
    """What follows from the deck or the hands given. Raises Refused: bad_deal (gongzhu §3.3)."""
    if form.deck is None and (form.hands is None or len(form.hands) != SEATS):
        raise Refused(Code.BAD_DEAL, "four hands, a deck or captured cards")
    deck = deck_of(form.hands or (), first=deal.dealer) if form.deck is None else form.deck
    check_pack(deck, pack(options))
    as_given = form.deck is None and options.cut == "none"
    return dealt(options, deal, deck, form.hands) if as_given else shuffled(options, between, deck)


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


# --- scoring only ------------------------------------------------------------------------------------------------


def _modes(given: Mode | list[Mode]) -> list[Mode]:
    """The modes of the copies of a card."""
    return given if isinstance(given, list) else [given]


def _taken(options: Options, deal: Deal, captured: tuple[tuple[str, ...], ...], form: _Form) -> Hand:
    """A hand of which only the point cards taken are known."""
    modes = {card: _modes(mode) for card, mode in form.exposed.items()}
    captures = _captures(captured, modes, options)
    counts = Counter(capture.card for capture in captures)
    if (
        len(captured) != SEATS
        or any(card not in POINT_CARDS or count > options.decks for card, count in counts.items())
        or any(card not in EXPOSABLE or len(copies) > options.decks for card, copies in modes.items())
        or (options.partnership == "pig_sheep" and set(form.dealt) != {PIG, SHEEP})
    ):
        raise Refused(Code.BAD_DEAL)
    owners = {capture.card: capture.owner for capture in captures}
    hands = tuple(tuple(card for card, owner in form.dealt.items() if owner == seat) for seat in range(SEATS))
    return replace(
        bare(replace(deal, hands=hands)),
        leader=deal.dealer if deal.leader is None else deal.leader,
        held=((),) * SEATS,
        exposed=tuple(Exposure(card, owners.get(card, 0), mode) for card, copies in modes.items() for mode in copies),
        captures=captures,
        managed=form.managed,
    )


def _captures(
    captured: tuple[tuple[str, ...], ...], modes: Mapping[str, list[Mode]], options: Options
) -> tuple[Capture, ...]:
    """The cards as they are marked: with two decks, of one exposed copy `!` says which it is."""
    left = {card: list(copies) for card, copies in modes.items()}
    captures: list[Capture] = []
    for seat, texts in enumerate(captured):
        for text in texts:
            card, marks = text[:2], text[2:]
            if marks not in ("", "@", "!", "@!", "!@"):
                raise Refused(Code.BAD_DEAL)
            is_exposed = "!" in marks or len(modes.get(card, ())) == options.decks
            mode = left[card].pop(0) if is_exposed and left.get(card) else None
            captures.append(Capture(card, seat, seat if "@" in marks else (seat + 1) % SEATS, mode))
    return tuple(captures)


# --- facts -------------------------------------------------------------------------------------------------------

_of_hand = facts_of(hand_of)
_of_result = facts_of(result_of)
_of_outcome = facts_of(outcome_of)


def _dealer(state: State) -> Seat | None:
    hand = hand_of(state)
    if hand is not None:
        return hand.deal.dealer
    return state.phase.dealer if isinstance(state.phase, Between) else None


def _is_void(state: State) -> bool:
    return isinstance(state.phase, Between) and state.phase.void


def _leader(state: State) -> Seat | None:
    hand = hand_of(state)
    return hand.leader if hand is not None and stands(state) else None


def _sides(state: State) -> object:
    hand = hand_of(state)
    return sides(state.options, hand) if hand is not None and stands(state) else None


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


FACTS: Mapping[str, Fact[State]] = {
    "phase": phase,
    "turn": turn(due),
    "leader": _leader,
    "dealer": _dealer,
    "hand_sizes": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "trick_winners": _of_hand(lambda hand: hand.winners),
    "captured": _of_hand(_captured),
    "exposed": _of_hand(_exposed),
    "sides": _sides,
    "breaches": _of_hand(lambda hand: hand.breaches),
    "void": _is_void,
    "shown": _of_hand(lambda hand: sorted(hand.claimed)),
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
