"""The referee's part of games: reading an action, and looking for its cards in a hand."""

from collections.abc import Callable
from typing import Any

import msgspec

from schemas.actions import Action
from schemas.cards import Cards
from schemas.refusals import Code
from schemas.views import Legal
from services.games.game import Refused

NOTHING = Legal()
"""What a seat may do that is not waited for."""


def reader(actions: object) -> Callable[[Action], Any]:
    """How an action becomes one of this union of Structs. What it gives raises Refused: bad_action.

    The union is wrapped, because msgspec prepares the reading of a Struct once, but of a bare union each time.
    """
    move: Any = msgspec.defstruct("Move", [("action", actions)], frozen=True, array_like=True)

    def read(action: Action) -> Any:
        try:
            return msgspec.convert((action,), move).action
        except msgspec.ValidationError as error:
            raise Refused(Code.BAD_ACTION, str(error)) from None

    return read


def check_held(held: Cards, cards: Cards) -> None:
    """Whether all these cards are in this hand, each as often as it is named. Raises Refused: not_in_hand."""
    left = list(held)
    for card in cards:
        if card not in left:
            raise Refused(Code.NOT_IN_HAND)
        left.remove(card)
