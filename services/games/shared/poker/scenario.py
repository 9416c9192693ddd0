"""How scenario files of the poker games map onto their state (poker §13)."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from schemas.cards import Cards, Seat
from schemas.poker import HandScored
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shared.poker.ranking import Ranking, best_five
from services.games.shared.poker.state import Between, Hand, O, State, cards_of, due, hand_of
from services.games.shared.state import Ended

UNORDERED = frozenset({"eligible", "winners"})
"""The keys whose lists are sets, wherever they stand."""

Fact = Callable[[State[Any]], object]


class _Form(Struct, frozen=True):
    """What these games read of a scenario: one deck a hand, whole and in dealing order."""

    deck: tuple[str, ...] | None = None
    decks: tuple[tuple[str, ...], ...] = ()


def decks_of(pack: Cards, scenario: Mapping[str, Any]) -> tuple[Cards, ...]:
    """The decks of the hands, in order. Raises Refused: bad_deal where one is not the whole pack."""
    try:
        form = msgspec.convert(scenario, _Form)
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_DEAL, str(error)) from None
    decks = form.decks if form.deck is None else (form.deck, *form.decks)
    if any(sorted(deck) != sorted(pack) for deck in decks):
        raise Refused(Code.BAD_DEAL)
    return decks


def facts(ranking: Callable[[O], Ranking], phase: Callable[[State[O]], str]) -> Mapping[str, Fact]:
    """How to read each key of `expect`, `then` and `after` (poker §13)."""

    def best(state: State[O]) -> object:
        hand = hand_of(state)
        if hand is None or _result(state) is None:
            return None
        shown = hand.live if len(hand.live) > 1 else ()
        order = ranking(state.options)
        return [best_five(cards_of(hand, seat), order) if seat in shown else None for seat in range(len(state.stacks))]

    return {
        "phase": phase,
        "turn": _turn,
        "scores": lambda state: [now - then for now, then in zip(state.stacks, state.start, strict=True)],
        "stacks": lambda state: state.stacks,
        "pots": _pots,
        "returned": _of_hand(lambda hand: hand.returned),
        "board": _of_hand(lambda hand: hand.board),
        "best": best,
        "shown": _of_hand(lambda hand: hand.shown),
        "mucked": _of_hand(lambda hand: hand.mucked),
        "hand_scores": lambda state: state.hand_scores,
        "busted": lambda state: [bust.seat for bust in state.busts],
        "match_over": lambda state: isinstance(state.phase, Ended),
        "dealer": _of_hand(lambda hand: hand.positions.dealer),
        "next_dealer": lambda state: state.phase.positions.dealer if isinstance(state.phase, Between) else None,
    }


def _of_hand(fact: Callable[[Hand], object]) -> Fact:
    """A fact of the hand in play, or the last one; None before the first."""

    def read(state: State[Any]) -> object:
        hand = hand_of(state)
        return None if hand is None else fact(hand)

    return read


def _turn(state: State[Any]) -> Seat | None:
    seats = due(state)
    return seats[0] if isinstance(seats, tuple) and seats else None


def _result(state: State[Any]) -> HandScored | None:
    return state.phase.result if isinstance(state.phase, Between | Ended) else None


def _pots(state: State[Any]) -> object:
    result = _result(state)
    if result is None:
        return None
    return [{"amount": pot.amount, "eligible": pot.eligible, "winners": pot.winners} for pot in result.pots]
