"""The state of a match of Fifty-K, and how events change it: what was decided stands in the event."""

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from schemas import fifty_k
from schemas.cards import Cards, Seat
from schemas.events import Event
from schemas.fifty_k import HandDealt, HandPlayed, HandScored, MatchEnded, Passed, Played, TrickTaken
from schemas.log import Due
from services.games.fifty_k.options import SEATS, Options
from services.games.game import DONE
from services.games.shared.cards import in_order
from services.games.shared.total import opened, put, without

POINTS = {"5": 5, "T": 10, "K": 10}
"""What cards count, by rank (fifty_k §1)."""


def points_of(cards: Cards) -> int:
    """The points of these cards."""
    return sum([POINTS.get(card[0], 0) for card in cards])


def side_of(seat: Seat) -> int:
    """The side of a seat: 0 and 2 are one, 1 and 3 the other."""
    return seat % 2


class Hand(Struct, frozen=True, kw_only=True):
    """One hand.

    Attributes:
        held: the cards in each hand, in canonical order.
        opening: the lead must hold the 3s.
        trick: the plays on the table, the one to beat last.
        passed: the seats that passed since, or in this trick where passes are final.
        points: those in the trick that nobody has captured yet.
        captured: the points that each seat has captured.
        finished: the seats without cards, in order.
    """

    hand_no: int
    first_receiver: Seat
    held: tuple[Cards, ...]
    opening: bool
    trick: tuple[Played, ...] = ()
    passed: tuple[Seat, ...] = ()
    points: int = 0
    captured: tuple[int, ...] = (0,) * SEATS
    finished: tuple[Seat, ...] = ()

    @property
    def current(self) -> Played | None:
        """The play to beat."""
        return self.trick[-1] if self.trick else None


class Between(Struct, frozen=True, kw_only=True):
    """No hand is in play, and the next one is to be dealt.

    Attributes:
        first_receiver: who is dealt the first card, and leads; in the first hand the 3s says who leads.
        last: the hand before; None before the first.
    """

    hand_no: int
    first_receiver: Seat
    last: Hand | None = None
    played: HandPlayed | None = None
    result: HandScored | None = None


class Playing(Struct, frozen=True, kw_only=True):
    """`turn` leads, or answers the play to beat."""

    hand: Hand
    turn: Seat


class Unscored(Struct, frozen=True, kw_only=True):
    """The hand has ended and is to be scored."""

    hand: Hand
    played: HandPlayed


class Ended(Struct, frozen=True, kw_only=True):
    """The match is over, after this last hand."""

    last: Hand
    played: HandPlayed
    result: HandScored
    winner_side: int


Phase = Between | Playing | Unscored | Ended


class State(Struct, frozen=True, kw_only=True):
    """A match of Fifty-K and its running totals, one a side."""

    options: Options
    phase: Phase
    totals: tuple[int, ...] = (0, 0)


def begin(options: Options, _seats: int) -> State:
    """The match before its first hand."""
    return State(options=options, phase=Between(hand_no=1, first_receiver=0))


def phase(state: State) -> str:
    """The name of the phase; `done` where no hand is in play."""
    return "play" if isinstance(state.phase, Playing) else DONE


def due(state: State) -> Due:
    """Who must decide next."""
    match state.phase:
        case Playing(turn=turn):
            return (turn,)
        case Between():
            return "dealer"
        case Unscored():
            return "scorer"
        case Ended():
            return "none"
        case _:
            assert_never(state.phase)


def hand_of(state: State) -> Hand | None:
    """The hand in play, or else the last one; None before the first."""
    match state.phase:
        case Playing(hand=hand) | Unscored(hand=hand):
            return hand
        case Between(last=hand) | Ended(last=hand):
            return hand
        case _:
            assert_never(state.phase)


# --- evolve ------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not Fifty-K's, or that does not fit the phase, changes nothing."""
    return _evolve(state, event) if isinstance(event, fifty_k.Event) else state


def _evolve(state: State, event: fifty_k.Event) -> State:
    match state.phase, event:
        case Playing() as playing, _:
            return replace(state, phase=_played(state.options, playing, event))
        case Between(), HandDealt():
            return replace(state, phase=_dealt(event))
        case Unscored() as unscored, HandScored():
            return replace(state, phase=_scored(unscored, event), totals=event.match_scores)
        case Between(last=Hand() as last, played=HandPlayed() as played, result=HandScored() as result), MatchEnded():
            return replace(state, phase=Ended(last=last, played=played, result=result, winner_side=event.winner_side))
        case _:
            return state


def _played(options: Options, playing: Playing, event: fifty_k.Event) -> Phase:
    hand = playing.hand
    match event:
        case Played():
            turn = playing.turn if event.next is None else event.next
            return Playing(hand=_laid(options, hand, event), turn=turn)
        case Passed():
            turn = playing.turn if event.next is None else event.next
            return Playing(hand=replace(hand, passed=(*hand.passed, event.seat)), turn=turn)
        case TrickTaken():
            hand = replace(hand, trick=(), passed=(), points=0, captured=_plus(hand, event.seat, event.points))
            return Playing(hand=hand, turn=event.leader)
        case HandPlayed():
            hand = replace(hand, points=0, captured=_plus(hand, event.ender, event.points))
            return Unscored(hand=hand, played=event)
        case HandDealt() | HandScored() | MatchEnded():
            return playing
        case _:
            assert_never(event)


def _plus(hand: Hand, seat: Seat, points: int) -> tuple[int, ...]:
    if not 0 <= seat < len(hand.captured):
        return hand.captured
    return put(hand.captured, seat, hand.captured[seat] + points)


def _dealt(event: HandDealt) -> Playing:
    held = tuple(in_order(opened(cards, ())) for cards in event.hands)
    hand = Hand(hand_no=event.hand_no, first_receiver=event.first_receiver, held=held, opening=event.opening)
    return Playing(hand=hand, turn=event.leader)


def _laid(options: Options, hand: Hand, event: Played) -> Hand:
    held = hand.held
    if 0 <= event.seat < len(held):
        held = put(held, event.seat, without(held[event.seat], event.cards))
    return replace(
        hand,
        held=held,
        opening=False,
        trick=(*hand.trick, event),
        passed=hand.passed if options.pass_is_final else (),
        points=hand.points + points_of(event.cards),
        finished=(*hand.finished, event.seat) if event.finished else hand.finished,
    )


def _scored(unscored: Unscored, event: HandScored) -> Between:
    return Between(
        hand_no=event.hand_no + 1,
        first_receiver=event.next_leader,
        last=unscored.hand,
        played=unscored.played,
        result=event,
    )
