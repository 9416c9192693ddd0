"""Play to the tricks, and the points in them (piquet §4.3, §5.2)."""

from collections.abc import Mapping

from schemas.cards import Card, Cards, Seat
from schemas.events import Events
from schemas.piquet import HandPlayed, Played, TrickTaken
from schemas.refusals import Code
from services.games.game import Refused
from services.games.piquet.options import RANKS, Options
from services.games.piquet.score import scored
from services.games.piquet.state import PLACE, Hand, Playing, other
from services.games.shared.rules import check_held
from services.games.shared.tricks import highest_of_led_suit

COUNTING: Mapping[str, str] = {"nine_up": RANKS[2:], "ten_up": RANKS[3:], "any": RANKS, "none": ""}
"""The ranks that count when led, or when they win (piquet §5.2)."""

LOW_FIRST = "cdhs"


def choices(playing: Playing) -> Cards:
    """The cards that may be played: all, or those of the suit led if there are any (piquet §4.3)."""
    held = playing.hand.held[playing.turn]
    if playing.lead is None:
        return held
    suit = playing.lead[1]
    return tuple([card for card in held if card[1] == suit]) or held


def lowest_first(cards: Cards) -> list[Card]:
    """By rank, equal ranks in the order c d h s (piquet §9)."""
    return sorted(cards, key=lambda card: (PLACE[card[0]], LOW_FIRST.index(card[1])))


def play(options: Options, playing: Playing, card: Card) -> Events:
    """A seat's play. Raises Refused: not_in_hand, must_follow."""
    hand, seat, lead = playing.hand, playing.turn, playing.lead
    check_held(hand.held[seat], (card,))
    if lead is None:
        played = Played(seat=seat, card=card, next=other(seat))
        return (played, *scored(options, hand, seat, "lead", _lead_points(options, hand, card)))
    if card[1] != lead[1] and card not in choices(playing):
        raise Refused(Code.MUST_FOLLOW)
    winner = highest_of_led_suit(((other(seat), lead), (seat, card)))
    wins = winner == seat
    events = (Played(seat=seat, card=card, next=winner), TrickTaken(winner=winner))
    is_last = len(hand.held[seat]) == 1 or not hand.held[other(seat)]
    points = _trick_points(options, hand, lead=lead, card=card, winner=winner, wins=wins, is_last=is_last)
    return (*events, *points, HandPlayed()) if is_last else (*events, *points)


def _lead_points(options: Options, hand: Hand, card: Card) -> int:
    if options.trick_table == "first_and_second" and hand.tricks:
        return 0
    return 1 if card[0] in COUNTING[options.lead_points] else 0


def _trick_points(
    options: Options, hand: Hand, *, lead: Card, card: Card, winner: Seat, wins: bool, is_last: bool
) -> Events:
    """What the winner of a trick scores, apart from what was scored for the lead (piquet §5.2)."""
    if options.trick_table == "first_and_second":
        return scored(options, hand, winner, "last", 2 if len(hand.tricks) == 1 else 0)
    if is_last:
        had = 0 if wins else _lead_points(options, hand, lead)
        return scored(options, hand, winner, "last", options.last_trick_points - had)
    return scored(options, hand, winner, "capture", 1 if wins and card[0] in COUNTING[options.capture_points] else 0)
