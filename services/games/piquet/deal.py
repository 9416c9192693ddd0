"""The deal (piquet §3)."""

from schemas.cards import Cards, Seat
from schemas.events import Events
from schemas.piquet import HandDealt
from services.games.game import Shuffle
from services.games.piquet.options import SEATS, Options, pack
from services.games.piquet.state import State, other
from services.games.shared.deal import for_nobody, for_seats
from services.games.shared.state import Between

HAND_SIZE = 12


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between(hand_no=hand_no, dealer=dealer):
            return dealt(state.options, hand_no, dealer, shuffle(pack(state.options)))
        case _:
            raise ValueError("no hand is to be dealt")


def dealt(options: Options, hand_no: int, dealer: Seat, deck: Cards) -> Events:
    """The hand that comes of this order of the pack."""
    hands = tuple(_batches(options, deck, (seat - other(dealer)) % SEATS) for seat in range(SEATS))
    talon = deck[SEATS * HAND_SIZE :]
    event = HandDealt(
        hand_no=hand_no,
        dealer=dealer,
        deck=for_nobody("deck", deck),
        hands=for_seats(hands),
        talon=for_nobody("talon", talon),
    )
    return (event,)


def _batches(options: Options, deck: Cards, turn: int) -> Cards:
    """The cards of who is dealt to first (0), which is elder, or second (1)."""
    batch = options.deal_batch
    return tuple(card for place, card in enumerate(deck[: SEATS * HAND_SIZE]) if place // batch % SEATS == turn)
