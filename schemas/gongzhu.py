"""The words of Gongzhu on the wire: its actions and its events."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from schemas.cards import Card, Cards, Seat
from schemas.sealed import Sealed

Mode = Literal["first", "open", "dark", "forced"]


class Expose(Struct, frozen=True, tag="expose", forbid_unknown_fields=True):
    """Expose these cards (gongzhu §4)."""

    cards: Annotated[Cards, Meta(min_length=1)]
    dark: bool = False


class Pass(Struct, frozen=True, tag="pass", forbid_unknown_fields=True):
    """Expose nothing (gongzhu §4)."""


class Play(Struct, frozen=True, tag="play", forbid_unknown_fields=True):
    """Play to the trick (gongzhu §5)."""

    cards: Annotated[Cards, Meta(min_length=1)]


class Exposure(Struct, frozen=True):
    """One exposed card and its mode (gongzhu §4)."""

    card: Card
    seat: Seat
    mode: Mode


class HandDealt(Struct, frozen=True, kw_only=True, tag="gongzhu.hand_dealt"):
    """The whole order of the deck was fixed and the cards were dealt (gongzhu §3.1)."""

    hand_no: int
    dealer: Seat
    deck: Sealed[Cards]
    hands: tuple[Sealed[Cards], ...]


Event = HandDealt
