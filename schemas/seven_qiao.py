"""The words of Seven-qiao on the wire: its actions and its events."""

from typing import Literal

from msgspec import Struct

from schemas.cards import Cards, Seat
from schemas.sealed import Sealed

Kind = Literal["true", "double", "sum", "many", "bust", "none"]
"""What a hand comes to (seven_qiao §5)."""


# --- actions (seven_qiao §4) -------------------------------------------------------------------------------------


class Draw(Struct, frozen=True, tag="draw", forbid_unknown_fields=True):
    """Ask for a card."""


class Take(Struct, frozen=True, tag="take", forbid_unknown_fields=True):
    """Take the card that is offered."""


class Decline(Struct, frozen=True, tag="decline", forbid_unknown_fields=True):
    """Do not take the card that one has asked for, and break one's word."""


class Pass(Struct, frozen=True, tag="pass", forbid_unknown_fields=True):
    """Want no card for now, when asked."""


class Stand(Struct, frozen=True, tag="stand", forbid_unknown_fields=True):
    """Want no more cards in this hand."""


Action = Draw | Take | Decline | Pass | Stand


# --- events ------------------------------------------------------------------------------------------------------


class HandDealt(Struct, frozen=True, kw_only=True, tag="seven_qiao.hand_dealt"):
    """One card was dealt to each seat (seven_qiao §3).

    Attributes:
        deck: the whole dealing order, slot `deck`; open to nobody.
        hands: the card of each seat, slots `hand.0` and so on; open to it alone.
        stock: the rest, top first, slot `stock`; open to nobody.
    """

    hand_no: int
    dealer: Seat
    deck: Sealed[Cards]
    hands: tuple[Sealed[Cards], ...]
    stock: Sealed[Cards]


class Asked(Struct, frozen=True, kw_only=True, tag="seven_qiao.asked"):
    """A seat is asked whether it wants a card (seven_qiao §4)."""

    seat: Seat


class TurnBegan(Struct, frozen=True, kw_only=True, tag="seven_qiao.turn_began"):
    """Cards are drawn freely now: this seat is to act, or all that are not done (None) (seven_qiao §4)."""

    seat: Seat | None


class Offered(Struct, frozen=True, kw_only=True, tag="seven_qiao.offered"):
    """A seat asked for a card, and is to say whether it takes it (seven_qiao §4)."""

    seat: Seat


class Taken(Struct, frozen=True, kw_only=True, tag="seven_qiao.taken"):
    """A seat took the top card of the stock, slot `drawn`; `done`: its hand is full (seven_qiao §4)."""

    seat: Seat
    cards: Sealed[Cards]
    done: bool


class Declined(Struct, frozen=True, kw_only=True, tag="seven_qiao.declined"):
    """A seat did not take the card it had asked for; `done`: it draws no more in this hand (seven_qiao §4)."""

    seat: Seat
    done: bool


class Passed(Struct, frozen=True, kw_only=True, tag="seven_qiao.passed"):
    """A seat wanted no card when asked (seven_qiao §4)."""

    seat: Seat


class Stood(Struct, frozen=True, kw_only=True, tag="seven_qiao.stood"):
    """A seat draws no more in this hand (seven_qiao §4)."""

    seat: Seat


class HandPlayed(Struct, frozen=True, kw_only=True, tag="seven_qiao.hand_played"):
    """All seats are done, and the hands are to be shown and scored (seven_qiao §4)."""


class HandScored(Struct, frozen=True, kw_only=True, tag="seven_qiao.hand_scored"):
    """The hands, laid face up, their scores, and the totals after them (seven_qiao §5).

    Attributes:
        own_scores: of each seat for itself.
        scores: the same, or of its side together.
    """

    hand_no: int
    hands: tuple[Cards, ...]
    kinds: tuple[Kind, ...]
    sums: tuple[int, ...]
    own_scores: tuple[int, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    next_dealer: Seat


class MatchEnded(Struct, frozen=True, kw_only=True, tag="seven_qiao.match_ended"):
    """The match is over: all seats with the highest total win, all with the lowest lose (seven_qiao §5)."""

    winners: tuple[Seat, ...]
    losers: tuple[Seat, ...]


Event = (
    HandDealt | Asked | TurnBegan | Offered | Taken | Declined | Passed | Stood | HandPlayed | HandScored | MatchEnded
)
