"""The lay-out of a match of Piquet for viewers (piquet §8)."""

from msgspec.structs import asdict

from schemas.cards import Seat
from schemas.sealed import Hidden
from schemas.views import Pile, Place, Table
from services.games.piquet.options import SEATS
from services.games.piquet.state import (
    Declaring,
    Hand,
    Playing,
    State,
    due,
    elder,
    hand_of,
    other,
    outcome_of,
    phase,
    running,
    total,
)
from services.games.shared.state import Between
from services.games.shared.table import face_down, seen_by, waited_for


def table(state: State) -> Table:
    """Hands, discards and talon hidden; declarations, tricks and points open to all."""
    hand = hand_of(state)
    talon = () if hand is None else hand.talon
    return Table(
        game="piquet",
        phase=phase(state),
        turn=waited_for(due(state)),
        places=tuple(_place(state, hand, seat) for seat in range(SEATS)),
        piles=(face_down("talon", talon),),
        facts=_facts(state, hand),
    )


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat]}
    if hand is None:
        return Place(hand=seen_by(seat, ()), facts=facts)
    held = hand.held[seat]
    facts["running"], facts["score"] = running(hand.parts[seat]), total(hand.parts[seat])
    facts["tricks"] = hand.tricks.count(seat)
    shown = Hidden(held, audience="everybody" if seat in hand.open else (seat,), n=len(held))
    return Place(hand=shown, piles=_piles(state, hand, seat), facts=facts)


def _piles(state: State, hand: Hand, seat: Seat) -> tuple[Pile, ...]:
    """The seat's card in the trick, its discards, and of elder the cards that he saw in the talon."""
    lead = state.phase.lead if isinstance(state.phase, Playing) and state.phase.turn == other(seat) else None
    gone = hand.discards[seat]
    piles = [
        Pile(name="trick", cards=() if lead is None else (lead,)),
        Pile(name="discards", hidden=seen_by(seat, gone)),
    ]
    if seat == elder(hand) and hand.seen:
        piles.append(Pile(name="seen", hidden=seen_by(seat, hand.seen)))
    return tuple(piles)


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    told = state.phase if isinstance(state.phase, Between) else hand
    facts: dict[str, object] = {} if told is None else {"hand_no": told.hand_no, "dealer": told.dealer}
    if hand is not None:
        facts["declared"] = [{"seat": d.seat, "what": d.what, "groups": d.groups} for d in hand.declared]
        facts["decided"] = {decided.what: decided.winner for decided in hand.decided}
        facts["carte_blanche"] = hand.blank
    if isinstance(state.phase, Declaring):
        facts["category"] = state.phase.what
    if (outcome := outcome_of(state)) is not None:
        facts |= asdict(outcome)
    return facts
