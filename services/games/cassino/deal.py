"""The deal (cassino §3)."""

from schemas.cards import Cards, Seat
from schemas.cassino import HandDealt, TurnBegan
from schemas.events import Events
from services.games.cassino.options import Options, pack
from services.games.cassino.state import State
from services.games.game import Shuffle
from services.games.shared.deal import for_nobody, for_seats, one_by_one
from services.games.shared.state import Between


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between(hand_no=hand_no, dealer=dealer):
            deck = shuffle(pack(state.options))
            return dealt(state.options, hand_no, dealer, deck, seats=len(state.totals))
        case _:
            raise ValueError("no hand is to be dealt")


def dealt(options: Options, hand_no: int, dealer: Seat, deck: Cards, *, seats: int) -> Events:
    """The hand that comes of this order of the pack, and its first turn."""
    cards = seats * options.hand_size
    hands = one_by_one(deck[:cards], first=(dealer + 1) % seats, seats=seats)
    table, stock = deck[cards : cards + options.table_size], deck[cards + options.table_size :]
    event = HandDealt(
        hand_no=hand_no,
        dealer=dealer,
        deck=for_nobody("deck", deck),
        hands=for_seats(hands),
        table=table,
        stock=for_nobody("stock", stock),
    )
    return event, TurnBegan(seat=first_player(options, dealer, seats=seats), stuck=0)


def first_player(options: Options, dealer: Seat, *, seats: int) -> Seat:
    """Who acts first in a hand (cassino §2)."""
    return dealer if options.first_player == "dealer" else (dealer + 1) % seats
