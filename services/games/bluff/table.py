"""The lay-out of a match of Bluff for viewers (bluff §7)."""

from schemas.cards import Seat
from schemas.log import Due
from schemas.sealed import Hidden
from schemas.views import Pile, Place, Table
from services.games.bluff.state import Between, Ended, Hand, State, due, hand_of, phase


def table(state: State) -> Table:
    """Hands and plays hidden to the others; open are numbers, claims, and what a challenge has turned up."""
    hand = hand_of(state)
    who: Due = due(state)
    return Table(
        game="bluff",
        phase=phase(state),
        turn=Hidden(who if isinstance(who, tuple) else (), audience="everybody"),
        places=tuple(_place(state, hand, seat) for seat in range(len(state.totals))),
        piles=() if hand is None or hand.turned is None else (Pile(name="turned", cards=hand.turned.cards),),
        facts=_facts(state, hand),
    )


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat]}
    match state.phase:
        case Between(result=result) if result is not None:
            facts["score"] = result.scores[seat]
        case Ended(result=result):
            facts["score"] = result.scores[seat]
        case _:
            pass
    if hand is None:
        return Place(hand=Hidden((), audience=(seat,), n=0), facts=facts)
    held = hand.held[seat]
    played = tuple(card for laid in hand.pile if laid.seat == seat for card in laid.cards)
    pile = Pile(name="played", hidden=Hidden(played, audience=(seat,), n=len(played)))
    return Place(hand=Hidden(held, audience=(seat,), n=len(held)), piles=(pile,), facts=facts)


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    match state.phase:
        case Between(hand_no=hand_no, head=head):
            facts: dict[str, object] = {"hand_no": hand_no, "head": head}
        case _:
            facts = {}
    if hand is None:
        return facts
    facts |= {"out": hand.out, "removed": hand.removed, "pile": sum(len(laid.cards) for laid in hand.pile)}
    if hand.pile:
        last = hand.pile[-1]
        facts |= {"last_player": last.seat, "count": len(last.cards), "claim": last.rank}
    if hand.turned is not None:
        told = hand.turned
        facts["challenge"] = {
            "seat": told.seat,
            "by": told.by,
            "true": told.true,
            "taker": told.taker,
            "taken": told.taken,
        }
    match state.phase:
        case Ended(winner=winner):
            facts["winner"] = winner
        case Between():
            pass
        case _:
            facts |= {"hand_no": hand.hand_no, "head": hand.head}
    return facts
