"""The lay-out of a match of Durak for viewers (durak §10)."""

from schemas.cards import Seat
from schemas.log import Due
from schemas.sealed import NOBODY, Hidden
from schemas.views import Pile, Place, Table
from services.games.durak.state import Between, Ended, Exchanging, Hand, State, due, hand_of, phase


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
            who: Due = due(state)
            return Hidden(who if isinstance(who, tuple) else (), audience="everybody")


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat]}
    match state.phase:
        case Between(result=result) if result is not None:
            facts["score"] = result.scores[seat]
        case Ended(result=result):
            facts["score"] = result.scores[seat]
        case _:
            pass
    held = () if hand is None else hand.held[seat]
    return Place(hand=Hidden(held, audience=(seat,), n=len(held)), facts=facts)


def _piles(hand: Hand) -> tuple[Pile, ...]:
    """The stock, the turn-up below it, and each attack card with the card that beat it."""
    battle = [
        Pile(name="battle", cards=(p.attack,) if p.defence is None else (p.attack, p.defence)) for p in hand.table
    ]
    turn_up = () if hand.turn_up is None else (hand.turn_up,)
    return (
        Pile(name="stock", hidden=Hidden(hand.stock, audience=NOBODY, n=len(hand.stock))),
        Pile(name="turn_up", cards=turn_up),
        *battle,
    )


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    match state.phase:
        case Between(hand_no=hand_no, dealer=dealer):
            facts: dict[str, object] = {"hand_no": hand_no, "dealer": dealer}
        case _:
            facts = {}
    if hand is None:
        return facts
    facts |= {
        "trump": hand.trump,
        "main": hand.main,
        "defender": hand.defender,
        "out": hand.out,
        "discarded": hand.discarded,
    }
    match state.phase:
        case Between(played=played) if played is not None:
            facts |= {"duraks": played.duraks, "stalled": played.stalled}
        case Ended(played=played, winners=winners):
            facts |= {"duraks": played.duraks, "stalled": played.stalled, "winners": winners}
        case Between():
            pass
        case _:
            facts |= {"hand_no": hand.hand_no, "dealer": hand.dealer}
    return facts
