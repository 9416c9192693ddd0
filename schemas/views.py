"""What a viewer is shown: the table, what he may do, and the frame that carries both."""

from typing import Any

from msgspec import Struct

from schemas.actions import Action
from schemas.cards import Card, Cards, Seat
from schemas.sealed import Hidden


class Pile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Cards that lie together: `cards` where they are face up, `hidden` where not."""

    name: str
    cards: tuple[Card, ...] = ()
    hidden: Hidden[Cards] | None = None


class Place(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What lies before one seat.

    Attributes:
        facts: the game's public numbers (score, total, stack, …).
        bank: milliseconds that the seat may still use beyond the time of its turns.
    """

    hand: Hidden[Cards]
    piles: tuple[Pile, ...] = ()
    facts: dict[str, Any] = {}
    joined: bool = True
    managed: bool = False
    bank: int = 0


class Table(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The lay-out of a match, hidden where it is.

    Attributes:
        turn: the seats waited for, which may be secret too.
        over: whether the match is over.
        closed: why it is over before the game is; empty where it is not.
    """

    game: str
    phase: str
    turn: Hidden[tuple[Seat, ...]]
    places: tuple[Place, ...]
    piles: tuple[Pile, ...] = ()
    facts: dict[str, Any] = {}
    over: bool = False
    closed: str = ""


class Legal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a seat may do.

    A template is an action in which a map stands for many values: `{"min": 1, "max": 51}` for any whole number from
    the one to the other, with `"step": 10` for every tenth of them, `{"of": [0, 2]}` for any one of these values,
    `{"each": ["Qs", "Jd"], "of": [0, 2]}` for a list of pairs in any order, each of these once with any one of the
    values, `{"some": ["7s", "Qs", "Ks"], "counts": [1, 2]}` for a list of one or two of these in any order, with
    `"with": ["3h", "5d"]` for one that holds all of these too, `{"text": true}` for any text, `{"bytes": 32}` for so
    many bytes that only the sender knows, and `{"maybe": …}` for a field that may be left out.

    Attributes:
        choices: actions as they may be sent, or templates of them.
        facts: for each choice what it comes to, for information and never sent; empty where there is nothing to say.
        also: templates of what is allowed but not listed (a claim, a cut).
        count: how many choices there are where the list is too long to carry, with `kinds` counting them by kind.
    """

    choices: tuple[Action, ...] = ()
    facts: tuple[Action, ...] = ()
    also: tuple[Action, ...] = ()
    count: int | None = None
    kinds: dict[str, int] = {}


class Opening(Struct, frozen=True, array_like=True):
    """A secret as a viewer is given it: enough to check the commitment in the public part."""

    slot: str
    salt: bytes
    value: Any


class Revealed(Struct, frozen=True, array_like=True):
    """A secret of an earlier commit, opened to all by `HandRevealed`."""

    index: int
    slot: str
    salt: bytes
    value: Any


class Frame(Struct, frozen=True, array_like=True, tag="frame"):
    """One commit as one viewer may see it, and the table after it.

    Attributes:
        seat: whose frame it is; None for the rail.
        public: the public part, byte for byte as in the log.
        waited: whether this seat is waited for.
        revealed: secrets that this commit opens to everybody.
    """

    match: str
    seat: Seat | None
    index: int
    public: bytes
    secrets: tuple[Opening, ...]
    signature: bytes
    table: Table
    legal: Legal
    waited: bool
    revealed: tuple[Revealed, ...] = ()


class Listed(Struct, frozen=True, kw_only=True, tag="listed"):
    """What a seat may do after commit `index`: a page of the choices of a kind, or what an action may be sent as."""

    match: str
    seat: Seat
    index: int
    legal: Legal


class Synced(Struct, frozen=True, kw_only=True, tag="synced"):
    """The answer to a sync: encoded frames in order, and whether there are more behind them."""

    match: str
    seat: Seat | None
    frames: tuple[bytes, ...]
    more: bool
