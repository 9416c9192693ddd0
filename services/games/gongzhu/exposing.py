"""Exposing: what a seat may expose, and what follows from its answer (gongzhu §4)."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from msgspec.structs import replace

from schemas.cards import Card, Cards, Seat
from schemas.events import Events
from schemas.gongzhu import (
    Answer,
    Answered,
    Exposed,
    ExposingBegan,
    Exposure,
    FirstCardsShown,
    FirstExposed,
    Mode,
    PlayBegan,
)
from schemas.refusals import Code
from schemas.sealed import Sealed
from services.games.game import Refused
from services.games.gongzhu.options import SEATS, Options
from services.games.gongzhu.state import (
    ALL_SEATS,
    EXPOSABLE,
    HEART_ACE,
    PIG,
    TRANSFORMER,
    Exposing,
    FirstExposing,
    Hand,
)
from services.games.shared.cards import place_of
from services.games.shared.rules import check_held
from services.games.shared.total import without

_MAY_BE_DARK: dict[str, tuple[bool, ...]] = {"off": (False,), "allowed": (False, True), "always": (True,)}


def after_deal(options: Options, hand: Hand) -> Events:
    """What begins when the deal stands: first exposing, exposing, or play at once."""
    if options.first_expose:
        cards = tuple(Sealed(f"first.{seat}", first_card(hand, seat), audience=(seat,)) for seat in ALL_SEATS)
        return (FirstCardsShown(cards=cards, asked=ALL_SEATS),)
    if options.expose == "optional":
        return (ExposingBegan(asked=_asked(options, hand)),)
    return (PlayBegan(leader=hand.leader, exposures=_at_the_deal(options, hand)),)


def leader_is_secret(options: Options, hand: Hand) -> bool:
    """Whether only the leader himself may know who leads, until play or his turn to expose begins (gongzhu §11)."""
    found = hand.deal.leader is None
    return found and (options.first_expose or (options.expose == "optional" and options.expose_order == "sealed"))


def _asked(options: Options, hand: Hand) -> tuple[Seat, ...]:
    return ALL_SEATS if options.expose_order == "sealed" else (hand.leader,)


def _at_the_deal(options: Options, hand: Hand) -> tuple[Exposure, ...]:
    """The exposures of `expose` all and except_sheep."""
    match options.expose:
        case "all":
            return _forced(EXPOSABLE, hand)
        case "except_sheep":
            return _forced((PIG, HEART_ACE, TRANSFORMER), hand)
        case "none" | "optional":
            return ()


def _forced(cards: Cards, hand: Hand) -> tuple[Exposure, ...]:
    """These cards exposed by force, wherever they are and not exposed yet."""
    free = [(card, seat) for seat in ALL_SEATS for card in unexposed(hand, seat) if card in cards]
    return _ordered(Exposure(card, seat, "forced") for card, seat in free)


def _ordered(exposures: Iterable[Exposure]) -> tuple[Exposure, ...]:
    return tuple(sorted(exposures, key=lambda e: (place_of(e.card), e.seat)))


def unexposed(hand: Hand, seat: Seat) -> Cards:
    """The cards that the seat holds and has not exposed."""
    return without(hand.held[seat], tuple(e.card for e in hand.unplayed if e.seat == seat))


# --- first exposing ----------------------------------------------------------------------------------------------


def first_card(hand: Hand, seat: Seat) -> Card:
    """The first card dealt to the seat (gongzhu §3.2)."""
    return hand.deal.hands[seat][0]


def first_choices(exposing: FirstExposing, seat: Seat) -> Iterator[Answer]:
    """Every answer the seat may give of its first card; no cards is a pass."""
    yield Answer()
    card = first_card(exposing.hand, seat)
    if card in EXPOSABLE:
        yield Answer((card,))


def answer_first(options: Options, exposing: FirstExposing, seat: Seat, given: Answer) -> Events:
    """A seat's answer of its first card. Raises Refused in the order of gongzhu §10.2."""
    if exposing.answers[seat] is not None:
        raise Refused(Code.ALREADY_DECIDED)
    if given.dark:
        raise Refused(Code.DARK_NOT_ALLOWED)
    if given.cards and given.cards != (first_card(exposing.hand, seat),):
        raise Refused(Code.NOT_FIRST_CARD)
    if any(card not in EXPOSABLE for card in given.cards):
        raise Refused(Code.NOT_EXPOSABLE)
    event = _answered(seat, given)
    if len(exposing.asked) > 1:
        return (event,)
    answers = _answers(exposing, seat, given)
    exposures = _ordered(e for place, other in enumerate(answers) for e in _exposures(place, other, "first"))
    hands = tuple(
        Sealed(f"hand.{place}", cards, audience=(place,), n=len(cards))
        for place, cards in enumerate(exposing.hand.deal.hands)
    )
    return event, FirstExposed(exposures=exposures, hands=hands), _begin_after_first(options, exposing.hand)


def _begin_after_first(options: Options, hand: Hand) -> ExposingBegan:
    told = hand.deal.leader is None and options.expose_order == "sealed"
    leader = Sealed("leader", hand.leader, audience=(hand.leader,)) if told else None
    return ExposingBegan(asked=_asked(options, hand), sealed_leader=leader)


def _answered(seat: Seat, given: Answer) -> Answered:
    return Answered(seat=seat, answer=Sealed("answer", given, audience=(seat,)))


def _answers(exposing: FirstExposing | Exposing, seat: Seat, given: Answer) -> list[Answer]:
    """What each seat has answered, the last of them now."""
    return [given if place == seat else other or Answer() for place, other in enumerate(exposing.answers)]


def _exposures(seat: Seat, given: Answer, mode: Mode) -> tuple[Exposure, ...]:
    return tuple(Exposure(card, seat, mode) for card in given.cards)


# --- exposing ----------------------------------------------------------------------------------------------------


def choices(options: Options, exposing: Exposing, seat: Seat) -> Iterator[Answer]:
    """Every answer the seat may give; no cards is a pass."""
    yield Answer()
    own = [card for card in unexposed(exposing.hand, seat) if card in EXPOSABLE]
    for size in range(1, len(own) + 1):
        for cards in dict.fromkeys(combinations(own, size)):
            for dark in _MAY_BE_DARK[options.dark_expose]:
                yield Answer(cards, dark)


def answer(options: Options, exposing: Exposing, seat: Seat, given: Answer) -> Events:
    """A seat's answer. Raises Refused in the order of gongzhu §10.2."""
    _check(options, exposing, seat, given)
    if options.expose_order == "turns":
        return _in_turn(options, exposing, seat, given)
    if len(exposing.asked) > 1:
        return (_answered(seat, given),)
    answers = _answers(exposing, seat, given)
    exposures = [e for place, other in enumerate(answers) for e in _exposures(place, other, _mode(other))]
    return _answered(seat, given), _begin_play(options, exposing.hand, exposures)


def _mode(given: Answer) -> Mode:
    return "dark" if given.dark else "open"


def _check(options: Options, exposing: Exposing, seat: Seat, given: Answer) -> None:
    if exposing.answers[seat] is not None:
        raise Refused(Code.ALREADY_DECIDED)
    if seat not in exposing.asked:
        raise Refused(Code.NOT_YOUR_TURN)
    own = unexposed(exposing.hand, seat)
    check_held(own, given.cards)
    if any(card not in EXPOSABLE for card in given.cards):
        raise Refused(Code.NOT_EXPOSABLE)
    if given.dark and options.dark_expose == "off":
        raise Refused(Code.DARK_NOT_ALLOWED)
    if given.cards and not given.dark and options.dark_expose == "always":
        raise Refused(Code.DARK_REQUIRED)


def _in_turn(options: Options, exposing: Exposing, seat: Seat, given: Answer) -> Events:
    after = (seat + 1) % SEATS
    last = after == exposing.hand.leader
    exposures = _exposures(seat, given, _mode(given))
    event = Exposed(
        seat=seat,
        exposures=() if given.dark else exposures,
        next=None if last else after,
        dark=Sealed("dark", given.cards, audience=(seat,), n=len(given.cards)) if given.dark else None,
    )
    return (event, _begin_play(options, exposing.hand, exposures)) if last else (event,)


def _begin_play(options: Options, hand: Hand, new: Iterable[Exposure]) -> PlayBegan:
    """Play begins with the exposures before, the new ones, and the one that these may force."""
    exposures = (*hand.exposed, *new)
    missing = without(EXPOSABLE * options.decks, tuple(e.card for e in exposures))
    if options.force_fourth and len(missing) == 1:
        exposures = (*exposures, *_forced(missing, replace(hand, unplayed=exposures)))
    return PlayBegan(
        leader=hand.leader,
        exposures=_ordered(e for e in exposures if e.mode != "dark"),
        dark=() if options.dark_expose == "off" else tuple(_dark(seat, exposures) for seat in ALL_SEATS),
    )


def _dark(seat: Seat, exposures: tuple[Exposure, ...]) -> Sealed[Cards]:
    """What a seat has exposed darkly, of which the others learn the number (gongzhu §11)."""
    cards = tuple(e.card for e in exposures if e.seat == seat and e.mode == "dark")
    return Sealed(f"dark.{seat}", cards, audience=(seat,), n=len(cards))
