"""The words of Gongzhu on the wire: its actions and its events."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.actions import Remark
from schemas.cards import Card, Cards, Seat, Suit, SuitedCard
from schemas.sealed import Sealed

Mode = Literal["first", "open", "dark", "forced"]
"""How a card was exposed (gongzhu §4)."""

Place = Annotated[int, Meta(ge=0, le=3)]
"""A seat of this game, in an action."""

Choice = Annotated[tuple[SuitedCard, ...], Meta(min_length=1)]

Ruling = Literal["uphold", "reject", "adjust"]

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
    line: Remark | UnsetType = UNSET


class Accept(Struct, frozen=True, tag="accept", forbid_unknown_fields=True):
    """Accept a claim (gongzhu §6.1)."""


class Challenge(Struct, frozen=True, tag="challenge", forbid_unknown_fields=True):
    """Challenge a claim (gongzhu §6.1)."""


class Rule(Struct, frozen=True, tag="rule", forbid_unknown_fields=True):
    """Rule on a challenged claim (gongzhu §6.1). The house's action."""

    ruling: Ruling
    assign: Assignment | UnsetType = UNSET
    to: int | UnsetType = UNSET


class Penalty(Struct, frozen=True, tag="penalty", forbid_unknown_fields=True):
    """Give penalty points, normally below 0 (gongzhu §9). The house's action."""

    seat: Place
    points: int
    reason: Remark = ""


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


class DeckShuffled(Struct, frozen=True, kw_only=True, tag="gongzhu.deck_shuffled"):
    """The whole order of the deck was fixed; `cutter` cuts it (gongzhu §3.1). Slot `deck`, open to nobody."""

    hand_no: int
    dealer: Seat
    deck: Sealed[Cards]
    cutter: Seat


class DeckCut(Struct, frozen=True, kw_only=True, tag="gongzhu.deck_cut"):
    """So many cards went from the top of the deck to the bottom (gongzhu §3.1)."""

    seat: Seat
    at: int


class HandDealt(Struct, frozen=True, kw_only=True, tag="gongzhu.hand_dealt"):
    """The cards were dealt (gongzhu §3.1).

    Attributes:
        deck: the dealing order, slot `deck`; open to nobody.
        hands: the cards of each seat in the order received, slots `hand.0` to `hand.3`; with first exposing shut yet.
    """

    hand_no: int
    dealer: Seat
    deck: Sealed[Cards]
    hands: tuple[Sealed[Cards], ...]


class MisdealFound(Struct, frozen=True, kw_only=True, tag="gongzhu.misdeal_found"):
    """Some seats have too many cards, others too few; the seats not short are asked for consent (gongzhu §3.3)."""

    asked: tuple[Seat, ...]


class Consented(Struct, frozen=True, kw_only=True, tag="gongzhu.consented"):
    """A seat agreed, or not, to mend the misdeal (gongzhu §3.3)."""

    seat: Seat
    accept: bool


class DrawnBack(Struct, frozen=True, kw_only=True, tag="gongzhu.drawn_back"):
    """The house moved cards to the short seats: the hands after it, sealed as at the deal (gongzhu §3.3)."""

    hands: tuple[Sealed[Cards], ...]


class HandVoided(Struct, frozen=True, kw_only=True, tag="gongzhu.hand_voided"):
    """The deal was wrong; the dealer deals anew. `leader`, or who has the opening card, leads then (gongzhu §3.3)."""

    leader: Seat | None


class DealStood(Struct, frozen=True, kw_only=True, tag="gongzhu.deal_stood"):
    """The deal stands, and with it who leads (gongzhu §3.2).

    Attributes:
        leader: who leads the first trick, where that is public already (gongzhu §11).
        sealed_leader: the same where the opening card finds him and that is not public yet, slot `leader`.
        opening: the card that the leader must lead first (gongzhu §5.1).
    """

    leader: Seat | None = None
    sealed_leader: Sealed[Seat] | None = None
    opening: Card | None = None


class FirstCardsShown(Struct, frozen=True, kw_only=True, tag="gongzhu.first_cards_shown"):
    """Each seat sees the first card dealt to it, slots `first.0` to `first.3`, and may expose it (gongzhu §4)."""

    cards: tuple[Sealed[Card], ...]
    asked: tuple[Seat, ...]


class Answered(Struct, frozen=True, kw_only=True, tag="gongzhu.answered"):
    """A seat answered in a sealed expose phase; a pass and an exposure look the same to others (gongzhu §11)."""

    seat: Seat
    answer: Sealed[Answer]


class FirstExposed(Struct, frozen=True, kw_only=True, tag="gongzhu.first_exposed"):
    """First exposing is over: its exposures, and now each seat sees its whole hand (gongzhu §4)."""

    exposures: tuple[Exposure, ...]
    hands: tuple[Sealed[Cards], ...]


class ExposingBegan(Struct, frozen=True, kw_only=True, tag="gongzhu.exposing_began"):
    """These seats are asked what they expose. `sealed_leader` as of the deal, for who did not see its hand then."""

    asked: tuple[Seat, ...]
    sealed_leader: Sealed[Seat] | None = None


class Exposed(Struct, frozen=True, kw_only=True, tag="gongzhu.exposed"):
    """A seat answered in turn, openly but for `dark`, slot `dark`; `next` is asked now, if anyone (gongzhu §4)."""

    seat: Seat
    exposures: tuple[Exposure, ...]
    next: Seat | None
    dark: Sealed[Cards] | None = None


class PlayBegan(Struct, frozen=True, kw_only=True, tag="gongzhu.play_began"):
    """Exposing is over: all exposures but the dark ones, and who leads first (gongzhu §4, §5.1).

    `dark`, slots `dark.0` to `dark.3`, is what each seat exposed darkly; empty where nobody may.
    """

    leader: Seat
    exposures: tuple[Exposure, ...]
    dark: tuple[Sealed[Cards], ...] = ()


class Played(Struct, frozen=True, kw_only=True, tag="gongzhu.played", omit_defaults=True):
    """A seat played to the trick (gongzhu §5).

    Attributes:
        next: who plays next; after the last play of a trick its winner.
        breach: the discard was of the wrong colour (gongzhu §5.5).
        managed: this play makes the seat managed in this hand (gongzhu §8).
        exposures: the exposed ones among these cards; a dark one is known to all from here on.
    """

    seat: Seat
    cards: Cards
    next: Seat
    breach: bool = False
    managed: bool = False
    exposures: tuple[Exposure, ...] = ()


class TrickTaken(Struct, frozen=True, kw_only=True, tag="gongzhu.trick_taken"):
    """A trick is complete: its winner, the suit it opened, the point cards taken (gongzhu §5.2, §5.3, §5.5)."""

    winner: Seat
    suit: Suit
    captures: tuple[Capture, ...]


class SidesShown(Struct, frozen=True, kw_only=True, tag="gongzhu.sides_shown"):
    """Pig and sheep have been played: who stands with whom (gongzhu §8, §11)."""

    sides: tuple[tuple[Seat, ...], ...]


class Claimed(Struct, frozen=True, kw_only=True, tag="gongzhu.claimed"):
    """A seat showed its hand and said who gets each outstanding point card; `asked` answer (gongzhu §6.1)."""

    seat: Seat
    hand: Cards
    awards: tuple[tuple[Card, Seat], ...]
    asked: tuple[Seat, ...]
    line: str = ""


class ClaimAccepted(Struct, frozen=True, kw_only=True, tag="gongzhu.claim_accepted", omit_defaults=True):
    """A seat accepted the claim; `grace`: now all have, and may challenge it a last time (gongzhu §6.1)."""

    seat: Seat
    grace: bool = False


class ClaimChallenged(Struct, frozen=True, kw_only=True, tag="gongzhu.claim_challenged"):
    """A seat challenged the claim; the house rules on it, unless play is resumed at once (gongzhu §6.1)."""

    seat: Seat


class ClaimRuled(Struct, frozen=True, kw_only=True, tag="gongzhu.claim_ruled"):
    """The house ruled on the claim (gongzhu §6.1)."""

    ruling: Ruling


class PlayResumed(Struct, frozen=True, kw_only=True, tag="gongzhu.play_resumed"):
    """Play goes on as if there had been no claim, but for the hand that was shown (gongzhu §6.1)."""


class HandPlayed(Struct, frozen=True, kw_only=True, tag="gongzhu.hand_played", omit_defaults=True):
    """The hand has ended and is to be scored (gongzhu §6).

    Attributes:
        captures: the outstanding point cards, as a claim or a ruling gave them.
        exposures: what was exposed darkly and not played.
    """

    captures: tuple[Capture, ...] = ()
    exposures: tuple[Exposure, ...] = ()


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
    DeckShuffled
    | DeckCut
    | HandDealt
    | MisdealFound
    | Consented
    | DrawnBack
    | HandVoided
    | DealStood
    | FirstCardsShown
    | Answered
    | FirstExposed
    | ExposingBegan
    | Exposed
    | PlayBegan
    | Played
    | TrickTaken
    | SidesShown
    | Claimed
    | ClaimAccepted
    | ClaimChallenged
    | ClaimRuled
    | PlayResumed
    | HandPlayed
    | HandScored
    | MatchEnded
    | PenaltyGiven
)
