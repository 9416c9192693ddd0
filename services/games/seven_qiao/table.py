"""The lay-out of a match of Seven-qiao for viewers (seven_qiao §7)."""

from msgspec.structs import asdict

from schemas.cards import Seat
from schemas.views import Place, Table
from services.games.seven_qiao.state import Hand, State, due, hand_of, outcome_of, phase, result_of
from services.games.shared.state import Between
from services.games.shared.table import face_down, face_up, seen_by, waited_for


def table(state: State) -> Table:
    """Hands hidden until they are shown; who has a card offered, who is done and who broke his word is open."""
    hand = hand_of(state)
    stock = () if hand is None else hand.stock
    return Table(
        game="seven_qiao",
        phase=phase(state),
        turn=waited_for(due(state)),
        places=tuple(_place(state, hand, seat) for seat in range(len(state.totals))),
        piles=(face_down("stock", stock),),
        facts=_facts(state, hand),
    )


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat]}
    if hand is None:
        return Place(hand=seen_by(seat, ()), facts=facts)
    held, result = hand.held[seat], result_of(state)
    if result is None:
        facts |= {"offered": hand.pending[seat], "done": hand.done[seat], "reneges": hand.reneges[seat]}
        return Place(hand=seen_by(seat, held), facts=facts)
    facts |= {"kind": result.kinds[seat], "sum": result.sums[seat], "score": result.scores[seat]}
    facts["reneges"] = hand.reneges[seat]
    return Place(hand=face_up(held), facts=facts)


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    told = state.phase if isinstance(state.phase, Between) else hand
    facts: dict[str, object] = {} if told is None else {"hand_no": told.hand_no, "dealer": told.dealer}
    if (outcome := outcome_of(state)) is not None:
        facts |= asdict(outcome)
    return facts
