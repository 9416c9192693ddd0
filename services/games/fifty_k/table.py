"""The lay-out of a match of Fifty-K for viewers (fifty_k §10)."""

from schemas.cards import Cards, Seat
from schemas.log import Due
from schemas.sealed import Hidden
from schemas.views import Pile, Place, Table
from services.games.fifty_k.options import SEATS
from services.games.fifty_k.state import Between, Ended, Hand, State, Unscored, due, hand_of, phase, side_of


def table(state: State) -> Table:
    """Hands hidden to the others until the hand is over; all that was played lies open."""
    hand = hand_of(state)
    who: Due = due(state)
    return Table(
        game="fifty_k",
        phase=phase(state),
        turn=Hidden(who if isinstance(who, tuple) else (), audience="everybody"),
        places=tuple(_place(state, hand, seat) for seat in range(SEATS)),
        facts=_facts(state, hand),
    )


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[side_of(seat)]}
    if hand is None:
        return Place(hand=Hidden((), audience=(seat,), n=0), facts=facts)
    facts["captured"] = hand.captured[seat]
    match state.phase:
        case Between(result=result) if result is not None:
            facts["score"] = result.scores[seat]
        case Ended(result=result):
            facts["score"] = result.scores[seat]
        case _:
            pass
    return Place(hand=_held(state, hand, seat), piles=(Pile(name="played", cards=_played(hand, seat)),), facts=facts)


def _held(state: State, hand: Hand, seat: Seat) -> Hidden[Cards]:
    """Turned up for everybody when the hand is over (fifty_k §6)."""
    held = hand.held[seat]
    if isinstance(state.phase, Unscored | Between | Ended):
        return Hidden(held, audience="everybody", n=len(held))
    return Hidden(held, audience=(seat,), n=len(held))


def _played(hand: Hand, seat: Seat) -> Cards:
    """The seat's last play to the trick."""
    return next((played.cards for played in reversed(hand.trick) if played.seat == seat), ())


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    match state.phase:
        case Between(hand_no=hand_no, first_receiver=seat):
            facts: dict[str, object] = {"hand_no": hand_no, "first_receiver": seat}
        case _:
            facts = {}
    if hand is None:
        return facts
    facts |= {"points": hand.points, "passed": hand.passed, "finished": hand.finished}
    if hand.current is not None:
        facts |= {"combo": hand.current.combo, "owner": hand.current.seat}
    match state.phase:
        case Between(result=result) if result is not None:
            facts |= {"result": result.result, "side_scores": result.side_scores}
        case Ended(result=result, winner_side=side):
            facts |= {"result": result.result, "side_scores": result.side_scores, "winner_side": side}
        case _:
            facts |= {"hand_no": hand.hand_no, "opening": hand.opening}
    return facts
