"""The log: roles, who is due, and the commit, which holds the events of one decision."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from schemas.cards import Seat
from schemas.events import Event
from schemas.sealed import Sealed

Role = Literal["dealer", "referee", "scorer"]
ROLES: tuple[Role, ...] = ("dealer", "referee", "scorer")

Due = Literal["open", "dealer", "referee", "house", "scorer", "none"] | tuple[Seat, ...]
"""Who must decide next. A tuple names the seats waited for; open, house and seats are the referee's turn."""

Chain = Annotated[bytes, Meta(min_length=32, max_length=32)]
NO_CHAIN: Chain = bytes(32)
"""`prev` of the first commit."""


class Actor(Struct, frozen=True, array_like=True):
    """Who acted, and whether it stands in for an answer that did not come."""

    seat: Seat
    auto: bool


class Commit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The events of one decision, appended as one message.

    Attributes:
        match: the match id.
        index: number of this commit among the valid ones, from 1.
        by: the role that wrote it.
        at: the service's clock in milliseconds since 1970, for people; no rule reads it.
        cause: 16 bytes that name the command, or the turn, that brought it about.
        prev: chain value of the commit before.
        seat: who acted, where everybody may know; None for the house and for roles.
        sealed_actor: who acted where that is secret, open to that seat alone; nor is `auto` told to the others then,
            since it is known who is away.
        action: the action as sent, where everybody may see it.
        sealed_action: the action where it is sealed to its seat.
        auto: the action stands in for an answer that did not come.
        events: what happened, outcomes included.
    """

    match: str
    index: Annotated[int, Meta(ge=1)]
    by: Role
    at: Annotated[int, Meta(ge=0)]
    cause: Annotated[bytes, Meta(min_length=16, max_length=16)]
    prev: Chain
    events: tuple[Event, ...]
    seat: Seat | None = None
    sealed_actor: Sealed[Actor] | None = None
    action: dict[str, Any] | None = None
    sealed_action: Sealed[dict[str, Any]] | None = None
    auto: bool = False


def acting(commit: Commit) -> tuple[Seat | None, bool]:
    """Commit's `seat` and `auto`, also where they are sealed; None and False where the reader may not know."""
    sealed = commit.sealed_actor
    if sealed is None:
        return commit.seat, commit.auto
    return (sealed.value.seat, sealed.value.auto) if sealed.is_open else (None, False)


def role_due(due: Due) -> Role | None:
    """The role whose turn it is when `due` must decide; None when the match is over."""
    match due:
        case "dealer" | "scorer":
            return due
        case "none":
            return None
        case _:
            return "referee"
