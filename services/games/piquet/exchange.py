"""Carte blanche and the exchange of cards (piquet §4.1)."""

from schemas.cards import Cards, Seat
from schemas.events import Events
from schemas.piquet import DeclaringBegan, Exchanged, HandShown
from schemas.refusals import Code
from services.games.game import Refused
from services.games.piquet.options import Options
from services.games.piquet.score import scored
from services.games.piquet.state import Exchanging, Hand, elder, other
from services.games.shared.deal import for_seat
from services.games.shared.rules import check_held
from services.games.shared.total import without

ELDER_MOST = 5
"""How many cards elder may exchange (piquet §4.1)."""

COURT = "JQK"


def bounds(options: Options, hand: Hand, seat: Seat) -> tuple[int, int]:
    """The least and the largest number of cards that the seat may discard."""
    most = min(len(hand.talon), len(hand.held[seat]))
    if seat == elder(hand):
        return min(1, most), min(ELDER_MOST, most)
    return min(options.younger_min_exchange, most), most


def is_blank(cards: Cards) -> bool:
    """Whether these cards are carte blanche (piquet §4.1)."""
    return not any(card[0] in COURT for card in cards)


def declare(options: Options, exchanging: Exchanging) -> Events:
    """Declare carte blanche. Raises Refused: already_declared, no_carte_blanche."""
    hand, seat = exchanging.hand, exchanging.turn
    if seat in hand.blank:
        raise Refused(Code.ALREADY_DECLARED)
    if not is_blank(hand.dealt[seat]):
        raise Refused(Code.NO_CARTE_BLANCHE)
    shown = HandShown(seat=seat, cards=hand.dealt[seat], open=options.carte_blanche_show == "open")
    return shown, *scored(options, hand, seat, "carte_blanche", 10)


def discard(options: Options, exchanging: Exchanging, cards: Cards) -> Events:
    """Exchange cards. Raises Refused: duplicate_card, not_in_hand, discard_count."""
    hand, seat = exchanging.hand, exchanging.turn
    if len(set(cards)) < len(cards):
        raise Refused(Code.DUPLICATE_CARD)
    held = hand.held[seat]
    check_held(held, cards)
    least, most = bounds(options, hand, seat)
    if not least <= len(cards) <= most:
        raise Refused(Code.DISCARD_COUNT)
    is_elder = seat == elder(hand)
    drawn, left = hand.talon[: len(cards)], hand.talon[len(cards) : ELDER_MOST] if is_elder else ()
    exchanged = Exchanged(
        seat=seat,
        discards=for_seat(seat, "discards", cards),
        drawn=for_seat(seat, "drawn", drawn),
        seen=for_seat(seat, "seen", left),
        next=other(seat) if is_elder else None,
    )
    now = (*without(held, cards), *drawn)
    shown = (HandShown(seat=seat, cards=now, open=True),) if seat in hand.open else ()
    began = () if is_elder else (DeclaringBegan(what="point", seat=elder(hand)),)
    return exchanged, *shown, *began
