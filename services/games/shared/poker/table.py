"""The lay-out of a match of a poker game for viewers (poker §9)."""

from collections.abc import Sequence

from msgspec import to_builtins

from schemas.cards import Cards, Seat
from schemas.log import Due
from schemas.sealed import Hidden
from schemas.views import Pile, Place, Table
from services.games.shared.poker.state import Betting, Between, Hand, O, State, due, hand_of, phase
from services.games.shared.state import Ended
from services.games.shared.total import without


def table(state: State[O], *, game: str, streets: Sequence[str]) -> Table:
    """Face-down cards hidden to the others until they are shown; chips and all other cards are open."""
    hand = hand_of(state)
    who: Due = due(state)
    return Table(
        game=game,
        phase=phase(state, streets),
        turn=Hidden(who if isinstance(who, tuple) else (), audience="everybody"),
        places=tuple(_place(state, hand, seat) for seat in range(len(state.stacks))),
        piles=(Pile(name="board", cards=hand.board),) if hand and hand.board else (),
        facts=_facts(state, hand),
    )


def _place(state: State[O], hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"stack": state.stacks[seat]}
    if hand is None:
        return Place(hand=Hidden((), audience=(seat,), n=0), facts=facts)
    facts["put"] = hand.put[seat]
    if isinstance(state.phase, Betting):
        facts["bet"] = state.phase.round.bets[seat]
    if seat in hand.seats and seat not in hand.live:
        facts["folded"] = True
    if hand.returned[seat]:
        facts["returned"] = hand.returned[seat]
    match state.phase:
        case Between(result=result) | Ended(result=result) if result is not None:
            facts["score"] = result.scores[seat]
        case _:
            pass
    held = without(hand.down[seat], hand.faces[seat])
    return Place(hand=Hidden(held, audience=(seat,), n=len(held)), piles=_piles(hand, seat), facts=facts)


def _piles(hand: Hand, seat: Seat) -> tuple[Pile, ...]:
    """The face-down cards that the seat has turned up, and its face-up cards."""
    piles: dict[str, Cards] = {"shown": hand.faces[seat], "up": hand.up[seat]}
    return tuple(Pile(name=name, cards=cards) for name, cards in piles.items() if cards)


def _facts(state: State[O], hand: Hand | None) -> dict[str, object]:
    facts: dict[str, object] = {}
    if hand is not None:
        facts |= {"hand_no": hand.hand_no, **to_builtins(hand.positions), "pot": sum(hand.put) + hand.dead}
    match state.phase:
        case Betting(round=betting):
            facts["to_match"] = betting.to_match
        case Between(result=result, hand_no=hand_no, positions=positions):
            facts |= {"hand_no": hand_no, **to_builtins(positions)}
            if result is not None:
                facts["pots"] = to_builtins(result.pots)
        case Ended(result=result, outcome=outcome):
            facts |= {"pots": to_builtins(result.pots), "ranking": outcome.ranking, "scores": outcome.scores}
        case _:
            pass
    return facts
