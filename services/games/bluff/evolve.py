"""How events change the state: what was decided stands in the event, and is only stored here."""

from msgspec.structs import replace

from schemas.bluff import (
    Challenged,
    HandDealt,
    HandPlayed,
    HandScored,
    MatchEnded,
    Passed,
    Played,
    RoundEnded,
    WentOut,
)
from schemas.events import Event
from services.games.bluff.state import Between, Hand, Laid, Phase, Playing, State, Turned
from services.games.shared.cards import in_order
from services.games.shared.state import Ended, Unscored
from services.games.shared.total import opened, opened_hands, with_sorted, without_cards


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not Bluff's, or that does not fit the phase, changes nothing."""
    match state.phase, event:
        case Playing() as playing, _:
            phase = _played(playing, event)
            return state if phase is playing else replace(state, phase=phase)
        case Between(), HandDealt():
            return replace(state, phase=_dealt(event, seats=len(state.totals)))
        case Unscored(hand=hand), HandScored():
            between = Between(hand_no=hand.hand_no + 1, head=event.next_leader, last=hand, result=event)
            return replace(state, phase=between, totals=event.totals)
        case Between(last=Hand() as last, result=HandScored() as result), MatchEnded():
            return replace(state, phase=Ended(last=last, result=result, outcome=event))
        case _:
            return state


def _played(playing: Playing, event: Event) -> Phase:
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
            return Unscored(hand=replace(hand, finish_order=event.finish_order))
        case _:
            return playing


def _dealt(event: HandDealt, *, seats: int) -> Playing:
    held = tuple(map(in_order, opened_hands(event.hands, seats=seats)))
    return Playing(hand=Hand(hand_no=event.hand_no, head=event.leader, held=held), turn=event.leader)


def _laid(hand: Hand, event: Played) -> Hand:
    cards = opened(event.cards, ())
    return replace(
        hand,
        held=without_cards(hand.held, event.seat, cards),
        pile=(*hand.pile, Laid(event.seat, cards, event.rank)),
        plays=hand.plays + 1,
        actions=hand.actions + 1,
        turned=None,
    )


def _challenged(hand: Hand, event: Challenged) -> Hand:
    taken = opened(event.taken, ())
    count = len(taken) if event.taken.n is None else event.taken.n
    return replace(
        hand,
        held=with_sorted(hand.held, event.taker, taken),
        pile=(),
        removed=hand.removed + event.removed,
        actions=hand.actions + 1,
        turned=Turned(event.seat, event.by, event.cards, event.rank, event.true, event.taker, count),
    )
