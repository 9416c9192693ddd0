"""How scenario files of the poker games map onto their state (poker §13)."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from schemas.cards import Cards
from services.games.game import Scenarios
from services.games.shared.poker.ranking import Ranking, best_five
from services.games.shared.poker.state import Between, O, State, cards_of, due, hand_of, result_of
from services.games.shared.scenario import Fact, check_pack, facts_of, read_form, turn
from services.games.shared.state import Ended

_UNORDERED = frozenset({"eligible", "winners"})

_of_hand = facts_of(hand_of)


class _Form(Struct, frozen=True):
    """What these games read of a scenario: one deck a hand, whole and in dealing order."""

    deck: tuple[str, ...] | None = None
    decks: tuple[tuple[str, ...], ...] = ()


def scenarios(
    begin: Callable[[O, int], State[O]],
    pack: Callable[[O], Cards],
    ranking: Callable[[O], Ranking],
    phase: Callable[[State[O]], str],
) -> Scenarios[Any, State[O]]:
    """A match before its first deal, the decks of its hands, and facts of it (poker §13)."""
    return Scenarios(
        begin=lambda options, scenario: begin(options, scenario["seats"]),
        decks=lambda options, scenario: _decks(pack(options), scenario),
        facts=_facts(ranking, phase),
        unordered=_UNORDERED,
    )


def _decks(pack: Cards, scenario: Mapping[str, Any]) -> tuple[Cards, ...]:
    """The decks of the hands, in order. Raises Refused: bad_deal where one is not the whole pack."""
    form = read_form(scenario, _Form)
    decks = form.decks if form.deck is None else (form.deck, *form.decks)
    for deck in decks:
        check_pack(deck, pack)
    return decks


def _facts(ranking: Callable[[O], Ranking], phase: Callable[[State[O]], str]) -> Mapping[str, Fact[State[Any]]]:
    """How to read each key of `expect`, `then` and `after` (poker §13)."""

    def best(state: State[O]) -> object:
        hand = hand_of(state)
        if hand is None or result_of(state) is None:
            return None
        shown = hand.live if len(hand.live) > 1 else ()
        order = ranking(state.options)
        return [best_five(cards_of(hand, seat), order) if seat in shown else None for seat in range(len(state.stacks))]

    return {
        "phase": phase,
        "turn": turn(due),
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


def _pots(state: State[Any]) -> object:
    result = result_of(state)
    if result is None:
        return None
    return [{"amount": pot.amount, "eligible": pot.eligible, "winners": pot.winners} for pot in result.pots]
