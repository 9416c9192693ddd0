"""The deal: all cards, one by one from the head on (bluff §2)."""

from schemas.bluff import HandDealt
from schemas.cards import Cards
from schemas.events import Events
from schemas.sealed import Sealed
from services.games.bluff.options import pack
from services.games.bluff.state import Between, State
from services.games.game import Shuffle
from services.games.shared.cards import one_by_one


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between() as between:
            deck = shuffle(pack(state.options))
            return dealt(between, deck, one_by_one(deck, first=between.head, seats=len(state.totals)))
        case _:
            raise ValueError("no hand is to be dealt")


def dealt(between: Between, deck: Cards, hands: tuple[Cards, ...]) -> Events:
    """These hands are dealt."""
    return (
        HandDealt(
            hand_no=between.hand_no,
            head=between.head,
            deck=Sealed("deck", deck, n=len(deck)),
            hands=tuple(
                Sealed(f"hand.{seat}", cards, audience=(seat,), n=len(cards)) for seat, cards in enumerate(hands)
            ),
        ),
    )
