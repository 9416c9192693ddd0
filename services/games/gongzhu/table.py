"""The lay-out of a match of Gongzhu for viewers (gongzhu §11)."""

from collections.abc import Mapping
from functools import lru_cache

from msgspec.structs import asdict

from schemas.cards import Cards, Seat
from schemas.gongzhu import Capture
from schemas.sealed import NOBODY, Audience, Everybody, Hidden
from schemas.views import Pile, Place, Table
from services.games.gongzhu.exposing import first_card
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

_NO_TRICK, _NOTHING_EXPOSED, _NOTHING_TAKEN = Pile(name="trick"), Pile(name="exposed"), Pile(name="taken")


def table(state: State) -> Table:
    """Hands hidden to the others; trick, exposed cards and point cards taken are open to all."""
    hand = hand_of(state)
    return Table(
        game="gongzhu",
        phase=phase(state),
        turn=waited_for(due(state)),
        places=_places(state, hand),
        facts=_facts(state, hand),
    )


def _places(state: State, hand: Hand | None) -> tuple[Place, ...]:
    """What lies before each seat: its hand, its play to the trick, its exposed cards, the point cards it took."""
    facts = _facts_of_seats(state, hand)
    if hand is None:
        return tuple([Place(hand=seen_by(seat, ()), facts=of_seat) for seat, of_seat in enumerate(facts)])
    trick = {play.seat: play.cards for play in state.phase.trick} if isinstance(state.phase, Playing) else {}
    exposed: dict[Seat, Cards] = {}
    dark: dict[Seat, Cards] = {}
    for each in hand.unplayed:
        pile = dark if each.mode == "dark" else exposed
        pile[each.seat] = (*pile.get(each.seat, ()), each.card)
    taken = _taken(hand.captures)
    shut, first = hands_are_shut(state), isinstance(state.phase, FirstExposing)
    darkly = state.options.dark_expose != "off"
    places: list[Place] = []
    for seat, held in enumerate(hand.held):
        piles: tuple[Pile, ...] = (
            Pile(name="trick", cards=trick[seat]) if seat in trick else _NO_TRICK,
            Pile(name="exposed", cards=exposed[seat]) if seat in exposed else _NOTHING_EXPOSED,
            taken.get(seat, _NOTHING_TAKEN),
        )
        if darkly:
            piles += (Pile(name="dark", hidden=seen_by(seat, dark.get(seat, ()))),)
        if first:
            piles += (Pile(name="first", hidden=seen_by(seat, (first_card(hand, seat),))),)
        shown = Hidden(held, audience=_audience(hand, seat, shut=shut), n=len(held))
        places.append(Place(hand=shown, piles=piles, facts=facts[seat]))
    return tuple(places)


@lru_cache(maxsize=1000)
def _taken(captures: tuple[Capture, ...]) -> Mapping[Seat, Pile]:
    """The point cards that seats have taken. They are the same for all plays to a trick, so they are kept."""
    taken: dict[Seat, Cards] = {}
    for capture in captures:
        taken[capture.taker] = (*taken.get(capture.taker, ()), capture.card)
    return {seat: Pile(name="taken", cards=in_order(cards)) for seat, cards in taken.items()}


def _audience(hand: Hand, seat: Seat, *, shut: bool) -> Audience | Everybody:
    """Who sees the hand of a seat: all, once it has claimed; nobody, while it answers of its first card alone."""
    if seat in hand.claimed:
        return "everybody"
    return NOBODY if shut else (seat,)


def _facts_of_seats(state: State, hand: Hand | None) -> list[dict[str, object]]:
    result, penalised = result_of(state), any(state.penalties)
    facts: list[dict[str, object]] = [
        {"total": total, "raw_total": raw} for total, raw in zip(state.totals, state.raw_totals, strict=True)
    ]
    for seat, of_seat in enumerate(facts):
        if penalised:
            of_seat["penalty"] = state.penalties[seat]
        if result is not None:
            of_seat["score"], of_seat["final"] = result.scores[seat], result.final[seat]
        elif hand is not None:
            of_seat["tricks"] = hand.winners.count(seat)
    return facts


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
