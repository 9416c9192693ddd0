"""What may be led and followed with: pairs, the ban on exposed cards, the colour of discards (gongzhu §5)."""

from collections.abc import Iterable, Mapping
from itertools import combinations

from schemas.cards import Card, Cards, Seat
from schemas.gongzhu import Exposure, Mode
from schemas.refusals import Code
from services.games.game import Refused
from services.games.gongzhu.options import Options
from services.games.gongzhu.state import Hand, Playing
from services.games.shared.cards import RANK_OF
from services.games.shared.total import without

Plays = tuple[Cards, ...]

_RED = "hd"
_BANNED_MODES: tuple[Mode, ...] = ("open", "forced")
_FREEST: Mapping[Mode, int] = {"dark": 0, "open": 0, "forced": 0, "first": 1}
"""Of several exposed copies in one hand, the one of the smaller factor is played first."""
_TIMEOUT_SUITS = "cdsh"


def choices(options: Options, playing: Playing) -> Plays:
    """Every play of the seat whose turn it is, its cards in canonical order."""
    hand, seat = playing.hand, playing.turn
    return _follows(options, playing) if playing.trick else _leads(options, hand, seat)


def check(options: Options, playing: Playing, cards: Cards) -> None:
    """Refuse a play of cards that are in the hand, in the order of gongzhu §10.2."""
    if playing.trick:
        _check_follow(options, playing, cards)
    else:
        _check_lead(options, playing.hand, playing.turn, cards)


def smallest(options: Options, playing: Playing) -> Cards:
    """What a time-out plays: the smallest legal play that breaks no rule of colour (gongzhu §10.1)."""
    proper = [cards for cards in choices(options, playing) if not is_breach(options, playing, cards)]
    return min(proper, key=_size)


def _size(cards: Cards) -> tuple[int, list[tuple[int, int]]]:
    return len(cards), sorted((RANK_OF[card[0]], _TIMEOUT_SUITS.index(card[1])) for card in cards)


# --- leading (gongzhu §5.1, §5.4) --------------------------------------------------------------------------------


def _leads(options: Options, hand: Hand, seat: Seat) -> Plays:
    held = hand.held[seat]
    if _must_open(hand):
        held = tuple(card for card in held if card == hand.opening)
        return _singles_and_pairs(options, held)
    leads = _singles_and_pairs(options, held)
    if hand.unplayed and (bound := _bound(hand, seat)):
        return tuple([cards for cards in leads if cards[0] not in bound or not _may_not_lead(bound, held, cards)])
    return leads


def _singles_and_pairs(options: Options, held: Cards) -> Plays:
    if options.decks == 1:
        return tuple([(card,) for card in held])
    kinds = dict.fromkeys(held)
    return (*((card,) for card in kinds), *((card, card) for card in kinds if held.count(card) == 2))


def _check_lead(options: Options, hand: Hand, seat: Seat, cards: Cards) -> None:
    if len(cards) > options.decks:
        raise Refused(Code.WRONG_COUNT)
    if len(set(cards)) > 1:
        raise Refused(Code.NOT_A_PAIR)
    if _must_open(hand):
        if cards[0] != hand.opening:
            raise Refused(Code.MUST_PLAY_OPENING)
        return  # the duty to lead it is stronger than the ban: gongzhu §5.3
    if (bound := _bound(hand, seat)) and _may_not_lead(bound, hand.held[seat], cards):
        raise Refused(Code.EXPOSED_BANNED)


def _must_open(hand: Hand) -> bool:
    return hand.opening is not None and not hand.winners  # gongzhu §5.1


def _may_not_lead(bound: Mapping[Card, int], held: Cards, cards: Cards) -> bool:
    """Whether a lead has a banned card, while other cards of its suit are not banned (gongzhu §5.3)."""
    own = _of_suit(held, cards[0][1])
    return _banned(bound, held, cards) > 0 and _banned(bound, held, own) < len(own)


# --- following (gongzhu §5.2, §5.4) ------------------------------------------------------------------------------


def _follows(options: Options, playing: Playing) -> Plays:
    hand, seat, lead = playing.hand, playing.turn, playing.trick[0].cards
    held, suit, count = hand.held[seat], lead[0][1], len(lead)
    own = _of_suit(held, suit)
    plays = _with_led_suit(options, held, own, count)
    if own and hand.unplayed and (bound := _bound(hand, seat)):
        plays = _fewest_banned(bound, held, suit, plays)
    if count == 2 and len(own) > 1:
        plays = tuple(cards for cards in plays if cards[0] == cards[1]) or plays
    if options.discard_colour == "strict" and len(own) < count:
        plays = tuple(cards for cards in plays if not _is_wrong_colour(held, suit, cards))
    return plays


def _with_led_suit(options: Options, held: Cards, own: Cards, count: int) -> Plays:
    """The plays of so many cards with as many of the led suit, which are `own`, as must be."""
    if count == 1:
        plays = tuple([(card,) for card in (own or held)])
        return plays if options.decks == 1 else tuple(dict.fromkeys(plays))
    if len(own) == 1:
        return tuple(_as_held(held, (own[0], other)) for other in dict.fromkeys(without(held, own)))
    return tuple(dict.fromkeys(combinations(own or held, count)))


def _check_follow(options: Options, playing: Playing, cards: Cards) -> None:
    hand, seat, lead = playing.hand, playing.turn, playing.trick[0].cards
    held, suit, count = hand.held[seat], lead[0][1], len(lead)
    if len(cards) != count:
        raise Refused(Code.WRONG_COUNT)
    bound = _bound(hand, seat) if hand.unplayed else {}
    if count == 1 and cards[0][1] == suit and not bound:
        return
    own = _of_suit(held, suit)
    if sum(card[1] == suit for card in cards) != min(count, len(own)):
        raise Refused(Code.MUST_FOLLOW)
    if len(own) > 1:
        if count == 2:
            _check_pair(bound, held, own, cards)
        elif bound and cards not in _fewest_banned(bound, held, suit, tuple((card,) for card in own)):
            raise Refused(Code.EXPOSED_BANNED)
    if options.discard_colour == "strict" and _is_wrong_colour(held, suit, cards):
        raise Refused(Code.WRONG_COLOUR)


def _check_pair(bound: Mapping[Card, int], held: Cards, own: Cards, cards: Cards) -> None:
    """Two cards of the suit in following a pair: with the fewest banned, and of these a pair if there is one."""
    allowed = _fewest_banned(bound, held, own[0][1], tuple(combinations(own, 2)))
    if _as_held(held, cards) not in allowed:
        raise Refused(Code.EXPOSED_BANNED)
    if cards[0] != cards[1] and any(one == other for one, other in allowed):
        raise Refused(Code.MUST_FOLLOW_PAIR)


def _of_suit(cards: Cards, suit: str) -> Cards:
    return tuple([card for card in cards if card[1] == suit])


def _as_held(held: Cards, cards: Cards) -> Cards:
    """The cards in the order of the hand, which is canonical."""
    return tuple(sorted(cards, key=held.index))


# --- the ban on exposed cards (gongzhu §5.3) ---------------------------------------------------------------------


def _bound(hand: Hand, seat: Seat) -> dict[Card, int]:
    """How many copies of each card the ban may bind: openly exposed, and of a suit that is not opened."""
    found: dict[Card, int] = {}
    for e in hand.unplayed:
        if e.seat == seat and e.mode in _BANNED_MODES and e.card[1] in hand.unopened:
            found[e.card] = found.get(e.card, 0) + 1
    return found


def _banned(bound: Mapping[Card, int], held: Cards, cards: Cards) -> int:
    """How many of these cards are banned; of two copies the free one is played first."""
    return sum(
        max(0, cards.count(card) - (held.count(card) - copies)) for card, copies in bound.items() if card in cards
    )


def _fewest_banned(bound: Mapping[Card, int], held: Cards, suit: str, plays: Plays) -> Plays:
    """Those of the plays with the fewest banned cards of the led suit (gongzhu §5.4)."""
    in_suit = {card: copies for card, copies in bound.items() if card[1] == suit}
    if not in_suit:
        return plays
    banned = [_banned(in_suit, held, cards) for cards in plays]
    fewest = min(banned)
    return tuple(cards for cards, number in zip(plays, banned, strict=True) if number == fewest)


def exposures_of(hand: Hand, seat: Seat, cards: Cards) -> tuple[Exposure, ...]:
    """Which exposed cards a play is made of: unexposed copies go first, then those that are not banned (gongzhu §4)."""
    own = [e for e in hand.unplayed if e.seat == seat and e.card in cards]
    if not own:
        return ()
    own.sort(key=lambda e: (e.mode in _BANNED_MODES and e.card[1] in hand.unopened, _FREEST[e.mode]))
    found: list[Exposure] = []
    for card in dict.fromkeys(cards):
        copies = [e for e in own if e.card == card]
        free = hand.held[seat].count(card) - len(copies)
        found += copies[: max(0, cards.count(card) - free)]
    return tuple(found)


# --- the colour of discards (gongzhu §5.5) -----------------------------------------------------------------------


def is_breach(options: Options, playing: Playing, cards: Cards) -> bool:
    """Whether a play is a discard of the wrong colour that is not refused but punished."""
    if options.discard_colour != "penalty" or not playing.trick:
        return False
    return _is_wrong_colour(playing.hand.held[playing.turn], playing.trick[0].cards[0][1], cards)


def _is_wrong_colour(held: Cards, suit: str, cards: Cards) -> bool:
    """Whether fewer discards than could be are of the colour of the led suit."""
    discards = [card for card in cards if card[1] != suit]
    return bool(discards) and _right(discards, suit) < min(len(discards), _right(held, suit))


def _right(cards: Iterable[Card], suit: str) -> int:
    """How many cards outside the led suit have its colour."""
    return sum(card[1] != suit and (card[1] in _RED) == (suit in _RED) for card in cards)
