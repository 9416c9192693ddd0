"""The words of Piquet on the wire: its actions and its events."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.cards import Card, Cards, Seat, Suit
from schemas.sealed import Sealed

PiquetCard = Annotated[str, Meta(pattern="^[7-9TJQKA][shdc]$", max_length=2)]

Category = Literal["point", "sequence", "set"]
"""What is declared, in this order (piquet §4.2)."""

Part = Literal[
    "carte_blanche", "point", "sequence", "set", "lead", "capture", "last", "repique", "pique", "cards", "capot"
]
"""What a hand score is made of (piquet §5)."""


# --- actions (piquet §4) -----------------------------------------------------------------------------------------


class Discard(Struct, frozen=True, tag="discard", forbid_unknown_fields=True):
    """Discard these cards, and draw as many (piquet §4.1)."""

    cards: tuple[PiquetCard, ...]


class Declare(Struct, frozen=True, tag="declare", forbid_unknown_fields=True):
    """Declare what one holds; a point names its suit (piquet §4.1, §4.2)."""

    what: Literal["carte_blanche", "point", "sequence", "set"]
    suit: Suit | UnsetType = UNSET


class Pass(Struct, frozen=True, tag="pass", forbid_unknown_fields=True):
    """Declare nothing (piquet §4.2)."""


class Play(Struct, frozen=True, tag="play", forbid_unknown_fields=True):
    """Play a card to the trick (piquet §4.3)."""

    cards: tuple[PiquetCard]


Action = Discard | Declare | Pass | Play


# --- events ------------------------------------------------------------------------------------------------------


class HandDealt(Struct, frozen=True, kw_only=True, tag="piquet.hand_dealt"):
    """The cards were dealt (piquet §3).

    Attributes:
        deck: the whole dealing order, slot `deck`; open to nobody.
        hands: the cards of each seat in the order received, slots `hand.0` and so on; open to it alone.
        talon: the last eight cards, top first, slot `talon`; open to nobody.
    """

    hand_no: int
    dealer: Seat
    deck: Sealed[Cards]
    hands: tuple[Sealed[Cards], ...]
    talon: Sealed[Cards]


class HandShown(Struct, frozen=True, kw_only=True, tag="piquet.hand_shown"):
    """A seat with carte blanche showed its dealt hand, or, where that lies open, what it has after its exchange."""

    seat: Seat
    cards: Cards
    open: bool


class Exchanged(Struct, frozen=True, kw_only=True, tag="piquet.exchanged"):
    """A seat discarded, and drew as many cards from the top of the talon (piquet §4.1).

    Attributes:
        discards: slot `discards`, for the seat alone, as are the following.
        drawn: slot `drawn`.
        seen: the cards of the talon that elder leaves and looks at, slot `seen` (piquet §8).
        next: who exchanges next; None when both have.
    """

    seat: Seat
    discards: Sealed[Cards]
    drawn: Sealed[Cards]
    seen: Sealed[Cards]
    next: Seat | None


class DeclaringBegan(Struct, frozen=True, kw_only=True, tag="piquet.declaring_began"):
    """A category is to be declared, by this seat first (piquet §4.2)."""

    what: Category
    seat: Seat


class Declared(Struct, frozen=True, kw_only=True, tag="piquet.declared"):
    """A seat declared a category: the suit, all its runs or all its sets; `next` is asked now, if anyone."""

    seat: Seat
    what: Category
    groups: tuple[Cards, ...]
    next: Seat | None


class Passed(Struct, frozen=True, kw_only=True, tag="piquet.passed"):
    """A seat declared nothing in this category; `next` is asked now, if anyone."""

    seat: Seat
    what: Category
    next: Seat | None


class CategoryDecided(Struct, frozen=True, kw_only=True, tag="piquet.category_decided"):
    """Who won the category; nobody where none was declared, or equal ones (piquet §4.2)."""

    what: Category
    winner: Seat | None


class Scored(Struct, frozen=True, kw_only=True, tag="piquet.scored"):
    """A seat scored points (piquet §5)."""

    seat: Seat
    part: Part
    points: int


class PlayBegan(Struct, frozen=True, kw_only=True, tag="piquet.play_began"):
    """All is declared, and this seat leads (piquet §4.3)."""

    leader: Seat


class Played(Struct, frozen=True, kw_only=True, tag="piquet.played"):
    """A seat played a card; `next` plays now: after a lead the other seat, then the winner of the trick."""

    seat: Seat
    card: Card
    next: Seat


class TrickTaken(Struct, frozen=True, kw_only=True, tag="piquet.trick_taken"):
    """A trick is complete (piquet §4.3)."""

    winner: Seat


class HandPlayed(Struct, frozen=True, kw_only=True, tag="piquet.hand_played"):
    """The last trick is taken, and the hand is to be scored."""


class HandScored(Struct, frozen=True, kw_only=True, tag="piquet.hand_scored"):
    """The scores of a hand, and the totals after it (piquet §5, §6)."""

    hand_no: int
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    next_dealer: Seat


class MatchEnded(Struct, frozen=True, kw_only=True, tag="piquet.match_ended"):
    """The match is over; both win where it is a draw (piquet §6). `settlement` is for a partie only."""

    winners: tuple[Seat, ...]
    settlement: tuple[int, ...] | None


Event = (
    HandDealt
    | HandShown
    | Exchanged
    | DeclaringBegan
    | Declared
    | Passed
    | CategoryDecided
    | Scored
    | PlayBegan
    | Played
    | TrickTaken
    | HandPlayed
    | HandScored
    | MatchEnded
)
