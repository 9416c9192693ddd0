"""Play to the tricks: what may be played, and what follows from it (gongzhu §5, §6)."""

from schemas.cards import Card, Cards, Seat
from schemas.events import Events
from schemas.gongzhu import Capture, HandPlayed, Mode, Played, TrickTaken
from schemas.refusals import Code
from services.games.game import Refused
from services.games.gongzhu.options import SEATS, Options
from services.games.gongzhu.state import PIG, SHEEP, TRANSFORMER, Hand, Playing
from services.games.shared.total import without
from services.games.shared.tricks import RANK_OF, highest_of_led_suit

POINT_CARDS = 16
"""In one deck (gongzhu §1)."""

_RED = "hd"
_BANNED_MODES: tuple[Mode, ...] = ("open", "forced")
_TIMEOUT_SUITS = "cdsh"


def is_point_card(card: Card) -> bool:
    """Whether the card is a 分牌: a heart, the pig, the sheep or the transformer."""
    return card[1] == "h" or card in (PIG, SHEEP, TRANSFORMER)  # gongzhu §1


def choices(options: Options, playing: Playing) -> Cards:
    """Every card that the seat to play may play, in canonical order."""
    held = playing.hand.held[playing.turn]
    if not playing.trick:
        if _must_open(playing.hand):
            return tuple(card for card in held if card == playing.hand.opening)
        return without(held, _bans(playing.hand, playing.turn))
    suit = _led(playing)
    if own := tuple(card for card in held if card[1] == suit):
        return without(own, _bans(playing.hand, playing.turn))
    return (options.discard_colour == "strict" and _right_colour(held, suit)) or held


def smallest(options: Options, playing: Playing) -> Card:
    """What a time-out plays: the smallest legal card that breaks no rule of colour (gongzhu §10.1)."""
    cards = choices(options, playing)
    proper = tuple(card for card in cards if not _is_breach(options, playing, card))
    return min(proper, key=lambda card: (RANK_OF[card[0]], _TIMEOUT_SUITS.index(card[1])))


def play(options: Options, playing: Playing, seat: Seat, cards: Cards, *, auto: bool) -> Events:
    """A seat's play. Raises Refused in the order of gongzhu §10.2."""
    if seat != playing.turn:
        raise Refused(Code.NOT_YOUR_TURN)
    held = playing.hand.held[seat]
    if len(without(held, cards)) + len(cards) != len(held):
        raise Refused(Code.NOT_IN_HAND)
    if len(cards) != 1:
        raise Refused(Code.WRONG_COUNT)
    card = cards[0]
    if playing.trick:
        _check_follow(options, playing, card)
    else:
        _check_lead(playing, card)
    return _played(options, playing, card, auto=auto)


def _check_lead(playing: Playing, card: Card) -> None:
    if _must_open(playing.hand):
        if card != playing.hand.opening:
            raise Refused(Code.MUST_PLAY_OPENING)
        return  # the duty to lead it is stronger than the ban: gongzhu §5.3
    if card in _bans(playing.hand, playing.turn):
        raise Refused(Code.EXPOSED_BANNED)


def _check_follow(options: Options, playing: Playing, card: Card) -> None:
    held, suit = playing.hand.held[playing.turn], _led(playing)
    if card[1] == suit:
        if card in _bans(playing.hand, playing.turn):
            raise Refused(Code.EXPOSED_BANNED)
        return
    if any(own[1] == suit for own in held):
        raise Refused(Code.MUST_FOLLOW)  # gongzhu §5.2
    if options.discard_colour == "strict" and _is_wrong_colour(held, suit, card):
        raise Refused(Code.WRONG_COLOUR)


def _must_open(hand: Hand) -> bool:
    return hand.opening is not None and not hand.winners  # gongzhu §5.1


def _led(playing: Playing) -> str:
    return playing.trick[0].cards[0][1]


def _bans(hand: Hand, seat: Seat) -> Cards:
    """The seat's cards that may be neither led nor played in following suit (gongzhu §5.3)."""
    bound = tuple(
        e.card for e in hand.exposed if e.seat == seat and e.mode in _BANNED_MODES and e.card[1] in hand.unopened
    )
    if not bound:
        return ()
    free = {card[1] for card in hand.held[seat] if card not in bound}
    return tuple(card for card in bound if card[1] in free)


def _right_colour(held: Cards, suit: str) -> Cards:
    return tuple(card for card in held if (card[1] in _RED) == (suit in _RED))


def _is_wrong_colour(held: Cards, suit: str, card: Card) -> bool:
    """Whether a discard is of the other colour though one of the right colour is held (gongzhu §5.5)."""
    return (card[1] in _RED) != (suit in _RED) and bool(_right_colour(held, suit))


def _is_breach(options: Options, playing: Playing, card: Card) -> bool:
    if options.discard_colour != "penalty" or not playing.trick:
        return False
    held, suit = playing.hand.held[playing.turn], _led(playing)
    return not any(own[1] == suit for own in held) and _is_wrong_colour(held, suit, card)


def _played(options: Options, playing: Playing, card: Card, *, auto: bool) -> Events:
    seat, hand = playing.turn, playing.hand
    breach = _is_breach(options, playing, card)
    managed = auto and len(hand.held[seat]) > 1  # gongzhu §8: the last card does not count
    if len(playing.trick) < SEATS - 1:
        return (Played(seat=seat, cards=(card,), next=(seat + 1) % SEATS, breach=breach, managed=managed),)
    plays = [(play.seat, play.cards[0]) for play in playing.trick] + [(seat, card)]
    winner = highest_of_led_suit(plays)
    played = Played(seat=seat, cards=(card,), next=winner, breach=breach, managed=managed)
    offenders = [play.seat for play in (*playing.trick, played) if play.breach]
    taken = _taken(hand, plays, offenders[0] if offenders else winner)  # gongzhu §5.5: the first offender
    trick = TrickTaken(winner=winner, suit=plays[0][1][1], captures=taken)
    outstanding = POINT_CARDS * options.decks - len(hand.captures) - len(taken)
    cards_left = sum(map(len, hand.held)) - 1
    if cards_left == 0 or (options.early_end and outstanding == 0):
        return played, trick, HandPlayed()  # gongzhu §6
    return played, trick


def _taken(hand: Hand, plays: list[tuple[Seat, Card]], taker: Seat) -> tuple[Capture, ...]:
    modes: dict[Card, Mode] = {e.card: e.mode for e in hand.exposed}
    return tuple(Capture(card, taker, seat, modes.get(card)) for seat, card in plays if is_point_card(card))
