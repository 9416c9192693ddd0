"""A turn and what follows from it (cassino §5, §6)."""

from schemas.cards import Card, Cards, Seat
from schemas.cassino import (
    BuildMissed,
    Built,
    Drew,
    HandPlayed,
    Misplayed,
    Passed,
    Refilled,
    Taken,
    Trailed,
    TurnBegan,
)
from schemas.events import Events
from schemas.refusals import Code
from services.games.cassino.evolve import InTurn, on_hand
from services.games.cassino.groups import MOST, VALUES
from services.games.cassino.options import Options
from services.games.cassino.state import Hand, Playing, build_of
from services.games.cassino.taking import builds, is_proper, takes, takes_build, wins_scoring_card
from services.games.game import Refused
from services.games.shared.deal import for_seat
from services.games.shared.rules import check_held


def take(options: Options, playing: Playing, card: Card, cards: Cards) -> Events:
    """Take cards, or show a wrong take. Raises Refused in the order of cassino §8."""
    hand, seat = playing.hand, playing.turn
    _check_cards(hand, seat, card, cards)
    if is_proper(options, hand, seat, card, cards):
        own = build_of(hand, seat)
        taken = Taken(seat=seat, card=card, cards=cards, build=takes_build(own, cards))
        return _ended(options, hand, seat, taken, stuck=0)
    if options.wrong_take == "reject":
        raise Refused(Code.WRONG_SUM)
    return (Misplayed(seat=seat, card=card, cards=cards),)


def build(options: Options, playing: Playing, card: Card, cards: Cards) -> Events:
    """Build. Raises Refused in the order of cassino §8."""
    hand, seat = playing.hand, playing.turn
    _check_cards(hand, seat, card, cards)
    if build_of(hand, seat) is not None:
        raise Refused(Code.BUILD_OPEN)
    values = [VALUES[each] for each in (card, *cards)]
    if not all(values):
        raise Refused(Code.BAD_BUILD, "J Q K never enter a build")
    value = sum(values)
    if value > MOST:
        raise Refused(Code.BUILD_TOO_HIGH)
    if options.build_needs_card and value not in [VALUES[held] for held in hand.held[seat]]:
        raise Refused(Code.NO_CAPTURE_CARD)
    if options.build_condition == "strict" and wins_scoring_card(takes(options, hand, seat)):
        raise Refused(Code.MUST_TAKE)
    return _ended(options, hand, seat, Built(seat=seat, card=card, cards=cards, value=value), stuck=0)


def pass_(options: Options, playing: Playing) -> Events:
    """Say that one can do nothing. Raises Refused: can_take, can_build."""
    hand, seat = playing.hand, playing.turn
    if takes(options, hand, seat):
        raise Refused(Code.CAN_TAKE)
    if builds(hand, seat, needs_card=True):  # strict or not, as nothing can be taken
        raise Refused(Code.CAN_BUILD)
    if hand.stock:
        return (Drew(seat=seat, cards=for_seat(seat, "drawn", hand.stock[:1])),)
    return _ended(options, hand, seat, Passed(seat=seat), stuck=hand.stuck + 1)


def trail(options: Options, playing: Playing, card: Card) -> Events:
    """Lay a card after drawing. Raises Refused: not_in_hand."""
    hand, seat = playing.hand, playing.turn
    check_held(hand.held[seat], (card,))
    return _ended(options, hand, seat, Trailed(seat=seat, card=card), stuck=0)


def _check_cards(hand: Hand, seat: Seat, card: Card, cards: Cards) -> None:
    check_held(hand.held[seat], (card,))
    if not cards:
        raise Refused(Code.EMPTY_SELECTION)
    if len(set(cards)) < len(cards):
        raise Refused(Code.DUPLICATE_CARD)
    own: Cards = ()
    for each in hand.builds:
        if each.seat == seat:
            own = each.cards
        elif not set(each.cards).isdisjoint(cards):
            raise Refused(Code.BUILD_RESERVED)
    for named in cards:
        if named not in hand.table and named not in own:
            raise Refused(Code.NOT_ON_TABLE)
    if own and 0 < len(set(own).intersection(cards)) < len(own):
        raise Refused(Code.BUILD_SPLIT)


# --- the end of a turn (cassino §5, §6) --------------------------------------------------------------------------


def _ended(options: Options, hand: Hand, seat: Seat, event: InTurn, *, stuck: int) -> Events:
    """The event that ends a turn, and what follows from it in its order."""
    after = on_hand(hand, event)
    events: list[InTurn] = [event]
    own = build_of(hand, seat)
    if own is not None and not (isinstance(event, Taken) and event.build):
        missed = _missed(options, seat)
        after, stuck = on_hand(after, missed), 0 if missed.released else stuck
        events.append(missed)
    if isinstance(event, Taken) and hand.stock:
        refilled = _refilled(options, after, seat)
        after = on_hand(after, refilled)
        events.append(refilled)
    return (*events, *next_turn(options, after, seat, stuck=stuck))


def _missed(options: Options, seat: Seat) -> BuildMissed:
    return BuildMissed(seat=seat, released=options.build_lapse == "release")


def _refilled(options: Options, hand: Hand, seat: Seat) -> Refilled:
    """The table is filled up first, then the taker's hand, as far as the stock goes (cassino §5)."""
    places = len(hand.table) + sum([len(build.seeds) for build in hand.builds])
    laid = hand.stock[: max(options.table_size - places, 0)]
    wanted = max(options.hand_size - len(hand.held[seat]), 0)
    drawn = hand.stock[len(laid) : len(laid) + wanted]
    return Refilled(seat=seat, table=laid, drawn=for_seat(seat, "drawn", drawn))


def next_turn(options: Options, hand: Hand, seat: Seat, *, stuck: int) -> Events:
    """Whose turn comes after this seat's, or the end of the hand; without stock, empty hands are skipped."""
    seats = len(hand.held)
    events: list[BuildMissed] = []
    while hand.stock or (stuck < seats and any(hand.held)):
        seat = (seat + 1) % seats
        if hand.stock or hand.held[seat]:
            return (*events, TurnBegan(seat=seat, stuck=stuck))
        stuck += 1
        if build_of(hand, seat) is not None:
            missed = _missed(options, seat)
            hand, stuck = on_hand(hand, missed), 0 if missed.released else stuck
            events.append(missed)
    return (*events, HandPlayed(taker=hand.last_taker if options.last_takes_table else None))
