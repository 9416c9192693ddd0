"""The phases that the matches of most games have: between two hands, after a hand, after the match."""

from typing import Generic, TypeVar

from msgspec import Struct

from schemas.cards import Seat

H = TypeVar("H")
R = TypeVar("R")
M = TypeVar("M")


class Between(Struct, Generic[H, R], frozen=True, kw_only=True):
    """No hand is in play, and `dealer` deals the next one; `last` and `result` are None before the first."""

    hand_no: int
    dealer: Seat
    last: H | None = None
    result: R | None = None


class Unscored(Struct, Generic[H], frozen=True, kw_only=True):
    """The hand has ended and is to be scored."""

    hand: H


class Ended(Struct, Generic[H, R, M], frozen=True, kw_only=True):
    """The match is over, after this last hand: its scores, and what came of the match."""

    last: H
    result: R
    outcome: M
