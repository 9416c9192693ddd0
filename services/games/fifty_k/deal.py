"""The deal: all cards, one by one, and who leads (fifty_k §2)."""

from schemas.cards import PACK, Cards, Seat
from schemas.events import Events
from schemas.fifty_k import HandDealt
from schemas.sealed import Sealed
from services.games.fifty_k.options import SEATS, Options
from services.games.fifty_k.state import Between, State
from services.games.game import Shuffle
from services.games.shared.cards import one_by_one

THREE = "3s"
"""Who is dealt it first leads the first hand (fifty_k §2)."""


def pack(options: Options) -> Cards:
    """The cards that are played with."""
    return PACK * options.decks


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between() as between:
            deck = shuffle(pack(state.options))
        case _:
            raise ValueError("no hand is to be dealt")
    hands = one_by_one(deck, first=between.first_receiver, seats=SEATS)
    first = between.hand_no == 1
    leader = leader_of(hands, between.first_receiver) if first else between.first_receiver
    return (hand_dealt(state.options, between, deck, hands, leader=leader, first=first),)


def leader_of(hands: tuple[Cards, ...], first_receiver: Seat) -> Seat:
    """Who was dealt a 3s first; `hands` are in order of receipt."""
    times = [
        (SEATS * hand.index(THREE) + (seat - first_receiver) % SEATS, seat)
        for seat, hand in enumerate(hands)
        if THREE in hand
    ]
    return min(times)[1] if times else first_receiver


def hand_dealt(
    options: Options, between: Between, deck: Cards, hands: tuple[Cards, ...], *, leader: Seat, first: bool
) -> HandDealt:
    """The event of a deal; `first` is the first hand of a match."""
    return HandDealt(
        hand_no=between.hand_no,
        first_receiver=between.first_receiver,
        leader=leader,
        deck=Sealed("deck", deck, n=len(deck)),
        hands=tuple(Sealed(f"hand.{seat}", cards, audience=(seat,), n=len(cards)) for seat, cards in enumerate(hands)),
        opening=options.first_lead_3s and first and THREE in hands[leader],
    )
