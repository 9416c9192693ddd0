"""The lay-out of a match of Seven-qiao for viewers (seven_qiao §7)."""

from msgspec.structs import asdict

from schemas.cards import Seat
from schemas.log import Due
from schemas.sealed import NOBODY, Hidden
from schemas.views import Pile, Place, Table
from services.games.seven_qiao.state import Between, Ended, Hand, State, due, hand_of, phase, result_of


def table(state: State) -> Table:
    """Hands hidden until they are shown; who has a card offered, who is done and who broke his word is open."""
    hand = hand_of(state)
    who: Due = due(state)
    stock = () if hand is None else hand.stock
    return Table(
        game="seven_qiao",
        phase=phase(state),
        turn=Hidden(who if isinstance(who, tuple) else (), audience="everybody"),
        places=tuple(_place(state, hand, seat) for seat in range(len(state.totals))),
        piles=(Pile(name="stock", hidden=Hidden(stock, audience=NOBODY, n=len(stock))),),
        facts=_facts(state, hand),
    )


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat]}
    if hand is None:
        return Place(hand=Hidden((), audience=(seat,), n=0), facts=facts)
    held, result = hand.held[seat], result_of(state)
    if result is None:
        facts |= {"offered": hand.pending[seat], "done": hand.done[seat], "reneges": hand.reneges[seat]}
        return Place(hand=Hidden(held, audience=(seat,), n=len(held)), facts=facts)
    facts |= {"kind": result.kinds[seat], "sum": result.sums[seat], "score": result.scores[seat]}
    facts["reneges"] = hand.reneges[seat]
    return Place(hand=Hidden(held, audience="everybody", n=len(held)), facts=facts)


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    facts: dict[str, object] = {}
    match state.phase:
        case Between(hand_no=hand_no, dealer=dealer):
            facts |= {"hand_no": hand_no, "dealer": dealer}
        case _ if hand is not None:
            facts |= {"hand_no": hand.hand_no, "dealer": hand.dealer}
        case _:
            pass
    if isinstance(state.phase, Ended):
        facts |= asdict(state.phase.outcome)
    return facts
