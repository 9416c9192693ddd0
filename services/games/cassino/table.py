"""The lay-out of a match of the fishing game for viewers (cassino §9)."""

from msgspec.structs import asdict

from schemas.cards import Seat
from schemas.log import Due
from schemas.sealed import NOBODY, Hidden
from schemas.views import Pile, Place, Table
from services.games.cassino.state import Between, Ended, Hand, State, build_of, due, hand_of, phase


def table(state: State) -> Table:
    """Hands and stock hidden, what was taken only counted; the table and the builds are open to all."""
    hand = hand_of(state)
    who: Due = due(state)
    return Table(
        game="cassino",
        phase=phase(state),
        turn=Hidden(who if isinstance(who, tuple) else (), audience="everybody"),
        places=tuple(_place(state, hand, seat) for seat in range(len(state.totals))),
        piles=() if hand is None else (Pile(name="table", cards=hand.table), _stock(hand)),
        facts=_facts(state, hand),
    )


def _stock(hand: Hand) -> Pile:
    return Pile(name="stock", hidden=Hidden(hand.stock, audience=NOBODY, n=len(hand.stock)))


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat]}
    if hand is None:
        return Place(hand=Hidden((), audience=(seat,), n=0), facts=facts)
    if isinstance(state.phase, Between | Ended) and state.phase.result is not None:
        facts["score"] = state.phase.result.scores[seat]
    facts["penalties"] = asdict(hand.penalties[seat])
    held, taken, build = hand.held[seat], hand.piles[seat], build_of(hand, seat)
    piles = [Pile(name="taken", hidden=Hidden(taken, audience=NOBODY, n=len(taken)))]
    if build is not None:
        facts["build"] = build.value
        piles.append(Pile(name="build", cards=build.cards))
    return Place(hand=Hidden(held, audience=(seat,), n=len(held)), piles=tuple(piles), facts=facts)


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    facts: dict[str, object] = {}
    match state.phase:
        case Between(hand_no=hand_no, dealer=dealer):
            facts |= {"hand_no": hand_no, "dealer": dealer}
        case _ if hand is not None:
            facts |= {"hand_no": hand.hand_no, "dealer": hand.dealer}
        case _:
            pass
    match state.phase:
        case Ended(result=result, outcome=outcome):
            facts |= {"sides": result.sides, **asdict(outcome)}
        case Between(result=result) if result is not None:
            facts["sides"] = result.sides
        case _:
            pass
    return facts
