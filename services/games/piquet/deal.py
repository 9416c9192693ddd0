"""The deal (piquet §3)."""

from schemas.cards import Cards, Seat
from schemas.events import Events
from schemas.piquet import HandDealt
from schemas.sealed import Sealed
from services.games.game import Shuffle
from services.games.piquet.options import SEATS, Options
from services.games.piquet.state import PACK, Between, State

HAND_SIZE = 12


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between(hand_no=hand_no, dealer=dealer):
            return (dealt(state.options, hand_no, dealer, shuffle(PACK)),)
        case _:
            raise ValueError("no hand is to be dealt")


def dealt(options: Options, hand_no: int, dealer: Seat, deck: Cards) -> HandDealt:
    """The hand that comes of this order of the pack."""
    hands = [hand_of(options, deck, turn) for turn in range(SEATS)]
    hands = hands if dealer else hands[::-1]
    talon = deck[SEATS * HAND_SIZE :]
    return HandDealt(
        hand_no=hand_no,
        dealer=dealer,
        deck=Sealed("deck", deck, n=len(deck)),
        hands=tuple(Sealed(f"hand.{s}", hand, audience=(s,), n=len(hand)) for s, hand in enumerate(hands)),
        talon=Sealed("talon", talon, n=len(talon)),
    )


def hand_of(options: Options, deck: Cards, turn: int) -> Cards:
    """The cards of who is dealt to first (0), which is elder, or second (1)."""
    batch = options.deal_batch
    return tuple(card for place, card in enumerate(deck[: SEATS * HAND_SIZE]) if place // batch % SEATS == turn)
