"""How long things may take in a match."""

from msgspec import Struct

LONGEST = 86_400
"""The most seconds that any of them may be: a day."""


class Clock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time settings of a match, in seconds.

    Attributes:
        turn: for an answer; 0: an answer may take as long as it likes, in any phase.
        bank: what a seat may use beyond that, in the whole match.
        join: from when seats are free until the match is closed unless it is filled.
        entropy: for a seat to commit to its entropy anew, and to show it.
        grace: how long the house may still act where the services may end a phase in its place.
        phases: for an answer in a phase of this name, where it differs from `turn`; 0: as long as it likes.
    """

    turn: int = 20
    bank: int = 60
    join: int = 600
    entropy: int = 15
    grace: int = 10
    phases: dict[str, int] = {}
