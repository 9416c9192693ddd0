"""Play to the tricks: what follows from a play (gongzhu §5, §6)."""

from schemas.cards import RANKS, Cards, Seat
from schemas.events import Events
from schemas.gongzhu import Capture, Exposure, HandPlayed, Played, SidesShown, TrickTaken
from schemas.refusals import Code
from services.games.game import Refused
from services.games.gongzhu import plays
from services.games.gongzhu.options import SEATS, Options
from services.games.gongzhu.sides import sides
from services.games.gongzhu.state import PIG, POINT_CARDS, SHEEP, Hand, Playing
from services.games.shared.rules import check_held
from services.games.shared.total import without
from services.games.shared.tricks import highest_of_led_suit

_POINTS = frozenset(POINT_CARDS)


def play(options: Options, playing: Playing, seat: Seat, cards: Cards, *, auto: bool) -> Events:
    """A seat's play. Raises Refused in the order of gongzhu §10.2."""
    if seat != playing.turn:
        raise Refused(Code.NOT_YOUR_TURN)
    check_held(playing.hand.held[seat], cards)
    plays.check(options, playing, cards)
    if len(playing.trick) < SEATS - 1:
        played = _played(options, playing, cards, turn=(seat + 1) % SEATS, auto=auto)
        return (played, *_sides(options, playing.hand, played))
    played = _played(options, playing, cards, turn=_winner(playing.trick, seat, cards), auto=auto)
    return (played, *_sides(options, playing.hand, played), *_complete(options, playing, played))


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


def _winner(trick: tuple[Played, ...], last: Seat, cards: Cards) -> Seat:
    """Who wins a trick; of equal plays the earlier one (gongzhu §5.2, §5.4)."""
    lead = trick[0].cards
    if len(lead) == 1:
        return highest_of_led_suit([*[(play.seat, play.cards[0]) for play in trick], (last, cards[0])])
    best = max(trick, key=lambda play: _strength(play.cards, lead[0][1]))
    return last if _strength(cards, lead[0][1]) > _strength(best.cards, lead[0][1]) else best.seat


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
    captures = tuple(
        [
            capture
            for play in trick
            if not _POINTS.isdisjoint(play.cards)
            for capture in captures_of(play.cards, play.exposures, play.seat, taker)
        ]
    )
    taken = TrickTaken(winner=played.next, suit=trick[0].cards[0][1], captures=captures)
    outstanding = len(POINT_CARDS) * options.decks - len(hand.captures) - len(captures)
    cards_left = sum(map(len, hand.held)) - len(played.cards)
    if cards_left == 0 or (options.early_end and outstanding == 0):
        return taken, HandPlayed(exposures=dark_of(without(hand.unplayed, played.exposures)))  # gongzhu §6
    return (taken,)


def captures_of(cards: Cards, exposures: tuple[Exposure, ...], owner: Seat, taker: Seat) -> list[Capture]:
    """The point cards among a seat's cards, as taken; each copy with its own exposure (gongzhu §4)."""
    if not exposures:
        return [Capture(card, taker, owner) for card in cards if card in _POINTS]
    captures: list[Capture] = []
    for card in cards:
        if card in _POINTS:
            exposure = next((e for e in exposures if e.card == card), None)
            captures.append(Capture(card, taker, owner, None if exposure is None else exposure.mode))
            exposures = exposures if exposure is None else without(exposures, (exposure,))
    return captures


def dark_of(exposures: tuple[Exposure, ...]) -> tuple[Exposure, ...]:
    """The dark ones among exposures, which become known when the hand ends (gongzhu §11)."""
    return tuple(e for e in exposures if e.mode == "dark")
