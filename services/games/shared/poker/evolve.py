"""How events change the state of a poker game: what was decided stands in the event."""

from collections.abc import Callable, Mapping
from operator import add, sub
from typing import Any

from msgspec.structs import replace

from schemas.cards import Cards, Seat
from schemas.events import Event
from schemas.poker import (
    Acted,
    AntesPosted,
    BlindPosted,
    HandDealt,
    HandPlayed,
    HandScored,
    HandsMucked,
    HandsShown,
    MatchEnded,
    Round,
    RoundOpened,
    StreetDealt,
    UncalledReturned,
)
from services.games.shared.poker.state import Betting, Between, Dealing, Hand, O, Phase, State
from services.games.shared.state import Ended, Unscored
from services.games.shared.total import opened, put


def evolve(state: State[O], event: Event) -> State[O]:
    """An event onto the state; one that is not poker's, or that does not fit the phase, changes nothing."""
    step = STEPS.get(type(event))
    return state if step is None else step(state, event)


def _dealt(state: State[O], event: HandDealt) -> State[O]:
    if not isinstance(state.phase, Between):
        return state
    count = len(state.stacks)
    nothing: tuple[Cards, ...] = ((),) * count
    down: list[Cards] = list(nothing)
    up: list[Cards] = list(nothing)
    for seat, hidden in zip(event.seats, event.down, strict=False):
        if 0 <= seat < count:
            down[seat] = opened(hidden, ())
    for seat, shown in zip(event.seats, event.up, strict=False):
        if 0 <= seat < count:
            up[seat] = shown
    gone = sum(map(len, down)) + sum(map(len, up))
    hand = Hand(
        hand_no=event.hand_no,
        positions=event.positions,
        seats=event.seats,
        live=tuple([seat for seat in range(count) if seat in event.seats]),
        start=state.stacks,
        stock=opened(event.deck, ())[gone:],
        down=tuple(down),
        up=tuple(up),
        put=(0,) * count,
        returned=(0,) * count,
        faces=nothing,
    )
    return replace(state, phase=Dealing(hand=hand))


def _antes_posted(state: State[O], event: AntesPosted) -> State[O]:
    match state.phase:
        case Dealing(hand=hand):
            amounts = event.amounts + (0,) * (len(state.stacks) - len(event.amounts))
            hand = replace(hand, put=tuple(map(add, hand.put, amounts)))
            return replace(state, phase=Dealing(hand=hand), stacks=tuple(map(sub, state.stacks, amounts)))
        case _:
            return state


def _blind_posted(state: State[O], event: BlindPosted) -> State[O]:
    return _moved(state, event.seat, event.amount, dead=event.kind == "ante")


def _moved(state: State[O], seat: Seat, amount: int, *, dead: bool = False, returned: int = 0) -> State[O]:
    """Chips go from a seat's stack into the pot."""
    match state.phase:
        case Dealing(hand=hand) if 0 <= seat < len(state.stacks):
            if dead:
                hand = replace(hand, dead=hand.dead + amount)
            else:
                hand = replace(hand, put=put(hand.put, seat, hand.put[seat] + amount))
            if returned:
                hand = replace(hand, returned=put(hand.returned, seat, hand.returned[seat] + returned))
            stacks = put(state.stacks, seat, state.stacks[seat] - amount)
            return replace(state, phase=Dealing(hand=hand), stacks=stacks)
        case _:
            return state


def _round_opened(state: State[O], event: RoundOpened) -> State[O]:
    match state.phase:
        case Dealing(hand=hand):
            hand = replace(hand, opener=event.round.opener, aggressor=None)
            return replace(state, phase=_bet_on(hand, event.round))
        case _:
            return state


def _bet_on(hand: Hand, betting: Round) -> Phase:
    return Betting(hand=hand, round=betting) if betting.waiting else Dealing(hand=hand)


def _acted(state: State[O], event: Acted) -> State[O]:
    seat = event.seat
    match state.phase:
        case Betting(hand=hand) if 0 <= seat < len(state.stacks):
            if event.verb == "fold":
                live = tuple([other for other in hand.live if other != seat])
                return replace(state, phase=_bet_on(replace(hand, live=live), event.round))
            paid = event.paid
            after = replace(hand, put=put(hand.put, seat, hand.put[seat] + paid), aggressor=event.round.aggressor)
            return replace(
                state, phase=_bet_on(after, event.round), stacks=put(state.stacks, seat, state.stacks[seat] - paid)
            )
        case _:
            return state


def _street_dealt(state: State[O], event: StreetDealt) -> State[O]:
    match state.phase:
        case Dealing(hand=hand):
            down, up = hand.down, hand.up
            for place, seat in enumerate(event.seats):
                if 0 <= seat < len(up) and place < len(event.up):
                    up = put(up, seat, (*up[seat], event.up[place]))
                if 0 <= seat < len(down) and place < len(event.down):
                    down = put(down, seat, down[seat] + opened(event.down[place], ()))
            gone = max(0, event.burned) + len(event.board) + len(event.seats)
            hand = replace(
                hand,
                street=event.street,
                stock=hand.stock[gone:],
                board=hand.board + event.board,
                down=down,
                up=up,
            )
            return replace(state, phase=Dealing(hand=hand))
        case _:
            return state


def _shown(state: State[O], event: HandsShown) -> State[O]:
    match state.phase:
        case Dealing(hand=hand) | Unscored(hand=hand):
            faces = hand.faces
            for shown in event.hands:
                faces = put(faces, shown.seat, shown.cards)
            anew = tuple(shown.seat for shown in event.hands if shown.seat not in hand.shown)
            hand = replace(hand, faces=faces, shown=hand.shown + anew)
            return replace(state, phase=replace(state.phase, hand=hand))
        case _:
            return state


def _mucked(state: State[O], event: HandsMucked) -> State[O]:
    match state.phase:
        case Unscored(hand=hand):
            return replace(state, phase=Unscored(hand=replace(hand, mucked=event.seats)))
        case _:
            return state


def _uncalled_returned(state: State[O], event: UncalledReturned) -> State[O]:
    return _moved(state, event.seat, -event.amount, returned=event.amount)


def _hand_played(state: State[O], _event: HandPlayed) -> State[O]:
    match state.phase:
        case Dealing(hand=hand):
            return replace(state, phase=Unscored(hand=hand))
        case _:
            return state


def _hand_scored(state: State[O], event: HandScored) -> State[O]:
    match state.phase:
        case Unscored(hand=hand) if len(event.stacks) == len(state.stacks):
            positions = hand.positions if event.next is None else event.next
            return replace(
                state,
                phase=Between(hand_no=hand.hand_no + 1, positions=positions, last=hand, result=event),
                stacks=event.stacks,
                busts=state.busts + event.busts,
                hand_scores=(*state.hand_scores, event.scores),
            )
        case _:
            return state


def _match_ended(state: State[O], event: MatchEnded) -> State[O]:
    match state.phase:
        case Between(last=Hand() as last, result=HandScored() as result):
            return replace(state, phase=Ended(last=last, result=result, outcome=event))
        case _:
            return state


STEPS: Mapping[type[Event], Callable[[State[Any], Any], State[Any]]] = {
    HandDealt: _dealt,
    AntesPosted: _antes_posted,
    BlindPosted: _blind_posted,
    RoundOpened: _round_opened,
    Acted: _acted,
    UncalledReturned: _uncalled_returned,
    StreetDealt: _street_dealt,
    HandsShown: _shown,
    HandsMucked: _mucked,
    HandPlayed: _hand_played,
    HandScored: _hand_scored,
    MatchEnded: _match_ended,
}
"""By type, because to try class after class takes longer than what is done; a test holds that none is missing."""
