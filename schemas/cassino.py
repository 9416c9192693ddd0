"""The words of the fishing game on the wire: its actions and its events."""

from typing import Annotated

from msgspec import Meta, Struct

from schemas.cards import Card, Cards, Seat, SuitedCard
from schemas.sealed import Sealed

# --- actions (cassino §5) ----------------------------------------------------------------------------------------


class Take(Struct, frozen=True, tag="take", forbid_unknown_fields=True):
    """Take these cards of the table with a card of one's hand (cassino §5)."""

    card: SuitedCard
    cards: tuple[SuitedCard, ...]


class Build(Struct, frozen=True, tag="build", forbid_unknown_fields=True):
    """Lay a card of one's hand on these cards of the table, to take them all later (cassino §5)."""

    card: SuitedCard
    cards: tuple[SuitedCard, ...]


class Pass(Struct, frozen=True, tag="pass", forbid_unknown_fields=True):
    """Say that one can neither take nor build; draw a card if there is one (cassino §5)."""


class Trail(Struct, frozen=True, tag="trail", forbid_unknown_fields=True):
    """Lay a card of one's hand on the table (cassino §5)."""

    card: SuitedCard


Action = Take | Build | Pass | Trail


# --- events ------------------------------------------------------------------------------------------------------


class HandDealt(Struct, frozen=True, kw_only=True, tag="cassino.hand_dealt"):
    """The cards were dealt (cassino §3).

    Attributes:
        deck: the whole dealing order, slot `deck`; open to nobody.
        hands: the cards of each seat in the order received, slots `hand.0` and so on; open to it alone.
        table: the cards laid face up.
        stock: the rest, top first, slot `stock`; open to nobody.
    """

    hand_no: int
    dealer: Seat
    deck: Sealed[Cards]
    hands: tuple[Sealed[Cards], ...]
    table: Cards
    stock: Sealed[Cards]


class TurnBegan(Struct, frozen=True, kw_only=True, tag="cassino.turn_began"):
    """A seat is to act. `stuck`: how many turns in a row before it were passed or skipped (cassino §6)."""

    seat: Seat
    stuck: int


class Taken(Struct, frozen=True, kw_only=True, tag="cassino.taken"):
    """A seat took cards with a card of its hand; `build`: its own build is among them (cassino §5)."""

    seat: Seat
    card: Card
    cards: Cards
    build: bool


class Built(Struct, frozen=True, kw_only=True, tag="cassino.built"):
    """A seat laid a card on cards of the table, which it alone may take now (cassino §5)."""

    seat: Seat
    card: Card
    cards: Cards
    value: Annotated[int, Meta(ge=0, le=10)]


class Misplayed(Struct, frozen=True, kw_only=True, tag="cassino.misplayed"):
    """A seat showed a take that does not add up: one penalty point, and all goes back (cassino §5)."""

    seat: Seat
    card: Card
    cards: Cards


class Drew(Struct, frozen=True, kw_only=True, tag="cassino.drew"):
    """A seat that can do nothing drew a card of the stock, slot `drawn`, and lays one now (cassino §5)."""

    seat: Seat
    cards: Sealed[Cards]


class Passed(Struct, frozen=True, kw_only=True, tag="cassino.passed"):
    """A seat can do nothing, and there is no stock to draw from (cassino §5)."""

    seat: Seat


class Trailed(Struct, frozen=True, kw_only=True, tag="cassino.trailed"):
    """A seat laid a card on the table (cassino §5)."""

    seat: Seat
    card: Card


class BuildMissed(Struct, frozen=True, kw_only=True, tag="cassino.build_missed"):
    """A seat did not take its build in its turn: two penalty points; `released`: its cards are free now."""

    seat: Seat
    released: bool


class Refilled(Struct, frozen=True, kw_only=True, tag="cassino.refilled"):
    """The table was filled up from the stock, and then the hand of the taker, slot `drawn` (cassino §5)."""

    seat: Seat
    table: Cards
    drawn: Sealed[Cards]


class HandPlayed(Struct, frozen=True, kw_only=True, tag="cassino.hand_played"):
    """The hand has ended and is to be scored; `taker` gets what lies on the table, if anybody does (cassino §6)."""

    taker: Seat | None


class Side(Struct, frozen=True, kw_only=True):
    """What a seat, or a side of two, has made of a hand (cassino §7)."""

    cards: int
    spades: int
    points: int
    card_bonus: int
    spade_bonus: int
    penalty: int
    net: int


class HandScored(Struct, frozen=True, kw_only=True, tag="cassino.hand_scored"):
    """The scores of a hand, and the totals after it (cassino §6, §7).

    Attributes:
        leftovers: the penalty points of each seat for the cards left in its hand.
        sides: of each seat, or each side of two.
    """

    hand_no: int
    leftovers: tuple[int, ...]
    sides: tuple[Side, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    next_dealer: Seat


class MatchEnded(Struct, frozen=True, kw_only=True, tag="cassino.match_ended"):
    """The match is over; all seats with the highest total win (cassino §7)."""

    winners: tuple[Seat, ...]


Event = (
    HandDealt
    | TurnBegan
    | Taken
    | Built
    | Misplayed
    | Drew
    | Passed
    | Trailed
    | BuildMissed
    | Refilled
    | HandPlayed
    | HandScored
    | MatchEnded
)
