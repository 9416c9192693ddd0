"""The state of a match of Gongzhu, and how events change it: what was decided stands in the event."""

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from schemas import gongzhu
from schemas.cards import PACK, Card, Cards, Seat
from schemas.events import Event
from schemas.gongzhu import (
    Answer,
    Answered,
    Capture,
    Exposed,
    Exposure,
    HandDealt,
    HandPlayed,
    HandScored,
    HandVoided,
    MatchEnded,
    PenaltyGiven,
    PlayBegan,
    Played,
    TrickTaken,
)
from schemas.log import Due
from services.games.game import DONE
from services.games.gongzhu.options import SEATS, Options
from services.games.shared.total import opened, put, without

PIG, HEART_ACE, SHEEP, TRANSFORMER = "Qs", "Ah", "Jd", "Tc"
EXPOSABLE: Cards = (PIG, HEART_ACE, SHEEP, TRANSFORMER)
"""The special cards in canonical order (gongzhu §1)."""

_ORDER = {card: place for place, card in enumerate(PACK)}
_NOWHERE = len(PACK)


def in_order(cards: Cards) -> Cards:
    """The cards in canonical order (gongzhu §1)."""
    return tuple(sorted(cards, key=place_of))


def place_of(card: Card) -> int:
    """Where a card stands in canonical order."""
    return _ORDER.get(card, _NOWHERE)


class Hand(Struct, frozen=True, kw_only=True):
    """One hand: what the deal fixed, and what has come of it.

    Attributes:
        leader: of the first trick; who knows it, and when, says gongzhu §11.
        opening: the card that must be led first.
        dealt: the cards of each seat in the order received.
        held: the cards still in each hand, in canonical order.
        exposed: the exposures that are open to all.
        unopened: the suits that have not been led in a complete trick (gongzhu §5.3).
        captures: the point cards taken, in the order of time.
        winners: of the complete tricks.
        breaches: trick number from 1 and seat of each discard of a wrong colour.
        managed: the seats managed in this hand (gongzhu §8).
    """

    hand_no: int
    dealer: Seat
    leader: Seat
    opening: Card | None
    dealt: tuple[Cards, ...]
    held: tuple[Cards, ...]
    exposed: tuple[Exposure, ...] = ()
    unopened: str = "shdc"
    captures: tuple[Capture, ...] = ()
    winners: tuple[Seat, ...] = ()
    breaches: tuple[tuple[int, Seat], ...] = ()
    managed: tuple[bool, ...] = (False,) * SEATS


class Between(Struct, frozen=True, kw_only=True):
    """No hand is in play, and the next one is to be dealt.

    Attributes:
        hand_no: of the next hand.
        dealer: of the next hand; None where that hangs on a pig that nobody took.
        leader: of the next hand; None where the opening card will say.
        last: the hand before; None before the first.
        result: its scores; None before the first and after a void one.
        void: the hand before was void.
    """

    hand_no: int
    dealer: Seat | None
    leader: Seat | None
    last: Hand | None = None
    result: HandScored | None = None
    void: bool = False


class Exposing(Struct, frozen=True, kw_only=True):
    """The seats answer whether they expose; `asked` are those waited for, `answers` what the others have said."""

    hand: Hand
    asked: tuple[Seat, ...]
    answers: tuple[Answer | None, ...] = (None,) * SEATS


class Playing(Struct, frozen=True, kw_only=True):
    """Tricks are played: whose turn it is, and the plays to the trick on the table."""

    hand: Hand
    turn: Seat
    trick: tuple[Played, ...] = ()


class Unscored(Struct, frozen=True, kw_only=True):
    """The hand has ended and is to be scored."""

    hand: Hand


class Ended(Struct, frozen=True, kw_only=True):
    """The match is over, after this last hand."""

    last: Hand
    result: HandScored
    outcome: MatchEnded


Phase = Between | Exposing | Playing | Unscored | Ended


class State(Struct, frozen=True, kw_only=True):
    """A match of Gongzhu. `raw_totals` count scores before zero-sum; `penalties` count at the end of the match."""

    options: Options
    phase: Phase
    raw_totals: tuple[int, ...] = (0,) * SEATS
    totals: tuple[int, ...] = (0,) * SEATS
    penalties: tuple[int, ...] = (0,) * SEATS


def begin(options: Options, _seats: int) -> State:
    """The match before its first hand."""
    leader = options.first_dealer if options.leader_rule == "rotate" else None  # gongzhu §5.1
    return State(options=options, phase=Between(hand_no=1, dealer=options.first_dealer, leader=leader))


def phase(state: State) -> str:
    """The name of the phase (gongzhu §3); `done` where no hand is in play."""
    match state.phase:
        case Exposing():
            return "expose"
        case Playing():
            return "play"
        case Between() | Unscored() | Ended():
            return DONE
        case _:
            assert_never(state.phase)


def due(state: State) -> Due:
    """Who must decide next."""
    match state.phase:
        case Between():
            return "dealer"
        case Exposing():
            return state.phase.asked
        case Playing():
            return (state.phase.turn,)
        case Unscored():
            return "scorer"
        case Ended():
            return "none"
        case _:
            assert_never(state.phase)


def hand_of(state: State) -> Hand | None:
    """The hand in play, or else the last one dealt; None before the first."""
    match state.phase:
        case Between() | Ended():
            return state.phase.last
        case Exposing() | Playing() | Unscored():
            return state.phase.hand
        case _:
            assert_never(state.phase)


# --- evolve ------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not Gongzhu's, or that does not fit the phase, changes nothing."""
    return _evolve(state, event) if isinstance(event, gongzhu.Event) else state


def _evolve(state: State, event: gongzhu.Event) -> State:
    match event:
        case Played():
            return _played(state, event)
        case TrickTaken():
            return _trick_taken(state, event)
        case HandDealt():
            return _dealt(state, event)
        case HandVoided():
            return _voided(state, event)
        case Answered():
            return _answered(state, event)
        case Exposed():
            return _exposed(state, event)
        case PlayBegan():
            return _play_began(state, event)
        case HandPlayed():
            return _hand_played(state)
        case HandScored():
            return _hand_scored(state, event)
        case MatchEnded():
            return _match_ended(state, event)
        case PenaltyGiven():
            return _penalty_given(state, event)
        case _:
            assert_never(event)


def _dealt(state: State, event: HandDealt) -> State:
    if not isinstance(state.phase, Between):
        return state
    dealt = tuple(opened(cards, ()) for cards in event.hands)
    leader = event.leader
    if leader is None:
        leader = event.dealer if event.sealed_leader is None else opened(event.sealed_leader, event.dealer)
    hand = Hand(
        hand_no=event.hand_no,
        dealer=event.dealer,
        leader=leader,
        opening=event.opening,
        dealt=dealt,
        held=tuple(map(in_order, dealt)),
    )
    return replace(state, phase=Exposing(hand=hand, asked=event.asked))


def _voided(state: State, event: HandVoided) -> State:
    match state.phase:
        case Exposing(hand=hand):
            between = Between(hand_no=hand.hand_no, dealer=hand.dealer, leader=event.leader, last=hand, void=True)
            return replace(state, phase=between)
        case _:
            return state


def _answered(state: State, event: Answered) -> State:
    match state.phase:
        case Exposing() as exposing:
            answers = put(exposing.answers, event.seat, opened(event.answer, Answer()))
            asked = tuple(seat for seat in exposing.asked if seat != event.seat)
            return replace(state, phase=replace(exposing, answers=answers, asked=asked))
        case _:
            return state


def _exposed(state: State, event: Exposed) -> State:
    match state.phase:
        case Exposing() as exposing:
            hand = replace(exposing.hand, exposed=(*exposing.hand.exposed, *event.exposures))
            answers = put(exposing.answers, event.seat, event.answer)
            asked = () if event.next is None else (event.next,)
            return replace(state, phase=Exposing(hand=hand, asked=asked, answers=answers))
        case _:
            return state


def _play_began(state: State, event: PlayBegan) -> State:
    match state.phase:
        case Exposing(hand=hand):
            hand = replace(hand, leader=event.leader, exposed=event.exposures)
            return replace(state, phase=Playing(hand=hand, turn=event.leader))
        case _:
            return state


def _played(state: State, event: Played) -> State:
    match state.phase:
        case Playing() as playing:
            hand = _less(playing.hand, event)
            return replace(state, phase=Playing(hand=hand, turn=event.next, trick=(*playing.trick, event)))
        case _:
            return state


def _less(hand: Hand, event: Played) -> Hand:
    seat = event.seat
    if not 0 <= seat < len(hand.held):
        return hand
    hand = replace(hand, held=put(hand.held, seat, without(hand.held[seat], event.cards)))
    if event.breach:
        hand = replace(hand, breaches=(*hand.breaches, (len(hand.winners) + 1, seat)))
    if event.managed:
        hand = replace(hand, managed=put(hand.managed, seat, value=True))
    return hand


def _trick_taken(state: State, event: TrickTaken) -> State:
    match state.phase:
        case Playing(hand=hand, turn=turn):
            hand = replace(
                hand,
                unopened=hand.unopened.replace(event.suit, ""),
                captures=(*hand.captures, *event.captures),
                winners=(*hand.winners, event.winner),
            )
            return replace(state, phase=Playing(hand=hand, turn=turn))
        case _:
            return state


def _hand_played(state: State) -> State:
    match state.phase:
        case Playing(hand=hand):
            return replace(state, phase=Unscored(hand=hand))
        case _:
            return state


def _hand_scored(state: State, event: HandScored) -> State:
    match state.phase:
        case Unscored(hand=hand):
            between = Between(
                hand_no=hand.hand_no + 1, dealer=event.next_dealer, leader=event.next_leader, last=hand, result=event
            )
            return replace(state, phase=between, raw_totals=event.raw_totals, totals=event.totals)
        case _:
            return state


def _match_ended(state: State, event: MatchEnded) -> State:
    match state.phase:
        case Between(last=Hand() as last, result=HandScored() as result):
            return replace(state, phase=Ended(last=last, result=result, outcome=event))
        case Ended() as ended:
            return replace(state, phase=replace(ended, outcome=event))
        case _:
            return state


def _penalty_given(state: State, event: PenaltyGiven) -> State:
    if not 0 <= event.seat < len(state.penalties):
        return state
    return replace(state, penalties=put(state.penalties, event.seat, state.penalties[event.seat] + event.points))
