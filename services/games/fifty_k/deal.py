"""The deal: all cards, one by one, and who leads (fifty_k §2)."""

from schemas.cards import Cards, Seat
from schemas.events import Events
from schemas.fifty_k import HandDealt
from services.games.fifty_k.options import SEATS, Options, pack
from services.games.fifty_k.state import Between, State
from services.games.game import Shuffle
from services.games.shared.deal import for_nobody, for_seats, one_by_one

THREE = "3s"
"""Who is dealt it first leads the first hand (fifty_k §2)."""


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between(hand_no=hand_no, first_receiver=seat):
            deck = shuffle(pack(state.options))
            hands, first = one_by_one(deck, first=seat, seats=SEATS), hand_no == 1
            leader = leader_of(hands, seat) if first else seat
            return dealt(state.options, hand_no, seat, deck, hands, leader=leader, first=first)
        case _:
            raise ValueError("no hand is to be dealt")


def leader_of(hands: tuple[Cards, ...], first_receiver: Seat) -> Seat:
    """Who was dealt a 3s first; `hands` are in order of receipt."""
    times = [
        (SEATS * hand.index(THREE) + (seat - first_receiver) % SEATS, seat)
        for seat, hand in enumerate(hands)
        if THREE in hand
    ]
    return min(times)[1] if times else first_receiver


def dealt(
    options: Options,
    hand_no: int,
    first_receiver: Seat,
    deck: Cards,
    hands: tuple[Cards, ...],
    *,
    leader: Seat,
    first: bool,
) -> Events:
    """These hands are dealt off a deck; `first` is the first hand of a match."""
    event = HandDealt(
        hand_no=hand_no,
        first_receiver=first_receiver,
        leader=leader,
        deck=for_nobody("deck", deck),
        hands=for_seats(hands),
        opening=options.first_lead_3s and first and THREE in hands[leader],
    )
    return (event,)
