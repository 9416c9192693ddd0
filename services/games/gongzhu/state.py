"""The state of a match of Gongzhu: one Struct for each phase (gongzhu §3)."""

from typing import assert_never

from msgspec import Struct

from schemas.cards import PACK, Card, Cards, Seat
from schemas.gongzhu import Answer, Capture, Claimed, Exposure, HandScored, MatchEnded, Played
from schemas.log import Due
from services.games.game import DONE
from services.games.gongzhu.options import SEATS, Options
from services.games.shared.cards import in_order
from services.games.shared.state import Ended, Unscored

PIG, HEART_ACE, SHEEP, TRANSFORMER = "Qs", "Ah", "Jd", "Tc"
EXPOSABLE: Cards = (PIG, HEART_ACE, SHEEP, TRANSFORMER)
"""The special cards in canonical order (gongzhu §1)."""

ALL_SEATS = tuple(range(SEATS))

POINT_CARDS: Cards = tuple(card for card in PACK if card[1] == "h" or card in (PIG, SHEEP, TRANSFORMER))
"""The 16 分牌 of one deck in canonical order (gongzhu §1)."""


class Deal(Struct, frozen=True, kw_only=True):
    """A deal: who dealt which hand of the match, and the cards of each seat in the order received.

    `leader` leads the first trick; None where the opening card will say.
    """

    hand_no: int
    dealer: Seat
    leader: Seat | None
    hands: tuple[Cards, ...] = ((),) * SEATS


class Hand(Struct, frozen=True, kw_only=True):
    """One hand of a deal that stands: what the deal fixed, and what has come of it.

    Attributes:
        leader: of the first trick; who knows it, and when, says gongzhu §11.
        opening: the card that must be led first.
        held: the cards still in each hand, in canonical order.
        exposed: the exposures in the order of time, dark ones too.
        unplayed: those of them whose card has not been played.
        unopened: the suits that have not been led in a complete trick (gongzhu §5.3).
        captures: the point cards taken, in the order of time.
        winners: of the complete tricks.
        breaches: trick number from 1 and seat of each discard of a wrong colour.
        managed: the seats managed in this hand (gongzhu §8).
        claimed: the seats that have claimed, and so shown their hands.
        sides: who stands with whom, once that is public of the pig-and-sheep sides (gongzhu §11).
    """

    deal: Deal
    leader: Seat
    opening: Card | None
    held: tuple[Cards, ...]
    exposed: tuple[Exposure, ...] = ()
    unplayed: tuple[Exposure, ...] = ()
    unopened: str = "shdc"
    captures: tuple[Capture, ...] = ()
    winners: tuple[Seat, ...] = ()
    breaches: tuple[tuple[int, Seat], ...] = ()
    managed: tuple[bool, ...] = (False,) * SEATS
    claimed: tuple[Seat, ...] = ()
    sides: tuple[tuple[Seat, ...], ...] | None = None


def bare(deal: Deal) -> Hand:
    """The hand of a deal that does not stand, or not yet: nothing has come of it."""
    return Hand(deal=deal, leader=deal.dealer, opening=None, held=tuple(map(in_order, deal.hands)))


class Between(Struct, frozen=True, kw_only=True):
    """No hand is in play, and the next one is to be dealt.

    Attributes:
        hand_no: of the next hand.
        dealer: of the next hand; None where that hangs on a pig that nobody took.
        leader: of the next hand; None where the opening card will say.
        last: the hand before; None before the first.
        result: its scores; None before the first and after a void one.
        void: the hand before was void.
    """

    hand_no: int
    dealer: Seat | None
    leader: Seat | None
    last: Hand | None = None
    result: HandScored | None = None
    void: bool = False


class Cutting(Struct, frozen=True, kw_only=True):
    """The deck is shuffled, and `cutter` cuts it."""

    deal: Deal
    deck: Cards
    cutter: Seat


class Cut(Struct, frozen=True, kw_only=True):
    """The deck is cut, and is to be dealt in this order."""

    deal: Deal
    deck: Cards


class Dealt(Struct, frozen=True, kw_only=True):
    """The cards are dealt; what follows from it is told by the next event."""

    deal: Deal


class Misdealt(Struct, frozen=True, kw_only=True):
    """Wrong counts: the seats `asked` have yet to consent to mend it; when all have, the house draws back."""

    deal: Deal
    asked: tuple[Seat, ...]


class FirstExposing(Struct, frozen=True, kw_only=True):
    """Each seat answers whether it exposes the first card dealt to it."""

    hand: Hand
    asked: tuple[Seat, ...]
    answers: tuple[Answer | None, ...] = (None,) * SEATS


class Exposing(Struct, frozen=True, kw_only=True):
    """The seats answer whether they expose; `asked` are those waited for, `answers` what the others have said."""

    hand: Hand
    asked: tuple[Seat, ...]
    answers: tuple[Answer | None, ...] = (None,) * SEATS


class Playing(Struct, frozen=True, kw_only=True):
    """Tricks are played: whose turn it is, and the plays to the trick on the table."""

    hand: Hand
    turn: Seat
    trick: tuple[Played, ...] = ()


class Claiming(Struct, frozen=True, kw_only=True):
    """A claim lies on the table, and `asked` have yet to answer it; play would go on with `turn`."""

    hand: Hand
    turn: Seat
    claim: Claimed
    asked: tuple[Seat, ...]


class Grace(Struct, frozen=True, kw_only=True):
    """All have accepted a claim; until the house closes the hand, they may challenge it."""

    hand: Hand
    turn: Seat
    claim: Claimed


class Disputed(Struct, frozen=True, kw_only=True):
    """A claim was challenged, and the house must rule on it."""

    hand: Hand
    turn: Seat
    claim: Claimed


Phase = (
    Between
    | Cutting
    | Cut
    | Dealt
    | Misdealt
    | FirstExposing
    | Exposing
    | Playing
    | Claiming
    | Grace
    | Disputed
    | Unscored[Hand]
    | Ended[Hand, HandScored, MatchEnded]
)


class State(Struct, frozen=True, kw_only=True):
    """A match of Gongzhu. `raw_totals` count scores before zero-sum; `penalties` count at the end of the match."""

    options: Options
    phase: Phase
    raw_totals: tuple[int, ...] = (0,) * SEATS
    totals: tuple[int, ...] = (0,) * SEATS
    penalties: tuple[int, ...] = (0,) * SEATS


def begin(options: Options, _seats: int) -> State:
    """The match before its first hand."""
    leader = options.first_dealer if options.leader_rule == "rotate" else None  # gongzhu §5.1
    return State(options=options, phase=Between(hand_no=1, dealer=options.first_dealer, leader=leader))


def phase(state: State) -> str:
    """The name of the phase (gongzhu §3); `done` where no hand is in play."""
    match state.phase:
        case Playing():
            return "play"
        case Cutting() | Cut():
            return "cut"
        case Misdealt(asked=asked):
            return "misdeal" if asked else "misdeal_fix"
        case FirstExposing():
            return "first_expose"
        case Exposing():
            return "expose"
        case Claiming():
            return "claim"
        case Grace():
            return "claim_grace"
        case Disputed():
            return "referee"
        case Between() | Dealt() | Unscored() | Ended():
            return DONE
        case _:
            assert_never(state.phase)


def due(state: State) -> Due:
    """Who must decide next."""
    match state.phase:
        case Playing():
            return (state.phase.turn,)
        case FirstExposing() | Exposing() | Claiming():
            return state.phase.asked
        case Cutting(cutter=cutter):
            return (cutter,)
        case Misdealt(asked=asked):
            return asked or "house"
        case Grace() | Disputed():
            return "house"
        case Between() | Cut() | Dealt():
            return "dealer"
        case Unscored():
            return "scorer"
        case Ended():
            return "none"
        case _:
            assert_never(state.phase)


def hand_of(state: State) -> Hand | None:
    """The hand in play, or else the last one dealt; None before the first."""
    match state.phase:
        case Playing() | FirstExposing() | Exposing() | Claiming() | Grace() | Disputed() | Unscored():
            return state.phase.hand
        case Between() | Ended():
            return state.phase.last
        case Cutting(deal=deal) | Cut(deal=deal) | Dealt(deal=deal) | Misdealt(deal=deal):
            return bare(deal)
        case _:
            assert_never(state.phase)


def result_of(state: State) -> HandScored | None:
    """The scores of the last hand; None while a hand is in play, and before the first."""
    return state.phase.result if isinstance(state.phase, (Between, Ended)) else None


def outcome_of(state: State) -> MatchEnded | None:
    """What came of the match; None while it goes on."""
    return state.phase.outcome if isinstance(state.phase, Ended) else None


def stands(state: State) -> bool:
    """Whether the hand in play, or the last one, is of a deal that stands (gongzhu §3.2)."""
    match state.phase:
        case Between(last=last, void=void):
            return last is not None and not void
        case Cutting() | Cut() | Dealt() | Misdealt():
            return False
        case _:
            return True


def hands_are_shut(state: State) -> bool:
    """Whether no seat sees its hand yet, since it is to answer of its first card alone (gongzhu §4)."""
    return state.options.first_expose and isinstance(state.phase, (Dealt, Misdealt, FirstExposing))
