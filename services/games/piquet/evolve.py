"""How events change the state: what was decided stands in the event, and is only stored here."""

from msgspec.structs import replace

from schemas.events import Event
from schemas.piquet import (
    CategoryDecided,
    Declared,
    DeclaringBegan,
    Exchanged,
    HandDealt,
    HandPlayed,
    HandScored,
    HandShown,
    MatchEnded,
    Passed,
    PlayBegan,
    Played,
    Scored,
    TrickTaken,
)
from services.games.piquet.options import SEATS
from services.games.piquet.state import Declaring, Exchanging, Hand, Phase, Playing, State, other
from services.games.shared.state import Between, Ended, Unscored
from services.games.shared.total import opened, opened_hands, put, without, without_cards


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not Piquet's, or that does not fit the phase, changes nothing."""
    match event:
        case Played() | TrickTaken() | HandPlayed():
            phase = _play(state.phase, event)
        case Scored():
            phase = _scored(state.phase, event)
        case DeclaringBegan() | Declared() | Passed() | CategoryDecided() | PlayBegan():
            phase = _declare(state.phase, event)
        case HandDealt() | HandShown() | Exchanged():
            phase = _exchange(state.phase, event)
        case HandScored() | MatchEnded():
            return _score(state, event)
        case _:
            return state
    return state if phase is state.phase else replace(state, phase=phase)


def _play(phase: Phase, event: Played | TrickTaken | HandPlayed) -> Phase:
    match phase, event:
        case Playing(hand=hand), Played(seat=seat) if 0 <= seat < SEATS:
            held = without_cards(hand.held, seat, (event.card,))
            lead = event.card if phase.lead is None else None
            return Playing(hand=replace(hand, held=held), turn=event.next, lead=lead)
        case Playing(hand=hand), TrickTaken():
            return replace(phase, hand=replace(hand, tricks=(*hand.tricks, event.winner)))
        case Playing(hand=hand), HandPlayed():
            return Unscored(hand=hand)
        case _:
            return phase


def _scored(phase: Phase, event: Scored) -> Phase:
    match phase:
        case Exchanging(hand=hand) | Declaring(hand=hand) | Playing(hand=hand) | Unscored(hand=hand):
            if not 0 <= event.seat < SEATS:
                return phase
            parts = hand.parts[event.seat]
            more = replace(parts, **{event.part: getattr(parts, event.part) + event.points})
            return replace(phase, hand=replace(hand, parts=put(hand.parts, event.seat, more)))
        case _:
            return phase


def _declare(phase: Phase, event: DeclaringBegan | Declared | Passed | CategoryDecided | PlayBegan) -> Phase:
    match phase, event:
        case Declaring(hand=hand), Declared():
            return replace(phase, hand=replace(hand, declared=(*hand.declared, event)), turn=event.next)
        case Declaring(), Passed():
            return replace(phase, turn=event.next)
        case Declaring(hand=hand), CategoryDecided():
            return replace(phase, hand=replace(hand, decided=(*hand.decided, event)))
        case (Exchanging(hand=hand) | Declaring(hand=hand), DeclaringBegan()):
            return Declaring(hand=hand, what=event.what, turn=event.seat)
        case Declaring(hand=hand), PlayBegan():
            return Playing(hand=hand, turn=event.leader)
        case _:
            return phase


def _exchange(phase: Phase, event: HandDealt | HandShown | Exchanged) -> Phase:
    match phase, event:
        case Between(), HandDealt():
            hands = opened_hands(event.hands, seats=SEATS)
            hand = Hand(
                hand_no=event.hand_no, dealer=event.dealer, dealt=hands, held=hands, talon=opened(event.talon, ())
            )
            return Exchanging(hand=hand, turn=other(event.dealer))
        case Exchanging(hand=hand), HandShown(seat=seat):
            blank = hand.blank if seat in hand.blank else (*hand.blank, seat)
            is_open = (*hand.open, seat) if event.open and seat not in hand.open else hand.open
            return replace(phase, hand=replace(hand, blank=blank, open=is_open))
        case Exchanging(hand=hand), Exchanged(seat=seat) if 0 <= seat < SEATS:
            gone, drawn = opened(event.discards, ()), opened(event.drawn, ())
            exchanged = replace(
                hand,
                held=put(hand.held, seat, (*without(hand.held[seat], gone), *drawn)),
                talon=hand.talon[len(drawn) :],
                discards=put(hand.discards, seat, gone),
                seen=hand.seen or opened(event.seen, ()),
            )
            return Exchanging(hand=exchanged, turn=seat if event.next is None else event.next)
        case _:
            return phase


def _score(state: State, event: HandScored | MatchEnded) -> State:
    match state.phase, event:
        case Unscored(hand=hand), HandScored():
            between = Between(hand_no=hand.hand_no + 1, dealer=event.next_dealer, last=hand, result=event)
            return replace(state, phase=between, totals=event.totals)
        case Between(last=Hand() as last, result=HandScored() as result), MatchEnded():
            return replace(state, phase=Ended(last=last, result=result, outcome=event))
        case _:
            return state
