"""The lay-out of a match of the fishing game for viewers (cassino §9)."""

from msgspec.structs import asdict

from schemas.cards import Seat
from schemas.views import Pile, Place, Table
from services.games.cassino.state import Hand, State, build_of, due, hand_of, outcome_of, phase, result_of
from services.games.shared.state import Between
from services.games.shared.table import face_down, seen_by, waited_for


def table(state: State) -> Table:
    """Hands and stock hidden, what was taken only counted; the table and the builds are open to all."""
    hand = hand_of(state)
    return Table(
        game="cassino",
        phase=phase(state),
        turn=waited_for(due(state)),
        places=tuple(_place(state, hand, seat) for seat in range(len(state.totals))),
        piles=() if hand is None else (Pile(name="table", cards=hand.table), face_down("stock", hand.stock)),
        facts=_facts(state, hand),
    )


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat]}
    if hand is None:
        return Place(hand=seen_by(seat, ()), facts=facts)
    if (result := result_of(state)) is not None:
        facts["score"] = result.scores[seat]
    facts["penalties"] = asdict(hand.penalties[seat])
    held, taken, build = hand.held[seat], hand.piles[seat], build_of(hand, seat)
    piles = [face_down("taken", taken)]
    if build is not None:
        facts["build"] = build.value
        piles.append(Pile(name="build", cards=build.cards))
    return Place(hand=seen_by(seat, held), piles=tuple(piles), facts=facts)


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    told = state.phase if isinstance(state.phase, Between) else hand
    facts: dict[str, object] = {} if told is None else {"hand_no": told.hand_no, "dealer": told.dealer}
    if (result := result_of(state)) is not None:
        facts["sides"] = result.sides
    if (outcome := outcome_of(state)) is not None:
        facts |= asdict(outcome)
    return facts
