"""The lay-out of a match of a poker game for viewers (poker §9)."""

from collections.abc import Sequence

from msgspec import to_builtins
from msgspec.structs import asdict

from schemas.cards import Cards, Seat
from schemas.views import Pile, Place, Table
from services.games.shared.poker.state import (
    Betting,
    Between,
    Hand,
    O,
    State,
    due,
    hand_of,
    outcome_of,
    phase,
    result_of,
)
from services.games.shared.table import seen_by, waited_for
from services.games.shared.total import without


def table(state: State[O], *, game: str, streets: Sequence[str]) -> Table:
    """Face-down cards hidden to the others until they are shown; chips and all other cards are open."""
    hand = hand_of(state)
    return Table(
        game=game,
        phase=phase(state, streets),
        turn=waited_for(due(state)),
        places=tuple(_place(state, hand, seat) for seat in range(len(state.stacks))),
        piles=(Pile(name="board", cards=hand.board),) if hand and hand.board else (),
        facts=_facts(state, hand),
    )


def _place(state: State[O], hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"stack": state.stacks[seat]}
    if hand is None:
        return Place(hand=seen_by(seat, ()), facts=facts)
    facts["put"] = hand.put[seat]
    if isinstance(state.phase, Betting):
        facts["bet"] = state.phase.round.bets[seat]
    if seat in hand.seats and seat not in hand.live:
        facts["folded"] = True
    if hand.returned[seat]:
        facts["returned"] = hand.returned[seat]
    if (result := result_of(state)) is not None:
        facts["score"] = result.scores[seat]
    held = without(hand.down[seat], hand.faces[seat])
    return Place(hand=seen_by(seat, held), piles=_piles(hand, seat), facts=facts)


def _piles(hand: Hand, seat: Seat) -> tuple[Pile, ...]:
    """The face-down cards that the seat has turned up, and its face-up cards."""
    piles: dict[str, Cards] = {"shown": hand.faces[seat], "up": hand.up[seat]}
    return tuple(Pile(name=name, cards=cards) for name, cards in piles.items() if cards)


def _facts(state: State[O], hand: Hand | None) -> dict[str, object]:
    told = state.phase if isinstance(state.phase, Between) else hand
    facts: dict[str, object] = {} if told is None else {"hand_no": told.hand_no, **to_builtins(told.positions)}
    if hand is not None:
        facts["pot"] = sum(hand.put) + hand.dead
    if isinstance(state.phase, Betting):
        facts["to_match"] = state.phase.round.to_match
    if (result := result_of(state)) is not None:
        facts["pots"] = to_builtins(result.pots)
    if (outcome := outcome_of(state)) is not None:
        facts |= asdict(outcome)
    return facts
