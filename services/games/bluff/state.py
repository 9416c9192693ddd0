"""The state of a match of Bluff, and how events change it: what was decided stands in the event."""

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from schemas import bluff
from schemas.bluff import (
    Challenged,
    HandDealt,
    HandPlayed,
    HandScored,
    MatchEnded,
    Passed,
    Played,
    Rank,
    RoundEnded,
    WentOut,
)
from schemas.cards import Cards, Seat
from schemas.events import Event
from schemas.log import Due
from services.games.bluff.options import Options
from services.games.game import DONE
from services.games.shared.cards import in_order
from services.games.shared.total import opened, put, without


class Laid(Struct, frozen=True):
    """A play that lies in the pile, with what it claims."""

    seat: Seat
    cards: Cards
    rank: Rank | None


class Turned(Struct, frozen=True):
    """The last challenge: whose play was turned up by whom, what it was, and who took how many cards."""

    seat: Seat
    by: Seat
    cards: Cards
    rank: Rank | None
    true: bool
    taker: Seat
    taken: int


class Hand(Struct, frozen=True, kw_only=True):
    """One hand.

    Attributes:
        head: who led first.
        held: the cards in each hand, in canonical order.
        pile: the plays of this round, the last one last; none where a round is to be led.
        out: the seats out, in order.
        removed: how many cards have left the hand.
        plays: how many plays there were, which says what rank is due in a sequence.
        actions: how many actions there were, which a limit counts.
        turned: the last challenge, until somebody plays or passes again.
    """

    hand_no: int
    head: Seat
    held: tuple[Cards, ...]
    pile: tuple[Laid, ...] = ()
    out: tuple[Seat, ...] = ()
    removed: int = 0
    plays: int = 0
    actions: int = 0
    turned: Turned | None = None


class Between(Struct, frozen=True, kw_only=True):
    """No hand is in play, and the next one is to be dealt; `last` was the hand before."""

    hand_no: int
    head: Seat
    last: Hand | None = None
    played: HandPlayed | None = None
    result: HandScored | None = None


class Playing(Struct, frozen=True, kw_only=True):
    """`turn` leads a round, or answers the last play."""

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
    winner: Seat


Phase = Between | Playing | Unscored | Ended


class State(Struct, frozen=True, kw_only=True):
    """A match of Bluff and its running totals."""

    options: Options
    phase: Phase
    totals: tuple[int, ...]


def begin(options: Options, seats: int) -> State:
    """The match before its first hand."""
    return State(options=options, phase=Between(hand_no=1, head=0), totals=(0,) * seats)


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
        case Between(last=hand) | Ended(last=hand):
            return hand
        case Playing(hand=hand) | Unscored(hand=hand):
            return hand
        case _:
            assert_never(state.phase)


# --- evolve ------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not Bluff's, or that does not fit the phase, changes nothing."""
    return _evolve(state, event) if isinstance(event, bluff.Event) else state


def _evolve(state: State, event: bluff.Event) -> State:
    match state.phase, event:
        case Playing() as playing, _:
            return replace(state, phase=_played(playing, event))
        case Between(), HandDealt():
            return replace(state, phase=_dealt(event))
        case Unscored() as unscored, HandScored():
            return replace(state, phase=_scored(unscored, event), totals=event.match_scores)
        case Between(last=Hand() as last, played=HandPlayed() as played, result=HandScored() as result), MatchEnded():
            return replace(state, phase=Ended(last=last, played=played, result=result, winner=event.winner))
        case _:
            return state


def _played(playing: Playing, event: bluff.Event) -> Phase:
    hand = playing.hand
    match event:
        case Played():
            return Playing(hand=_laid(hand, event), turn=event.next)
        case Passed():
            hand = replace(hand, actions=hand.actions + 1, turned=None)
            return Playing(hand=hand, turn=playing.turn if event.next is None else event.next)
        case Challenged():
            return replace(playing, hand=_challenged(hand, event))
        case RoundEnded():
            hand = replace(hand, pile=(), removed=hand.removed + event.removed)
            return Playing(hand=hand, turn=event.leader)
        case WentOut():
            return replace(playing, hand=replace(hand, out=(*hand.out, event.seat)))
        case HandPlayed():
            return Unscored(hand=hand, played=event)
        case HandDealt() | HandScored() | MatchEnded():
            return playing
        case _:
            assert_never(event)


def _dealt(event: HandDealt) -> Playing:
    held = tuple(in_order(opened(cards, ())) for cards in event.hands)
    return Playing(hand=Hand(hand_no=event.hand_no, head=event.head, held=held), turn=event.head)


def _laid(hand: Hand, event: Played) -> Hand:
    cards = opened(event.cards, ())
    held = hand.held
    if 0 <= event.seat < len(held):
        held = put(held, event.seat, without(held[event.seat], cards))
    return replace(
        hand,
        held=held,
        pile=(*hand.pile, Laid(event.seat, cards, event.rank)),
        plays=hand.plays + 1,
        actions=hand.actions + 1,
        turned=None,
    )


def _challenged(hand: Hand, event: Challenged) -> Hand:
    held, taken = hand.held, opened(event.taken, ())
    if 0 <= event.taker < len(held):
        held = put(held, event.taker, in_order((*held[event.taker], *taken)))
    count = len(taken) if event.taken.n is None else event.taken.n
    return replace(
        hand,
        held=held,
        pile=(),
        removed=hand.removed + event.removed,
        actions=hand.actions + 1,
        turned=Turned(event.seat, event.by, event.cards, event.rank, event.true, event.taker, count),
    )


def _scored(unscored: Unscored, event: HandScored) -> Between:
    return Between(
        hand_no=event.hand_no + 1,
        head=event.next_head,
        last=unscored.hand,
        played=unscored.played,
        result=event,
    )
