"""The lay-out of a match of Piquet for viewers (piquet §8)."""

from msgspec.structs import asdict

from schemas.cards import Seat
from schemas.log import Due
from schemas.sealed import NOBODY, Hidden
from schemas.views import Pile, Place, Table
from services.games.piquet.options import SEATS
from services.games.piquet.state import (
    Between,
    Declaring,
    Ended,
    Hand,
    Playing,
    State,
    due,
    elder,
    hand_of,
    other,
    phase,
    running,
    total,
)


def table(state: State) -> Table:
    """Hands, discards and talon hidden; declarations, tricks and points open to all."""
    hand = hand_of(state)
    who: Due = due(state)
    talon = () if hand is None else hand.talon
    return Table(
        game="piquet",
        phase=phase(state),
        turn=Hidden(who if isinstance(who, tuple) else (), audience="everybody"),
        places=tuple(_place(state, hand, seat) for seat in range(SEATS)),
        piles=(Pile(name="talon", hidden=Hidden(talon, audience=NOBODY, n=len(talon))),),
        facts=_facts(state, hand),
    )


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat]}
    if hand is None:
        return Place(hand=Hidden((), audience=(seat,), n=0), facts=facts)
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
        Pile(name="discards", hidden=Hidden(gone, audience=(seat,), n=len(gone))),
    ]
    if seat == elder(hand) and hand.seen:
        piles.append(Pile(name="seen", hidden=Hidden(hand.seen, audience=(seat,), n=len(hand.seen))))
    return tuple(piles)


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    facts: dict[str, object] = {}
    match state.phase:
        case Between(hand_no=hand_no, dealer=dealer):
            facts |= {"hand_no": hand_no, "dealer": dealer}
        case _ if hand is not None:
            facts |= {"hand_no": hand.hand_no, "dealer": hand.dealer}
        case _:
            pass
    if hand is not None:
        facts["declared"] = [{"seat": d.seat, "what": d.what, "groups": d.groups} for d in hand.declared]
        facts["decided"] = {decided.what: decided.winner for decided in hand.decided}
        facts["carte_blanche"] = hand.blank
    match state.phase:
        case Declaring(what=what):
            facts["category"] = what
        case Ended(outcome=outcome):
            facts |= asdict(outcome)
        case _:
            pass
    return facts
