"""The lay-out of a match of Gongzhu for viewers (gongzhu §11)."""

from msgspec.structs import asdict

from schemas.cards import Cards, Seat
from schemas.log import Due
from schemas.sealed import Hidden
from schemas.views import Pile, Place, Table
from services.games.gongzhu.options import SEATS
from services.games.gongzhu.state import Between, Ended, Hand, Playing, State, due, hand_of, in_order, phase


def table(state: State) -> Table:
    """Hands hidden to the others; trick, exposed cards and point cards taken are open to all."""
    hand = hand_of(state)
    who: Due = due(state)
    return Table(
        game="gongzhu",
        phase=phase(state),
        turn=Hidden(who if isinstance(who, tuple) else (), audience="everybody"),
        places=tuple(_place(state, hand, seat) for seat in range(SEATS)),
        facts=_facts(state, hand),
    )


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat], "raw_total": state.raw_totals[seat]}
    if any(state.penalties):
        facts["penalty"] = state.penalties[seat]
    if hand is None:
        return Place(hand=Hidden((), audience=(seat,), n=0), facts=facts)
    match state.phase:
        case Between(result=result) if result is not None:
            facts["score"], facts["final"] = result.scores[seat], result.final[seat]
        case Ended(result=result):
            facts["score"], facts["final"] = result.scores[seat], result.final[seat]
        case _:
            facts["tricks"] = hand.winners.count(seat)
    held = hand.held[seat]
    return Place(hand=Hidden(held, audience=(seat,), n=len(held)), piles=_piles(state, hand, seat), facts=facts)


def _piles(state: State, hand: Hand, seat: Seat) -> tuple[Pile, ...]:
    """The seat's play to the trick on the table, its exposed cards not yet played, the point cards it took."""
    trick = state.phase.trick if isinstance(state.phase, Playing) else ()
    piles: dict[str, Cards] = {
        "trick": tuple(card for play in trick if play.seat == seat for card in play.cards),
        "exposed": tuple(e.card for e in hand.exposed if e.seat == seat and e.card in hand.held[seat]),
        "taken": in_order(tuple(c.card for c in hand.captures if c.taker == seat)),
    }
    return tuple(Pile(name=name, cards=cards) for name, cards in piles.items())


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    current = state.phase if isinstance(state.phase, Between) or hand is None else hand
    facts: dict[str, object] = {}
    if isinstance(current, Between | Hand):
        facts |= {"hand_no": current.hand_no, "dealer": current.dealer}
    if hand is not None:
        facts |= {"exposed": hand.exposed, "breaches": hand.breaches, "managed": hand.managed}
    match state.phase:
        case Playing(turn=turn, trick=trick):
            facts["leader"] = trick[0].seat if trick else turn
        case Ended(outcome=outcome):
            facts |= asdict(outcome)
        case _:
            pass
    return facts
