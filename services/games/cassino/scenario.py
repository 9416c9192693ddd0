"""How scenario files of the fishing game map onto its state (cassino §10)."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import msgspec
from msgspec import Struct

from schemas.actions import Action
from schemas.cards import Cards, Seat
from schemas.cassino import HandScored, MatchEnded
from schemas.refusals import Code
from services.games.cassino.deal import dealt, first_player
from services.games.cassino.evolve import evolve
from services.games.cassino.options import Options, pack
from services.games.cassino.rules import timeout
from services.games.cassino.state import Between, Ended, Hand, Penalties, Playing, State, hand_of, phase, turn_of
from services.games.cassino.turns import next_turn
from services.games.game import Refused, Scenarios


class _Form(Struct, frozen=True):
    """What this game reads of a scenario: how the cards lie before the first turn, or the pack in dealing order."""

    seats: int
    hands: tuple[Cards, ...] | None = None
    table: Cards = ()
    stock: Cards = ()
    piles: tuple[Cards, ...] | None = None
    deck: Cards | None = None
    dealer: Seat | None = None
    totals: tuple[int, ...] | None = None
    hands_played: int = 0


def begin(options: Options, scenario: Mapping[str, Any]) -> State:
    """The state a scenario starts from: the first turn, or whose turn that comes to be. Raises Refused: bad_deal."""
    try:
        form = msgspec.convert(scenario, _Form)
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_DEAL, str(error)) from None
    seats, dealer = form.seats, options.first_dealer if form.dealer is None else form.dealer
    totals = (0,) * seats if form.totals is None else form.totals
    if dealer >= seats or len(totals) != seats:
        raise Refused(Code.BAD_DEAL, "the dealer is one of the seats, and totals has one number for each")
    hand_no = form.hands_played + 1
    if form.deck is not None:
        _check_pack(options, form.deck)
        state = State(options=options, phase=Between(hand_no=hand_no, dealer=dealer), totals=totals)
        return reduce(evolve, dealt(options, hand_no, dealer, form.deck, seats=seats), state)
    hand = _hand(options, form, hand_no, dealer)
    before = (first_player(options, dealer, seats=seats) - 1) % seats
    state = State(options=options, phase=Playing(hand=hand, turn=before), totals=totals)
    return reduce(evolve, next_turn(options, hand, before, stuck=0), state)


def _hand(options: Options, form: _Form, hand_no: int, dealer: Seat) -> Hand:
    seats = form.seats
    piles = ((),) * seats if form.piles is None else form.piles
    if form.hands is None or len(form.hands) != seats or len(piles) != seats:
        raise Refused(Code.BAD_DEAL, "a hand for each seat, or a deck; piles for each seat if there are any")
    _check_pack(options, tuple(card for cards in (*form.hands, form.table, form.stock, *piles) for card in cards))
    return Hand(
        hand_no=hand_no,
        dealer=dealer,
        held=form.hands,
        table=form.table,
        stock=form.stock,
        piles=piles,
        penalties=(Penalties(),) * seats,
    )


def _check_pack(options: Options, cards: Cards) -> None:
    if sorted(cards) != sorted(pack(options)):
        raise Refused(Code.BAD_DEAL, "each card of the pack is there once")


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


def _builds(hand: Hand) -> object:
    return [{"seat": build.seat, "value": build.value, "cards": sorted(build.cards)} for build in hand.builds]


def _time_out(state: State) -> Action | None:
    seat = turn_of(state)
    return None if seat is None else timeout(state, seat)


FACTS: Mapping[str, Callable[[State], object]] = {
    "phase": phase,
    "to_act": turn_of,
    "table": _of_hand(lambda hand: sorted(hand.table)),
    "builds": _of_hand(_builds),
    "hand_sizes": _of_hand(lambda hand: [len(cards) for cards in hand.held]),
    "stock_left": _of_hand(lambda hand: len(hand.stock)),
    "piles": _of_hand(lambda hand: [sorted(pile) for pile in hand.piles]),
    "pile_sizes": _of_hand(lambda hand: [len(pile) for pile in hand.piles]),
    "penalties": _of_hand(lambda hand: hand.penalties),
    "timeout_action": _time_out,
    "sides": _of_result(lambda result: result.sides),
    "scores": _of_result(lambda result: result.scores),
    "totals": lambda state: state.totals,
    "match_over": lambda state: isinstance(state.phase, Ended),
    "winners": _of_outcome(lambda outcome: outcome.winners),
    "next_dealer": _of_result(lambda result: result.next_dealer),
}
"""The keys of `expect` and `after` (cassino §10)."""

SCENARIOS = Scenarios(begin=begin, facts=FACTS, unordered=frozenset({"builds", "cards"}))
