"""What a seat, or the house, wants to do. Tags are per game; the verbs here belong to the match around every game."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct, to_builtins

from schemas.cards import Seat
from schemas.clock import Clock

Action = Mapping[str, Any]
"""An action as sent: a map with `type` and the fields of that verb; the decider makes a Struct of it."""

Digest = Annotated[bytes, Meta(min_length=32, max_length=32)]
"""32 bytes: a SHA-256 value, or 32 bytes drawn by a player."""

Remark = Annotated[str, Meta(max_length=200)]
"""What somebody says to people, in his own words."""


class Open(Struct, frozen=True, kw_only=True, tag="open", forbid_unknown_fields=True):
    """Open a match of `game`; `options` may name a preset. `key` is SHA-256 of the opener's token.

    Phases that `clock` does not name have the seconds that the game gives them.
    """

    key: Digest
    game: str
    options: dict[str, Any]
    seats: int
    clock: Clock = Clock()


class Join(Struct, frozen=True, kw_only=True, tag="join", forbid_unknown_fields=True):
    """Take a seat (the lowest free one, or `seat`), known by SHA-256 of a token, with a commitment to one's entropy."""

    key: Digest
    commitment: Digest
    seat: Seat | None = None


class CommitEntropy(Struct, frozen=True, kw_only=True, tag="commit_entropy", forbid_unknown_fields=True):
    """Commit to new entropy after a seat was lost."""

    commitment: Digest


class ShowEntropy(Struct, frozen=True, kw_only=True, tag="show_entropy", forbid_unknown_fields=True):
    """Show the entropy committed to."""

    entropy: Digest


class Manage(Struct, frozen=True, kw_only=True, tag="manage", forbid_unknown_fields=True):
    """Let the referee play for this seat, or take over again."""

    on: bool


class Leave(Struct, frozen=True, tag="leave", forbid_unknown_fields=True):
    """Give the seat up: before the match has begun it is free again, later the referee plays for it to the end."""


class Void(Struct, frozen=True, kw_only=True, tag="void", forbid_unknown_fields=True):
    """End the match without a result. Only the house may; `reason` is for people."""

    reason: Annotated[Remark, Meta(min_length=1)]


class Timeout(Struct, frozen=True, tag="timeout", forbid_unknown_fields=True):
    """An answer did not come: do what stands in for it. Never sent by a player."""


SeatAction = CommitEntropy | ShowEntropy | Manage | Leave | Timeout
OuterAction = Open | Join | SeatAction | Void


def as_action(verb: OuterAction) -> dict[str, Any]:
    """A verb of the match as the map that is sent."""
    action: dict[str, Any] = to_builtins(verb, builtin_types=(bytes,))
    return action
