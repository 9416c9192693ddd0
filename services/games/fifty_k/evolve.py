"""How events change the state: what was decided stands in the event, and is only stored here."""

from msgspec.structs import replace

from schemas.cards import Seat
from schemas.events import Event
from schemas.fifty_k import HandDealt, HandPlayed, HandScored, MatchEnded, Passed, Played, TrickTaken
from services.games.fifty_k.options import SEATS, Options
from services.games.fifty_k.state import Between, Hand, Phase, Playing, State, points_of
from services.games.shared.cards import in_order
from services.games.shared.state import Ended, Unscored
from services.games.shared.total import opened_hands, put, without_cards


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not Fifty-K's, or that does not fit the phase, changes nothing."""
    match state.phase, event:
        case Playing() as playing, _:
            phase = _played(state.options, playing, event)
            return state if phase is playing else replace(state, phase=phase)
        case Between(), HandDealt():
            return replace(state, phase=_dealt(event))
        case Unscored(hand=hand), HandScored():
            between = Between(hand_no=hand.hand_no + 1, first_receiver=event.next_leader, last=hand, result=event)
            return replace(state, phase=between, totals=event.totals[:2])
        case Between(last=Hand() as last, result=HandScored() as result), MatchEnded():
            return replace(state, phase=Ended(last=last, result=result, outcome=event))
        case _:
            return state


def _played(options: Options, playing: Playing, event: Event) -> Phase:
    hand = playing.hand
    match event:
        case Played():
            turn = playing.turn if event.next is None else event.next
            return Playing(hand=_laid(options, hand, event), turn=turn)
        case Passed():
            turn = playing.turn if event.next is None else event.next
            return Playing(hand=replace(hand, passed=(*hand.passed, event.seat)), turn=turn)
        case TrickTaken():
            hand = replace(hand, trick=(), passed=(), points=0, captured=_plus(hand, event.winner, event.points))
            return Playing(hand=hand, turn=event.leader)
        case HandPlayed():
            hand = replace(hand, points=0, captured=_plus(hand, event.ender, event.points))
            return Unscored(hand=hand)
        case _:
            return playing


def _plus(hand: Hand, seat: Seat, points: int) -> tuple[int, ...]:
    if not 0 <= seat < len(hand.captured):
        return hand.captured
    return put(hand.captured, seat, hand.captured[seat] + points)


def _dealt(event: HandDealt) -> Playing:
    held = tuple(map(in_order, opened_hands(event.hands, seats=SEATS)))
    hand = Hand(hand_no=event.hand_no, first_receiver=event.first_receiver, held=held, opening=event.opening)
    return Playing(hand=hand, turn=event.leader)


def _laid(options: Options, hand: Hand, event: Played) -> Hand:
    return replace(
        hand,
        held=without_cards(hand.held, event.seat, event.cards),
        opening=False,
        trick=(*hand.trick, event),
        passed=hand.passed if options.pass_is_final else (),
        points=hand.points + points_of(event.cards),
        finished=(*hand.finished, event.seat) if event.finished else hand.finished,
    )
