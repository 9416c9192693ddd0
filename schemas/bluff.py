"""The words of Bluff on the wire: its actions and its events."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from schemas.cards import Card, Cards, Seat
from schemas.sealed import Sealed

Rank = str
"""A rank as it is claimed: A 2 … K, or X for jokers where they have a rank of their own (bluff §3)."""

# --- actions (bluff §3) ------------------------------------------------------------------------------------------


class Play(Struct, frozen=True, tag="play", forbid_unknown_fields=True):
    """Play cards face down and claim that all are of a rank; which rank may be claimed is judged late (bluff §9)."""

    cards: tuple[Card, ...]
    rank: Any | UnsetType = UNSET


class Challenge(Struct, frozen=True, tag="challenge", forbid_unknown_fields=True):
    """Doubt the last play (bluff §4)."""


class Pass(Struct, frozen=True, tag="pass", forbid_unknown_fields=True):
    """Leave the last play to the next seat (bluff §4)."""


Action = Play | Challenge | Pass


# --- events ------------------------------------------------------------------------------------------------------


class HandDealt(Struct, frozen=True, kw_only=True, tag="bluff.hand_dealt"):
    """The cards were dealt (bluff §2).

    Attributes:
        deck: the whole dealing order, slot `deck`; open to nobody.
        hands: the cards of each seat in the order received, slots `hand.0` and so on; open to it alone.
    """

    hand_no: int
    leader: Seat
    deck: Sealed[Cards]
    hands: tuple[Sealed[Cards], ...]


class Played(Struct, frozen=True, kw_only=True, tag="bluff.played"):
    """A seat played cards face down; who they are is open to it alone (bluff §3).

    Attributes:
        rank: what is claimed; None where no rank is named.
        next: who answers.
    """

    seat: Seat
    cards: Sealed[Cards]
    rank: Rank | None
    next: Seat


class WentOut(Struct, frozen=True, kw_only=True, tag="bluff.went_out"):
    """The last play of a seat without cards stands: it is out (bluff §5)."""

    seat: Seat


class Challenged(Struct, frozen=True, kw_only=True, tag="bluff.challenged"):
    """The last play was turned up (bluff §4).

    Attributes:
        seat: whose play it was, challenged `by` another.
        cards: the turned cards, open to all.
        true: whether they are what was claimed.
        taker: who takes the cards `taken`, which are open to him alone.
        removed: how many cards of the pile left the hand unseen.
    """

    seat: Seat
    by: Seat
    cards: Cards
    rank: Rank | None
    true: bool
    taker: Seat
    taken: Sealed[Cards]
    removed: int


class Passed(Struct, frozen=True, kw_only=True, tag="bluff.passed"):
    """A seat left the last play to the next seat; None where all have (bluff §4)."""

    seat: Seat
    next: Seat | None


class RoundEnded(Struct, frozen=True, kw_only=True, tag="bluff.round_ended"):
    """A round is over; what still lay in the pile has left the hand unseen (bluff §4)."""

    removed: int
    leader: Seat


class HandPlayed(Struct, frozen=True, kw_only=True, tag="bluff.hand_played"):
    """The hand is over: all seats in order of their places, the coward last (bluff §5)."""

    finish_order: tuple[Seat, ...]


class HandScored(Struct, frozen=True, kw_only=True, tag="bluff.hand_scored"):
    """The scores of a hand, and the totals after it (bluff §6)."""

    hand_no: int
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    next_leader: Seat


class MatchEnded(Struct, frozen=True, kw_only=True, tag="bluff.match_ended"):
    """The match is over; where it is a draw, all with the highest total win (bluff §6)."""

    winners: tuple[Seat, ...]


Event = HandDealt | Played | WentOut | Challenged | Passed | RoundEnded | HandPlayed | HandScored | MatchEnded
