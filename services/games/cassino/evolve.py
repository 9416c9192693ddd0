"""How events change the state: what was decided stands in the event, and is only stored here."""

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from msgspec.structs import replace

from schemas.cards import Seat
from schemas.cassino import (
    BuildMissed,
    Built,
    Drew,
    HandDealt,
    HandPlayed,
    HandScored,
    MatchEnded,
    Misplayed,
    Passed,
    Refilled,
    Taken,
    Trailed,
    TurnBegan,
)
from schemas.events import Event
from services.games.cassino.state import Build, Hand, Penalties, Phase, Playing, State, build_of
from services.games.shared.state import Between, Ended, Unscored
from services.games.shared.total import opened, opened_hands, put, with_cards, without, without_cards


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not of this game, or that does not fit the phase, changes nothing."""
    phase: Phase
    match state.phase:
        case Playing() as playing:
            phase = _play(playing, event)
        case Between(last=Hand() as last, result=HandScored() as result) if isinstance(event, MatchEnded):
            phase = Ended(last=last, result=result, outcome=event)
        case Between() if isinstance(event, HandDealt):
            phase = Playing(hand=_dealt(state, event), turn=event.dealer)
        case Unscored(hand=hand) if isinstance(event, HandScored):
            last = replace(hand, penalties=_left(hand.penalties, event.leftovers))
            phase = Between(hand_no=hand.hand_no + 1, dealer=event.next_dealer, last=last, result=event)
            return replace(state, phase=phase, totals=event.totals)
        case _:
            return state
    return state if phase is state.phase else replace(state, phase=phase)


InTurn = Taken | Built | Misplayed | Drew | Passed | Trailed | BuildMissed | Refilled


def _play(playing: Playing, event: Event) -> Playing | Unscored[Hand]:
    hand = playing.hand
    if _is_in_turn(event):
        return Playing(hand=on_hand(hand, event), turn=playing.turn, trails=isinstance(event, Drew))
    match event:
        case TurnBegan():
            return Playing(hand=_stuck(hand, event.stuck), turn=event.seat)
        case HandPlayed(taker=taker):
            return Unscored(hand=hand if taker is None else _swept(hand, taker))
        case _:
            return playing


def _is_in_turn(event: Event) -> TypeGuard[InTurn]:
    return type(event) in _STEPS


def on_hand(hand: Hand, event: InTurn) -> Hand:
    """What an event of a turn changes in a hand."""
    return _STEPS[type(event)](hand, event) if 0 <= event.seat < len(hand.held) else hand


def _taken(hand: Hand, event: Taken) -> Hand:
    seat = event.seat
    return replace(
        hand,
        held=without_cards(hand.held, seat, (event.card,)),
        table=without(hand.table, event.cards),
        builds=_others(hand, seat) if event.build else hand.builds,
        piles=with_cards(hand.piles, seat, (event.card, *event.cards)),
        last_taker=seat,
    )


def _refilled(hand: Hand, event: Refilled) -> Hand:
    return replace(
        hand,
        held=with_cards(hand.held, event.seat, opened(event.drawn, ())),
        table=hand.table + event.table,
        stock=hand.stock[len(event.table) + (event.drawn.n or 0) :],
    )


def _trailed(hand: Hand, event: Trailed) -> Hand:
    held = without_cards(hand.held, event.seat, (event.card,))
    return replace(hand, held=held, table=(*hand.table, event.card))


def _drew(hand: Hand, event: Drew) -> Hand:
    return replace(hand, held=with_cards(hand.held, event.seat, opened(event.cards, ())), stock=hand.stock[1:])


def _built(hand: Hand, event: Built) -> Hand:
    build = Build(event.seat, event.value, event.card, event.cards)
    return replace(
        hand,
        held=without_cards(hand.held, event.seat, (event.card,)),
        table=without(hand.table, event.cards),
        builds=(*_others(hand, event.seat), build),
    )


def _build_missed(hand: Hand, event: BuildMissed) -> Hand:
    missed = replace(hand, penalties=_fined(hand, event.seat, build=2))
    own = build_of(hand, event.seat)
    if own is None or not event.released:
        return missed
    return replace(missed, table=(*hand.table, *own.cards), builds=_others(hand, event.seat))


def _misplayed(hand: Hand, event: Misplayed) -> Hand:
    return replace(hand, penalties=_fined(hand, event.seat, misplay=1))


def _passed(hand: Hand, _event: Passed) -> Hand:
    return hand


_STEPS: Mapping[type[InTurn], Callable[[Hand, Any], Hand]] = {
    Taken: _taken,
    Built: _built,
    Misplayed: _misplayed,
    Drew: _drew,
    Passed: _passed,
    Trailed: _trailed,
    BuildMissed: _build_missed,
    Refilled: _refilled,
}


def _dealt(state: State, event: HandDealt) -> Hand:
    seats = len(state.totals)
    return Hand(
        hand_no=event.hand_no,
        dealer=event.dealer,
        held=opened_hands(event.hands, seats=seats),
        table=event.table,
        stock=opened(event.stock, ()),
        piles=((),) * seats,
        penalties=(Penalties(),) * seats,
    )


def _stuck(hand: Hand, stuck: int) -> Hand:
    return hand if hand.stuck == stuck else replace(hand, stuck=stuck)


def _others(hand: Hand, seat: Seat) -> tuple[Build, ...]:
    return tuple([build for build in hand.builds if build.seat != seat])


def _fined(hand: Hand, seat: Seat, *, build: int = 0, misplay: int = 0) -> tuple[Penalties, ...]:
    had = hand.penalties[seat]
    return put(hand.penalties, seat, replace(had, build=had.build + build, misplay=had.misplay + misplay))


def _swept(hand: Hand, taker: Seat) -> Hand:
    """The table goes to a seat, builds too."""
    built = tuple(card for build in hand.builds for card in build.cards)
    return replace(hand, table=(), builds=(), piles=with_cards(hand.piles, taker, (*hand.table, *built)))


def _left(penalties: tuple[Penalties, ...], leftovers: tuple[int, ...]) -> tuple[Penalties, ...]:
    """The penalties with those for cards left in hand; of seats that the event does not name, as they were."""
    known = zip(penalties, leftovers, strict=False)
    named = tuple(replace(had, leftover=leftover) for had, leftover in known)
    return named + penalties[len(named) :]
