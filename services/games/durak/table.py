"""The lay-out of a match of Durak for viewers (durak §10)."""

from msgspec.structs import asdict

from schemas.cards import Seat
from schemas.sealed import Hidden
from schemas.views import Pile, Place, Table
from services.games.durak.state import Exchanging, Hand, State, due, hand_of, outcome_of, phase, result_of
from services.games.shared.state import Between
from services.games.shared.table import face_down, seen_by, waited_for


def table(state: State) -> Table:
    """Hands and stock hidden; the battle lies open; who may exchange is seen by that seat alone."""
    hand = hand_of(state)
    return Table(
        game="durak",
        phase=phase(state),
        turn=_turn(state),
        places=tuple(_place(state, hand, seat) for seat in range(len(state.totals))),
        piles=() if hand is None else _piles(hand),
        facts=_facts(state, hand),
    )


def _turn(state: State) -> Hidden[tuple[Seat, ...]]:
    match state.phase:
        case Exchanging(holder=holder):
            return Hidden((holder,), audience=(holder,))
        case _:
            return waited_for(due(state))


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat]}
    if (result := result_of(state)) is not None:
        facts["score"] = result.scores[seat]
    held = () if hand is None else hand.held[seat]
    return Place(hand=seen_by(seat, held), facts=facts)


def _piles(hand: Hand) -> tuple[Pile, ...]:
    """The stock, the turn-up below it, and each attack card with the card that beat it."""
    battle = [
        Pile(name="battle", cards=(p.attack,) if p.defence is None else (p.attack, p.defence)) for p in hand.table
    ]
    turn_up = () if hand.turn_up is None else (hand.turn_up,)
    return face_down("stock", hand.stock), Pile(name="turn_up", cards=turn_up), *battle


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    told = state.phase if isinstance(state.phase, Between) else hand
    facts: dict[str, object] = {} if told is None else {"hand_no": told.hand_no, "dealer": told.dealer}
    if hand is not None:
        facts |= {"trump": hand.trump, "main": hand.main, "defender": hand.defender}
        facts |= {"out": hand.out, "discarded": hand.discarded}
        if result_of(state) is not None:
            facts |= {"duraks": hand.duraks, "stalled": hand.stalled}
    if (outcome := outcome_of(state)) is not None:
        facts |= asdict(outcome)
    return facts
