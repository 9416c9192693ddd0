"""The words of Fifty-K on the wire: its actions and its events."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.cards import Cards, Seat, SuitedCard
from schemas.sealed import Sealed

Kind = Literal[
    "single",
    "pair",
    "straight",
    "straight_flush",
    "triple",
    "triple_with_1",
    "triple_with_2",
    "pair_run",
    "triple_run",
    "triple_run_with_1",
    "triple_run_with_2",
    "bomb_510k",
    "bomb",
]
"""The kinds of combinations (fifty_k §3)."""

Result = Literal["double_catch", "single_catch", "hold"]
"""How a hand ended for the side of the first finisher (fifty_k §6)."""

# --- actions (fifty_k §5) ----------------------------------------------------------------------------------------


class Play(Struct, frozen=True, tag="play", forbid_unknown_fields=True, rename={"kind": "as"}):
    """Play a combination; `as` names its kind where the cards can be several."""

    cards: Annotated[tuple[SuitedCard, ...], Meta(min_length=1)]
    kind: str | UnsetType = UNSET


class Pass(Struct, frozen=True, tag="pass", forbid_unknown_fields=True):
    """Play nothing. `auto` counts only where the service itself says so (fifty_k §10)."""

    auto: bool = False


Action = Play | Pass


# --- events ------------------------------------------------------------------------------------------------------


class HandDealt(Struct, frozen=True, kw_only=True, tag="fifty_k.hand_dealt"):
    """The cards were dealt (fifty_k §2).

    Attributes:
        deck: the whole dealing order, slot `deck`; open to nobody.
        hands: the cards of each seat in the order received, slots `hand.0` and so on; open to it alone.
        opening: the first lead must hold the 3s.
    """

    hand_no: int
    first_receiver: Seat
    leader: Seat
    deck: Sealed[Cards]
    hands: tuple[Sealed[Cards], ...]
    opening: bool = False


class Played(Struct, frozen=True, kw_only=True, tag="fifty_k.played"):
    """A seat played a combination, which is now the one to beat (fifty_k §7).

    Attributes:
        combo: the combination without suits (fifty_k §13).
        finished: it was the seat's last.
        next: who may answer; None where the trick, or the hand, is over.
    """

    seat: Seat
    cards: Cards
    kind: Kind
    combo: str
    finished: bool
    next: Seat | None


class Passed(Struct, frozen=True, kw_only=True, tag="fifty_k.passed"):
    """A seat played nothing; `next` may, None where the trick is over (fifty_k §5)."""

    seat: Seat
    next: Seat | None


class TrickTaken(Struct, frozen=True, kw_only=True, tag="fifty_k.trick_taken"):
    """Nobody beats the last play: its seat captures the points, and `leader` leads (fifty_k §5)."""

    winner: Seat
    points: int
    leader: Seat


class HandPlayed(Struct, frozen=True, kw_only=True, tag="fifty_k.hand_played"):
    """Both partners of a side are finished (fifty_k §6).

    Attributes:
        ender: whose play ended it; he captures the points of the trick.
        points: those points.
        hands: what the others still hold, turned up.
    """

    ender: Seat
    points: int
    hands: tuple[Cards, ...]


class HandScored(Struct, frozen=True, kw_only=True, tag="fifty_k.hand_scored"):
    """The scores of a hand, and the totals after it (fifty_k §8).

    Attributes:
        unplayed: the points in each seat's unplayed cards.
        scores: of each seat, that of its side; `totals` likewise.
    """

    hand_no: int
    result: Result
    unplayed: tuple[int, ...]
    side_scores: tuple[int, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    next_leader: Seat


class MatchEnded(Struct, frozen=True, kw_only=True, tag="fifty_k.match_ended"):
    """The match is over: the seats of a side win, or all where it is a draw (fifty_k §9)."""

    winners: tuple[Seat, ...]


Event = HandDealt | Played | Passed | TrickTaken | HandPlayed | HandScored | MatchEnded
