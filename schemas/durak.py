"""The words of Durak on the wire: its actions and its events."""

from msgspec import Struct

from schemas.cards import Card, Cards, Seat, Suit
from schemas.sealed import Sealed

# --- actions (durak §4) ------------------------------------------------------------------------------------------


class Exchange(Struct, frozen=True, tag="exchange", forbid_unknown_fields=True):
    """Swap the trump 2 for the turn-up (durak §3)."""


class Attack(Struct, frozen=True, tag="attack", forbid_unknown_fields=True):
    """Attack with this card, opening the battle or throwing it in (durak §4)."""

    card: Card


class Defend(Struct, frozen=True, tag="defend", forbid_unknown_fields=True):
    """Beat the last attack card (durak §5)."""

    card: Card


class PickUp(Struct, frozen=True, tag="pick_up", forbid_unknown_fields=True):
    """Take all cards on the table (durak §4)."""


class Pass(Struct, frozen=True, tag="pass", forbid_unknown_fields=True):
    """Throw nothing in, or do not exchange (durak §3, §4)."""


Action = Exchange | Attack | Defend | PickUp | Pass


# --- events ------------------------------------------------------------------------------------------------------


class HandDealt(Struct, frozen=True, kw_only=True, tag="durak.hand_dealt"):
    """The cards were dealt (durak §2).

    Attributes:
        deck: the whole dealing order, slot `deck`; open to nobody.
        hands: the cards of each seat in the order received, slots `hand.0` and so on; open to it alone.
        turn_up: the last card of the stock, open to all; None without a stock.
        main: who attacks first.
        holder: who holds the trump 2 and is asked whether to exchange, slot `holder`; None where nobody is asked.
    """

    hand_no: int
    dealer: Seat
    deck: Sealed[Cards]
    hands: tuple[Sealed[Cards], ...]
    turn_up: Card | None
    trump: Suit
    main: Seat
    defender: Seat
    holder: Sealed[Seat] | None = None


class ExchangeEnded(Struct, frozen=True, kw_only=True, tag="durak.exchange_ended"):
    """Play begins; whether the turn-up was swapped, never by whom, nor who else could have (durak §3)."""

    swapped: bool
    turn_up: Card


class Exchanged(Struct, frozen=True, kw_only=True, tag="durak.exchanged"):
    """A seat swapped the trump 2 for the turn-up at its own turn (durak §3)."""

    seat: Seat
    turn_up: Card


class Attacked(Struct, frozen=True, kw_only=True, tag="durak.attacked", omit_defaults=True):
    """A seat played an attack card, which the defender must answer (durak §4).

    Attributes:
        closes: no further card may be played in this battle (durak §6).
    """

    seat: Seat
    card: Card
    closes: bool = False


class Beaten(Struct, frozen=True, kw_only=True, tag="durak.beaten", omit_defaults=True):
    """The defender beat the last attack card (durak §5).

    Attributes:
        asked: who may throw in first; None where the battle is over.
    """

    seat: Seat
    card: Card
    asked: Seat | None = None


class Declined(Struct, frozen=True, kw_only=True, tag="durak.declined", omit_defaults=True):
    """A seat throws nothing in; `asked` may next, None where all have been asked (durak §4)."""

    seat: Seat
    asked: Seat | None = None


class PickedUp(Struct, frozen=True, kw_only=True, tag="durak.picked_up"):
    """The defender took all cards on the table (durak §4)."""

    seat: Seat


class Drew(Struct, frozen=True, kw_only=True, tag="durak.drew"):
    """A seat drew from the top of the stock; the cards are open to it alone (durak §6, §7).

    Attributes:
        attacks_next: its hand was empty, and so it attacks next (durak §7).
    """

    seat: Seat
    cards: Sealed[Cards]
    attacks_next: bool = False


class WentOut(Struct, frozen=True, kw_only=True, tag="durak.went_out"):
    """A seat got rid of its last card, with no stock to draw from (durak §6)."""

    seat: Seat


class BattleEnded(Struct, frozen=True, kw_only=True, tag="durak.battle_ended"):
    """A battle is over (durak §7).

    Attributes:
        discarded: how many cards left the hand with it.
        main: who attacks next, and whom.
        pick_ups: battles in a row that ended with a pick-up, nobody out and no stock (durak §8).
        idle: battles in a row that ended with a pick-up, nobody out and no card drawn (durak §8).
    """

    discarded: int
    main: Seat
    defender: Seat
    pick_ups: int
    idle: int


class HandPlayed(Struct, frozen=True, kw_only=True, tag="durak.hand_played"):
    """The hand is over: the seats out in order, after a stall those ranked too, and who is left (durak §6, §8)."""

    finish_order: tuple[Seat, ...]
    duraks: tuple[Seat, ...]
    stalled: bool = False


class HandScored(Struct, frozen=True, kw_only=True, tag="durak.hand_scored"):
    """The scores of a hand, and the totals after it (durak §9)."""

    hand_no: int
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    next_dealer: Seat


class MatchEnded(Struct, frozen=True, kw_only=True, tag="durak.match_ended"):
    """The match is over; the winners share the highest total (durak §9)."""

    winners: tuple[Seat, ...]


Event = (
    HandDealt
    | ExchangeEnded
    | Exchanged
    | Attacked
    | Beaten
    | Declined
    | PickedUp
    | Drew
    | WentOut
    | BattleEnded
    | HandPlayed
    | HandScored
    | MatchEnded
)
