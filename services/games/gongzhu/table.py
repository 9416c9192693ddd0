"""The lay-out of a match of Gongzhu for viewers (gongzhu §11)."""

from msgspec.structs import asdict

from schemas.cards import Cards, Seat
from schemas.sealed import NOBODY, Audience, Everybody, Hidden
from schemas.views import Pile, Place, Table
from services.games.gongzhu.exposing import first_card
from services.games.gongzhu.options import SEATS
from services.games.gongzhu.playing import dark_of
from services.games.gongzhu.state import (
    Between,
    Claiming,
    Disputed,
    FirstExposing,
    Grace,
    Hand,
    Playing,
    State,
    due,
    hand_of,
    hands_are_shut,
    outcome_of,
    phase,
    result_of,
)
from services.games.shared.cards import in_order
from services.games.shared.table import seen_by, waited_for
from services.games.shared.total import without


def table(state: State) -> Table:
    """Hands hidden to the others; trick, exposed cards and point cards taken are open to all."""
    hand = hand_of(state)
    return Table(
        game="gongzhu",
        phase=phase(state),
        turn=waited_for(due(state)),
        places=tuple(_place(state, hand, seat) for seat in range(SEATS)),
        facts=_facts(state, hand),
    )


def _place(state: State, hand: Hand | None, seat: Seat) -> Place:
    facts: dict[str, object] = {"total": state.totals[seat], "raw_total": state.raw_totals[seat]}
    if any(state.penalties):
        facts["penalty"] = state.penalties[seat]
    if hand is None:
        return Place(hand=seen_by(seat, ()), facts=facts)
    if (result := result_of(state)) is not None:
        facts["score"], facts["final"] = result.scores[seat], result.final[seat]
    else:
        facts["tricks"] = hand.winners.count(seat)
    held = hand.held[seat]
    shown = Hidden(held, audience=_audience(state, hand, seat), n=len(held))
    return Place(hand=shown, piles=_piles(state, hand, seat), facts=facts)


def _audience(state: State, hand: Hand, seat: Seat) -> Audience | Everybody:
    """Who sees the hand of a seat: all, once it has claimed; nobody, while it answers of its first card alone."""
    if seat in hand.claimed:
        return "everybody"
    return NOBODY if hands_are_shut(state) else (seat,)


def _piles(state: State, hand: Hand, seat: Seat) -> tuple[Pile, ...]:
    """The seat's play to the trick on the table, its exposed cards not yet played, the point cards it took."""
    trick = state.phase.trick if isinstance(state.phase, Playing) else ()
    own = tuple(e for e in hand.unplayed if e.seat == seat)
    dark = tuple(e.card for e in dark_of(own))
    piles: dict[str, Cards] = {
        "trick": tuple(card for play in trick if play.seat == seat for card in play.cards),
        "exposed": without(tuple(e.card for e in own), dark),
        "taken": in_order(tuple(c.card for c in hand.captures if c.taker == seat)),
    }
    shown = [Pile(name=name, cards=cards) for name, cards in piles.items()]
    if state.options.dark_expose != "off":
        shown.append(Pile(name="dark", hidden=seen_by(seat, dark)))
    if isinstance(state.phase, FirstExposing):
        shown.append(Pile(name="first", hidden=Hidden((first_card(hand, seat),), audience=(seat,), n=1)))
    return tuple(shown)


def _facts(state: State, hand: Hand | None) -> dict[str, object]:
    facts: dict[str, object] = {}
    match state.phase:
        case Between(hand_no=hand_no, dealer=dealer):
            facts |= {"hand_no": hand_no, "dealer": dealer}
        case _ if hand is not None:
            facts |= {"hand_no": hand.deal.hand_no, "dealer": hand.deal.dealer}
        case _:
            pass
    if hand is not None:
        exposed = without(hand.exposed, dark_of(hand.unplayed))
        facts |= {"exposed": exposed, "breaches": hand.breaches, "managed": hand.managed}
        if hand.sides is not None:
            facts["sides"] = hand.sides
    match state.phase:
        case Playing(turn=turn, trick=trick):
            facts["leader"] = trick[0].seat if trick else turn
        case Claiming(claim=claim) | Grace(claim=claim) | Disputed(claim=claim):
            facts["claim"] = {"seat": claim.seat, "awards": claim.awards, "line": claim.line}
        case _:
            pass
    if (outcome := outcome_of(state)) is not None:
        facts |= asdict(outcome)
    return facts
