"""The lay-out of a match of Fifty-K for viewers (fifty_k §10)."""

from msgspec.structs import asdict

from schemas.cards import Cards, Seat
from schemas.sealed import Hidden
from schemas.views import Pile, Place, Table
from services.games.fifty_k.options import SEATS
from services.games.fifty_k.state import (
    Between,
    Hand,
    Playing,
    State,
    due,
    hand_of,
    outcome_of,
    phase,
    result_of,
    side_of,
)
from services.games.shared.table import face_up, seen_by, waited_for


def table(state: State) -> Table:
    """Hands hidden to the others until the hand is over; all that was played lies open."""
    hand = hand_of(state)
    return Table(
        game="fifty_k",
        phase=phase(state),
        turn=waited_for(due(state)),
        places=tuple(_place(state, hand, seat) for seat in range(SEATS)),
        facts=_facts(state, hand),
    )


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[side_of(seat)]}
    if hand is None:
        return Place(hand=seen_by(seat, ()), facts=facts)
    facts["captured"] = hand.captured[seat]
    if (result := result_of(state)) is not None:
        facts["score"] = result.scores[seat]
    return Place(hand=_held(state, hand, seat), piles=(Pile(name="trick", cards=_played(hand, seat)),), facts=facts)


def _held(state: State, hand: Hand, seat: Seat) -> Hidden[Cards]:
    """Turned up for everybody when the hand is over (fifty_k §6)."""
    held = hand.held[seat]
    return seen_by(seat, held) if isinstance(state.phase, Playing) else face_up(held)


def _played(hand: Hand, seat: Seat) -> Cards:
    """The seat's last play to the trick."""
    return next((played.cards for played in reversed(hand.trick) if played.seat == seat), ())


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    told = state.phase if isinstance(state.phase, Between) else hand
    facts: dict[str, object] = {} if told is None else {"hand_no": told.hand_no, "first_receiver": told.first_receiver}
    if hand is not None:
        facts |= {"points": hand.points, "passed": hand.passed, "out": hand.finished}
        if hand.current is not None:
            facts |= {"combo": hand.current.combo, "owner": hand.current.seat}
    if (result := result_of(state)) is not None:
        facts |= {"result": result.result, "side_scores": result.side_scores}
    elif hand is not None:
        facts["opening"] = hand.opening
    if (outcome := outcome_of(state)) is not None:
        facts |= asdict(outcome)
    return facts
