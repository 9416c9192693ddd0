"""The words of the three poker games on the wire: their actions and their events."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from schemas.cards import Card, Cards, Seat
from schemas.sealed import Sealed

Amount = Annotated[int, Meta(ge=1)]
"""A seat's total in the round after the action, in chips (poker §3)."""

Chips = tuple[int, ...]
"""A number of chips for each seat of the match."""


# --- actions (poker §3) ------------------------------------------------------------------------------------------


class Fold(Struct, frozen=True, tag="fold", forbid_unknown_fields=True):
    """Give up; what was put in stays."""


class Check(Struct, frozen=True, tag="check", forbid_unknown_fields=True):
    """Pass, where there is nothing to call."""


class Call(Struct, frozen=True, tag="call", forbid_unknown_fields=True):
    """Match the amount to match, or put in the whole stack if it is smaller."""


class Bet(Struct, frozen=True, tag="bet", forbid_unknown_fields=True):
    """The first wager of a round."""

    amount: Amount


class Raise(Struct, frozen=True, tag="raise", forbid_unknown_fields=True):
    """Increase the amount to match."""

    amount: Amount


class AllIn(Struct, frozen=True, tag="all_in", forbid_unknown_fields=True):
    """Put in all chips, as a call, bet or raise; in show hand the table limit."""


class BringIn(Struct, frozen=True, tag="bring_in", forbid_unknown_fields=True):
    """Post the bring-in (seven_card_stud, One hand)."""


class Complete(Struct, frozen=True, tag="complete", forbid_unknown_fields=True):
    """Make the first bet over a bring-in (seven_card_stud, One hand)."""

    amount: Amount


Action = Fold | Check | Call | Bet | Raise | AllIn | BringIn | Complete
Verb = Literal["fold", "check", "call", "bet", "raise", "all_in", "bring_in", "complete"]

BlindKind = Literal["small", "big", "ante"]

Category = Literal[
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
]
"""What five cards make, low to high (poker §2)."""


# --- events ------------------------------------------------------------------------------------------------------


class Positions(Struct, frozen=True, omit_defaults=True):
    """Who holds the button, and at whose places the blinds are, where there are blinds; a place may be empty."""

    dealer: Seat
    small: Seat | None = None
    big: Seat | None = None


class Round(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A betting round as it stands (poker §4).

    Attributes:
        opener: who is first to act, or would be with chips.
        waiting: the seats that are still to act, in order; empty when the round is over.
        bets: chips of each seat in this round.
        to_match: the amount to match.
        size: the bet size of the round, or without a limit the minimum bet.
        bigger: a larger bet size that may be chosen instead (seven_card_stud, open pair); 0 for none.
        step: size of the last full bet or raise, where there is no limit.
        base: the last full level, where there is a limit.
        raises: how many there were.
        acted: the seats that acted since the last full bet or raise.
        aggressor: who bet or raised last.
        bring_in: what the seat that is asked first must bring in; 0 where it need not, or has.
        completing: there is only a bring-in so far, and the next bet completes it.
        closed: a show hand was declared.
    """

    opener: Seat
    waiting: tuple[Seat, ...]
    bets: Chips
    size: int
    bigger: int = 0
    to_match: int = 0
    step: int = 0
    base: int = 0
    raises: int = 0
    acted: tuple[Seat, ...] = ()
    aggressor: Seat | None = None
    bring_in: int = 0
    completing: bool = False
    closed: bool = False


class HandDealt(Struct, frozen=True, kw_only=True, tag="poker.hand_dealt", omit_defaults=True):
    """The whole order of the deck was fixed, and the first cards were dealt.

    Attributes:
        seats: those dealt in, in dealing order: from left of the dealer.
        deck: the dealing order, burn cards included, slot `deck`; open to nobody.
        down: the face-down cards of each seat dealt in, slots `hand.0` and so on.
        up: their face-up cards, where the game deals any.
    """

    hand_no: int
    positions: Positions
    seats: tuple[Seat, ...]
    deck: Sealed[Cards]
    down: tuple[Sealed[Cards], ...]
    up: tuple[Cards, ...] = ()


class AntesPosted(Struct, frozen=True, kw_only=True, tag="poker.antes_posted"):
    """Every seat dealt in paid its ante, or what it had."""

    amounts: Chips


class BlindPosted(Struct, frozen=True, kw_only=True, tag="poker.blind_posted"):
    """A seat posted a blind, or the big blind's ante, which is dead money of the main pot (texas_holdem, One hand)."""

    seat: Seat
    kind: BlindKind
    amount: int


class RoundOpened(Struct, frozen=True, kw_only=True, tag="poker.round_opened"):
    """A betting round began, blinds included; nobody may be left to act in it."""

    round: Round


class Acted(Struct, frozen=True, kw_only=True, tag="poker.acted", omit_defaults=True):
    """A seat acted (poker §3, §4).

    Attributes:
        paid: the chips it put in.
        to: its total in the round.
        all_in: it has no chips left.
        level: of a bet or raise: 0 the bet, 1 a raise, 2 a re-raise and so on.
        round: the round after it.
    """

    seat: Seat
    verb: Verb
    paid: int = 0
    to: int = 0
    all_in: bool = False
    level: int | None = None
    round: Round


class UncalledReturned(Struct, frozen=True, kw_only=True, tag="poker.uncalled_returned"):
    """What nobody could or would match went back (poker §5)."""

    seat: Seat
    amount: int


class StreetDealt(Struct, frozen=True, kw_only=True, tag="poker.street_dealt", omit_defaults=True):
    """The next cards were dealt from the recorded deck.

    Attributes:
        street: how many rounds of cards there were before.
        burned: cards that went from the deck unseen.
        board: cards that belong to everybody.
        seats: those that got a card each, in dealing order.
        up: these cards, where they are dealt face up.
        down: these cards, where they are dealt face down, slots `card.0` and so on.
    """

    street: int
    burned: int = 0
    board: Cards = ()
    seats: tuple[Seat, ...] = ()
    up: Cards = ()
    down: tuple[Sealed[Cards], ...] = ()


class Best(Struct, frozen=True):
    """The best five cards, as written in poker §2."""

    category: Category
    cards: Cards


class Shown(Struct, frozen=True):
    """A seat's face-down cards turned up, with what they make when all cards are dealt."""

    seat: Seat
    cards: tuple[Card, ...]
    best: Best | None = None


class HandsShown(Struct, frozen=True, kw_only=True, tag="poker.hands_shown"):
    """Seats showed their hands, in this order (poker §8)."""

    hands: tuple[Shown, ...]


class HandsMucked(Struct, frozen=True, kw_only=True, tag="poker.hands_mucked"):
    """Seats kept their hands closed, for good (poker §8)."""

    seats: tuple[Seat, ...]


class HandPlayed(Struct, frozen=True, tag="poker.hand_played"):
    """One seat is left, or all cards are dealt and all bets made."""


class Award(Struct, frozen=True, kw_only=True):
    """A pot, who could win it, and who did, with the share of each winner (poker §6, §7)."""

    amount: int
    eligible: tuple[Seat, ...]
    winners: tuple[Seat, ...]
    shares: tuple[int, ...]


class Bust(Struct, frozen=True, kw_only=True):
    """A seat that can play no more: after which hand, and its stack at the start of that hand (poker §12)."""

    seat: Seat
    hand_no: int
    stack: int


class HandScored(Struct, frozen=True, kw_only=True, tag="poker.hand_scored"):
    """The pots were awarded.

    Attributes:
        pots: main pot first.
        scores: chips after the hand minus chips before.
        stacks: chips after the hand.
        busts: the seats that cannot play on, the first to leave first.
        next: button and blinds of the next hand; None after the last.
    """

    hand_no: int
    pots: tuple[Award, ...]
    scores: Chips
    stacks: Chips
    busts: tuple[Bust, ...]
    next: Positions | None


class MatchEnded(Struct, frozen=True, kw_only=True, tag="poker.match_ended"):
    """The match is over (poker §12).

    Attributes:
        winners: the seats in the first place.
        ranking: all seats from best to worst, those that share a place together.
        scores: final stack minus starting stack.
    """

    winners: tuple[Seat, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    scores: Chips


Event = (
    HandDealt
    | AntesPosted
    | BlindPosted
    | RoundOpened
    | Acted
    | UncalledReturned
    | StreetDealt
    | HandsShown
    | HandsMucked
    | HandPlayed
    | HandScored
    | MatchEnded
)
