"""The lay-out of a match of Bluff for viewers (bluff §7)."""

from msgspec.structs import asdict

from schemas.cards import Seat
from schemas.views import Pile, Place, Table
from services.games.bluff.state import Between, Hand, State, due, hand_of, outcome_of, phase, result_of
from services.games.shared.table import seen_by, waited_for


def table(state: State) -> Table:
    """Hands and plays hidden to the others; open are numbers, claims, and what a challenge has turned up."""
    hand = hand_of(state)
    return Table(
        game="bluff",
        phase=phase(state),
        turn=waited_for(due(state)),
        places=tuple(_place(state, hand, seat) for seat in range(len(state.totals))),
        piles=() if hand is None or hand.turned is None else (Pile(name="turned", cards=hand.turned.cards),),
        facts=_facts(state, hand),
    )


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat]}
    if (result := result_of(state)) is not None:
        facts["score"] = result.scores[seat]
    if hand is None:
        return Place(hand=seen_by(seat, ()), facts=facts)
    played = tuple(card for laid in hand.pile if laid.seat == seat for card in laid.cards)
    pile = Pile(name="played", hidden=seen_by(seat, played))
    return Place(hand=seen_by(seat, hand.held[seat]), piles=(pile,), facts=facts)


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    told = state.phase if isinstance(state.phase, Between) else hand
    facts: dict[str, object] = {} if told is None else {"hand_no": told.hand_no, "leader": told.head}
    if hand is not None:
        facts |= {"out": hand.out, "removed": hand.removed, "pile": sum(len(laid.cards) for laid in hand.pile)}
        if hand.pile:
            last = hand.pile[-1]
            facts |= {"last_player": last.seat, "count": len(last.cards), "claim": last.rank}
        if hand.turned is not None:
            turned = asdict(hand.turned)
            facts["challenge"] = {name: turned[name] for name in ("seat", "by", "true", "taker", "taken")}
    if (outcome := outcome_of(state)) is not None:
        facts |= asdict(outcome)
    return facts
