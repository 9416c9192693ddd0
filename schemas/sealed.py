"""Values that are not open to all: `Sealed` in the log, `Hidden` on the table. Only the codec writes either."""

from typing import Generic, Literal, TypeVar

from schemas.cards import Seat

T = TypeVar("T")

Audience = tuple[Seat, ...]
"""The seats that may open a value; empty: nobody but the auditor."""

NOBODY: Audience = ()

Everybody = Literal["everybody"]
"""All viewers, the rail too: of what lies openly on a table where another time it may be hidden."""


class StillSealed(LookupError):
    """The value was asked of a `Sealed` or `Hidden` that the reader cannot open."""


class _Shut:
    """Stands where a value is not known, since None may itself be a value."""


_SHUT = _Shut()


class _Closed(Generic[T]):
    """A value, perhaps unknown to the reader.

    `n` is how many cards it holds, given exactly where the value is a list of cards whose number is public.
    Only fields that the codec knows of leave the process, so forgetting to hide is not possible here.
    """

    __slots__ = ("_value", "n")

    _value: T | _Shut
    n: int | None

    @property
    def is_open(self) -> bool:
        """Whether the reader holds the value."""
        return not isinstance(self._value, _Shut)

    @property
    def value(self) -> T:
        """The value; raises StillSealed where the reader may not see it."""
        if isinstance(self._value, _Shut):
            raise StillSealed(repr(self))
        return self._value


class Sealed(_Closed[T]):
    """A value in an event, published as a commitment and opened by its secret.

    `slot` is a text unique in its commit (`deck`, `hand.0`, `action`); `commitment` is known once the value is in
    the log. Two are equal when slot, number and value are: a commitment depends on a salt, and a viewer's file
    leaves the audience out.
    """

    __slots__ = ("audience", "commitment", "slot")

    def __init__(
        self,
        slot: str,
        value: T | _Shut = _SHUT,
        *,
        audience: Audience = NOBODY,
        n: int | None = None,
        commitment: bytes = b"",
    ) -> None:
        self._value = value
        self.n = n
        self.slot = slot
        self.audience = audience
        self.commitment = commitment

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sealed):
            return NotImplemented
        return (self.slot, self.n, self._value) == (other.slot, other.n, other._value)

    __hash__ = None  # type: ignore[assignment]  # equality is by value, and values may be lists

    def __repr__(self) -> str:
        return f"Sealed({self.slot!r}, n={self.n})"


class Hidden(_Closed[T]):
    """A value on the table that only its audience sees; the others see `n`, or not even that where it is None."""

    __slots__ = ("audience",)

    def __init__(
        self, value: T | _Shut = _SHUT, *, audience: Audience | Everybody = NOBODY, n: int | None = None
    ) -> None:
        self._value = value
        self.n = n
        self.audience: Audience | Everybody = audience

    def __repr__(self) -> str:
        return f"Hidden(n={self.n})"
