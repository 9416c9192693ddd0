"""Exposing: what a seat may expose, and what follows from its answer (gongzhu §4)."""

from collections.abc import Iterator
from itertools import combinations

from schemas.cards import Cards, Seat
from schemas.events import Events
from schemas.gongzhu import Answer, Answered, Exposed, Exposure, PlayBegan
from schemas.refusals import Code
from schemas.sealed import Sealed
from services.games.game import Refused
from services.games.gongzhu.deal import forced
from services.games.gongzhu.options import SEATS, Options
from services.games.gongzhu.state import EXPOSABLE, Exposing, Hand, place_of
from services.games.shared.total import without


def choices(exposing: Exposing, seat: Seat) -> Iterator[Cards]:
    """Every answer the seat may give; no cards is a pass."""
    own = [card for card in EXPOSABLE if card in exposing.hand.held[seat]]
    for size in range(len(own) + 1):
        yield from combinations(own, size)


def answer(options: Options, exposing: Exposing, seat: Seat, given: Answer) -> Events:
    """A seat's answer. Raises Refused in the order of gongzhu §10.2."""
    _check(exposing, seat, given)
    if options.expose_order == "turns":
        return _in_turn(options, exposing, seat, given)
    event = Answered(seat=seat, answer=Sealed("answer", given, audience=(seat,)))
    if len(exposing.asked) > 1:
        return (event,)
    answers = [given if place == seat else other for place, other in enumerate(exposing.answers)]
    exposures = [e for place, other in enumerate(answers) if other for e in _exposures(place, other)]
    return event, _begin_play(options, exposing.hand, exposures)


def _check(exposing: Exposing, seat: Seat, given: Answer) -> None:
    hand = exposing.hand.held[seat]
    if exposing.answers[seat] is not None:
        raise Refused(Code.ALREADY_DECIDED)
    if seat not in exposing.asked:
        raise Refused(Code.NOT_YOUR_TURN)
    if len(without(hand, given.cards)) + len(given.cards) != len(hand):
        raise Refused(Code.NOT_IN_HAND)
    if any(card not in EXPOSABLE for card in given.cards):
        raise Refused(Code.NOT_EXPOSABLE)
    if given.dark:
        raise Refused(Code.DARK_NOT_ALLOWED)


def _in_turn(options: Options, exposing: Exposing, seat: Seat, given: Answer) -> Events:
    exposures = _exposures(seat, given)
    after = (seat + 1) % SEATS
    last = after == exposing.hand.leader
    event = Exposed(seat=seat, answer=given, exposures=exposures, next=None if last else after)
    if not last:
        return (event,)
    return event, _begin_play(options, exposing.hand, [*exposing.hand.exposed, *exposures])


def _exposures(seat: Seat, given: Answer) -> tuple[Exposure, ...]:
    return tuple(Exposure(card, seat, "open") for card in given.cards)


def _begin_play(options: Options, hand: Hand, exposures: list[Exposure]) -> PlayBegan:
    missing = without(EXPOSABLE, tuple(e.card for e in exposures))
    if options.force_fourth and len(missing) == 1:
        exposures = [*exposures, *forced(missing, hand.held)]  # gongzhu §4, force_fourth
    ordered = sorted(exposures, key=lambda e: (place_of(e.card), e.seat))
    return PlayBegan(leader=hand.leader, exposures=tuple(ordered))
