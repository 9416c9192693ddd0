"""Play to the tricks: what follows from a play (gongzhu §5, §6)."""

from collections.abc import Callable

from schemas.cards import RANKS, Card, Cards, Seat
from schemas.events import Events
from schemas.gongzhu import Capture, Exposure, HandPlayed, Played, SidesShown, TrickTaken
from schemas.refusals import Code
from services.games.game import Refused
from services.games.gongzhu import plays
from services.games.gongzhu.options import SEATS, Options
from services.games.gongzhu.sides import sides
from services.games.gongzhu.state import PIG, SHEEP, Hand, Playing, is_point_card
from services.games.shared.total import without
from services.games.shared.tricks import highest_of_led_suit

Captures = list[Capture]

POINT_CARDS = 16
"""In one deck (gongzhu §1)."""


def play(options: Options, playing: Playing, seat: Seat, cards: Cards, *, auto: bool) -> Events:
    """A seat's play. Raises Refused in the order of gongzhu §10.2."""
    if seat != playing.turn:
        raise Refused(Code.NOT_YOUR_TURN)
    held = playing.hand.held[seat]
    if len(without(held, cards)) + len(cards) != len(held):
        raise Refused(Code.NOT_IN_HAND)
    plays.check(options, playing, cards)
    if len(playing.trick) < SEATS - 1:
        played = _played(options, playing, cards, turn=(seat + 1) % SEATS, auto=auto)
        return played, *_sides(options, playing.hand, played)
    winner = _winner([(play.seat, play.cards) for play in playing.trick] + [(seat, cards)])
    played = _played(options, playing, cards, turn=winner, auto=auto)
    return played, *_sides(options, playing.hand, played), *_complete(options, playing, played)


def _played(options: Options, playing: Playing, cards: Cards, *, turn: Seat, auto: bool) -> Played:
    seat, hand = playing.turn, playing.hand
    return Played(
        seat=seat,
        cards=cards,
        next=turn,
        breach=plays.is_breach(options, playing, cards),
        managed=auto and len(hand.held[seat]) > 1,  # gongzhu §8: the last card does not count
        exposures=plays.exposures_of(hand, seat, cards),
    )


def _winner(trick: list[tuple[Seat, Cards]]) -> Seat:
    """Who wins a trick; of equal plays the earlier one (gongzhu §5.2, §5.4)."""
    lead = trick[0][1]
    if len(lead) == 1:
        return highest_of_led_suit([(seat, cards[0]) for seat, cards in trick])
    seat, _ = max(trick, key=lambda play: _strength(play[1], lead[0][1]))
    return seat


def _strength(cards: Cards, suit: str) -> tuple[int, int]:
    """In a trick led with a pair: the class of a play, and its higher card (gongzhu §5.4)."""
    if any(card[1] != suit for card in cards):
        return 0, 0
    is_pair = cards[0] == cards[1]
    return 2 if is_pair == (suit == "d") else 1, max(RANKS.index(card[0]) for card in cards)


def _sides(options: Options, hand: Hand, played: Played) -> tuple[SidesShown, ...]:
    """Pig-and-sheep sides are shown when both cards have been played (gongzhu §11)."""
    if options.partnership != "pig_sheep" or played.cards[0] not in (PIG, SHEEP):
        return ()
    other = SHEEP if played.cards[0] == PIG else PIG
    shown = sides(options, hand)
    return () if shown is None or any(other in held for held in hand.held) else (SidesShown(sides=shown),)


def _complete(options: Options, playing: Playing, played: Played) -> Events:
    """What follows from the last play of a trick."""
    hand, trick = playing.hand, (*playing.trick, played)
    offenders = [play.seat for play in trick if play.breach]
    taker = offenders[0] if offenders else played.next  # gongzhu §5.5: the first offender

    def taken_by(_: Card) -> Seat:
        return taker

    captures = tuple([c for play in trick for c in captures_of(play.cards, play.exposures, play.seat, taken_by)])
    taken = TrickTaken(winner=played.next, suit=trick[0].cards[0][1], captures=captures)
    outstanding = POINT_CARDS * options.decks - len(hand.captures) - len(captures)
    cards_left = sum(map(len, hand.held)) - len(played.cards)
    if cards_left == 0 or (options.early_end and outstanding == 0):
        return taken, HandPlayed(exposures=dark_of(without(hand.unplayed, played.exposures)))  # gongzhu §6
    return (taken,)


def captures_of(cards: Cards, exposures: tuple[Exposure, ...], owner: Seat, taker: Callable[[Card], Seat]) -> Captures:
    """The point cards among a seat's cards, as taken; each copy with its own exposure (gongzhu §4)."""
    unused = list(exposures)
    captures: list[Capture] = []
    for card in filter(is_point_card, cards):
        exposure = next((e for e in unused if e.card == card), None)
        if exposure is not None:
            unused.remove(exposure)
        captures.append(Capture(card, taker(card), owner, None if exposure is None else exposure.mode))
    return captures


def dark_of(exposures: tuple[Exposure, ...]) -> tuple[Exposure, ...]:
    """The dark ones among exposures, which become known when the hand ends (gongzhu §11)."""
    return tuple(e for e in exposures if e.mode == "dark")
