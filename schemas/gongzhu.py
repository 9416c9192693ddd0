"""The words of Gongzhu on the wire: its actions and its events."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.cards import Card, Cards, Seat, Suit, SuitedCard
from schemas.sealed import Sealed

Mode = Literal["first", "open", "dark", "forced"]
"""How a card was exposed (gongzhu §4)."""

Place = Annotated[int, Meta(ge=0, le=3)]
"""A seat of this game, in an action."""

Choice = Annotated[tuple[SuitedCard, ...], Meta(min_length=1)]

Assignment = tuple[tuple[SuitedCard, int], ...]
"""Who gets which outstanding point card, in a claim or a ruling."""


# --- actions (gongzhu §10) ---------------------------------------------------------------------------------------


class Cut(Struct, frozen=True, tag="cut", forbid_unknown_fields=True):
    """Cut the deck: so many cards go from the top to the bottom (gongzhu §3.1)."""

    at: int


class Consent(Struct, frozen=True, tag="consent", forbid_unknown_fields=True):
    """Agree, or not, to mend a misdeal (gongzhu §3.3)."""

    accept: bool


class Move(Struct, frozen=True, forbid_unknown_fields=True, rename={"source": "from", "target": "to"}):
    """One card of a misdeal that goes from one seat to another."""

    source: Place
    target: Place
    card: SuitedCard


class DrawBack(Struct, frozen=True, tag="draw_back", forbid_unknown_fields=True):
    """Mend a misdeal by these moves (gongzhu §3.3). The house's action."""

    moves: tuple[Move, ...]


class Expose(Struct, frozen=True, tag="expose", forbid_unknown_fields=True):
    """Expose these cards (gongzhu §4)."""

    cards: Choice
    dark: bool = False


class Pass(Struct, frozen=True, tag="pass", forbid_unknown_fields=True):
    """Expose nothing (gongzhu §4)."""


class Play(Struct, frozen=True, tag="play", forbid_unknown_fields=True):
    """Play to the trick (gongzhu §5)."""

    cards: Choice


class Claim(Struct, frozen=True, tag="claim", forbid_unknown_fields=True):
    """Say who gets the outstanding point cards, showing one's hand (gongzhu §6.1)."""

    assign: Assignment | UnsetType = UNSET
    to: int | UnsetType = UNSET
    line: str | UnsetType = UNSET


class Accept(Struct, frozen=True, tag="accept", forbid_unknown_fields=True):
    """Accept a claim (gongzhu §6.1)."""


class Challenge(Struct, frozen=True, tag="challenge", forbid_unknown_fields=True):
    """Challenge a claim (gongzhu §6.1)."""


class Rule(Struct, frozen=True, tag="rule", forbid_unknown_fields=True):
    """Rule on a challenged claim (gongzhu §6.1). The house's action."""

    ruling: Literal["uphold", "reject", "adjust"]
    assign: Assignment | UnsetType = UNSET
    to: int | UnsetType = UNSET


class Penalty(Struct, frozen=True, tag="penalty", forbid_unknown_fields=True):
    """Give penalty points, normally below 0 (gongzhu §9). The house's action."""

    seat: Place
    points: int
    reason: str = ""


Action = Cut | Consent | DrawBack | Expose | Pass | Play | Claim | Accept | Challenge | Rule | Penalty


# --- events ------------------------------------------------------------------------------------------------------


class Exposure(Struct, frozen=True, array_like=True):
    """One exposed card, the seat that was dealt it, and its mode (gongzhu §4)."""

    card: Card
    seat: Seat
    mode: Mode


class Answer(Struct, frozen=True):
    """What a seat exposes; no cards is a pass (gongzhu §4)."""

    cards: Cards = ()
    dark: bool = False


class Capture(Struct, frozen=True, array_like=True):
    """One point card that was taken: who took it, to whom it was dealt, and how it was exposed, if it was."""

    card: Card
    taker: Seat
    owner: Seat
    mode: Mode | None = None


class HandDealt(Struct, frozen=True, kw_only=True, tag="gongzhu.hand_dealt"):
    """The whole order of the deck was fixed, and the cards were dealt (gongzhu §3.1).

    Attributes:
        deck: the dealing order, slot `deck`; open to nobody.
        hands: each seat's cards in the order received, slots `hand.0` to `hand.3`.
        asked: the seats whose answer to exposing is waited for first; empty where nobody is asked.
        leader: who leads the first trick, where that is public from the deal on (gongzhu §11); None for a void hand.
        sealed_leader: the same where it is found by the opening card and not yet public, slot `leader`.
        opening: the card that the leader must lead first (gongzhu §5.1).
    """

    hand_no: int
    dealer: Seat
    deck: Sealed[Cards]
    hands: tuple[Sealed[Cards], ...]
    asked: tuple[Seat, ...] = ()
    leader: Seat | None = None
    sealed_leader: Sealed[Seat] | None = None
    opening: Card | None = None


class HandVoided(Struct, frozen=True, kw_only=True, tag="gongzhu.hand_voided"):
    """The deal was wrong; the same dealer deals this hand again (gongzhu §3.3).

    `leader` leads it then, None where the opening card will say.
    """

    leader: Seat | None


class Answered(Struct, frozen=True, kw_only=True, tag="gongzhu.answered"):
    """A seat answered in a sealed expose phase; a pass and an exposure look the same to others (gongzhu §11)."""

    seat: Seat
    answer: Sealed[Answer]


class Exposed(Struct, frozen=True, kw_only=True, tag="gongzhu.exposed"):
    """A seat answered in turn, open to all; `next` is asked now, None when all have answered (gongzhu §4)."""

    seat: Seat
    answer: Answer
    exposures: tuple[Exposure, ...]
    next: Seat | None


class PlayBegan(Struct, frozen=True, kw_only=True, tag="gongzhu.play_began"):
    """Exposing is over: the exposures of the hand, forced ones too, and who leads first (gongzhu §4, §5.1)."""

    leader: Seat
    exposures: tuple[Exposure, ...]


class Played(Struct, frozen=True, kw_only=True, tag="gongzhu.played", omit_defaults=True):
    """A seat played to the trick (gongzhu §5).

    Attributes:
        next: who plays next; after the last play of a trick its winner.
        breach: the discard was of the wrong colour (gongzhu §5.5).
        managed: this play makes the seat managed in this hand (gongzhu §8).
    """

    seat: Seat
    cards: Cards
    next: Seat
    breach: bool = False
    managed: bool = False


class TrickTaken(Struct, frozen=True, kw_only=True, tag="gongzhu.trick_taken"):
    """A trick is complete: its winner, the suit it opened, the point cards taken (gongzhu §5.2, §5.3, §5.5)."""

    winner: Seat
    suit: Suit
    captures: tuple[Capture, ...]


class HandPlayed(Struct, frozen=True, kw_only=True, tag="gongzhu.hand_played"):
    """The hand has ended and is to be scored (gongzhu §6)."""


class HandScored(Struct, frozen=True, kw_only=True, tag="gongzhu.hand_scored"):
    """The scores of a hand and the running totals after it (gongzhu §7 to §9).

    Attributes:
        sides: the seats of each side; None without partners.
        scores: of each seat, before sides and zero-sum.
        final: what each seat's total changes by.
        next_dealer: deals the next hand; None where that hangs on a pig that nobody took.
        next_leader: leads the next hand; None where the opening card will say.
    """

    hand_no: int
    sides: tuple[tuple[Seat, ...], ...] | None
    scores: tuple[int, ...]
    side_scores: tuple[int, ...] | None
    final: tuple[int, ...]
    raw_totals: tuple[int, ...]
    totals: tuple[int, ...]
    next_dealer: Seat | None
    next_leader: Seat | None


class MatchEnded(Struct, frozen=True, kw_only=True, tag="gongzhu.match_ended"):
    """The match is over (gongzhu §9). Given anew when a penalty comes after it.

    Attributes:
        ranking: the seats from best to worst, those of equal rank together.
        match_final: totals and penalty points.
        next_dealer: who shuffles for a following match.
    """

    winners: tuple[Seat, ...]
    pigs: tuple[Seat, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    match_final: tuple[int, ...]
    next_dealer: Seat


class PenaltyGiven(Struct, frozen=True, kw_only=True, tag="gongzhu.penalty_given"):
    """The house gave penalty points; they count at the end of the match (gongzhu §9)."""

    seat: Seat
    points: int
    reason: str = ""


Event = (
    HandDealt
    | HandVoided
    | Answered
    | Exposed
    | PlayBegan
    | Played
    | TrickTaken
    | HandPlayed
    | HandScored
    | MatchEnded
    | PenaltyGiven
)
