"""What a bet or raise may come to, with a limit and without one (poker §4)."""

from msgspec import Struct

from schemas.poker import Round


class Sizes(Struct, frozen=True, kw_only=True):
    """What a bet, raise or completion may come to, as a total of the round.

    Attributes:
        least: the smallest amount.
        most: the largest amount, whatever the stack; None where only the stack sets a limit.
        step: the distance of the amounts that are allowed; 0 for any.
        full: the least total that counts as a full bet or raise.
        reopens: how much a seat that has acted must face to raise again.
        is_raise: the next step counts as a raise, and not as the first bet.
        all_in: the total that `all_in` reaches; None where it is not allowed.
        is_table_limit: `most` is what all can follow, as in show hand, where `all_in` is never a call.
    """

    least: int
    most: int | None
    step: int = 0
    full: int
    reopens: int
    is_raise: bool
    all_in: int | None
    is_table_limit: bool = False


def limit(betting: Round, reach: int) -> Sizes:
    """Fixed amounts: one bet size over the last full level (poker §4, sizes, limit)."""
    base, size, bigger = betting.base, betting.size, betting.bigger
    half = (size + 1) // 2
    most = base + (bigger or size)
    return Sizes(
        least=base + size,
        most=most,
        step=bigger - size if bigger else 0,
        full=base + half,
        reopens=half,
        is_raise=base > 0,
        all_in=reach if reach <= most else None,
    )


def no_limit(betting: Round, reach: int) -> Sizes:
    """Any amount from the last full bet or raise on (poker §4, sizes, no-limit)."""
    lowest = least(betting)
    return Sizes(least=lowest, most=None, full=lowest, reopens=betting.step, is_raise=is_raise(betting), all_in=reach)


def least(betting: Round) -> int:
    """The smallest amount where only the last full bet or raise says one (poker §4)."""
    if betting.completing and betting.aggressor is None:
        return betting.size
    return betting.to_match + betting.step if betting.to_match else betting.size


def is_raise(betting: Round) -> bool:
    """Whether the next step counts as a raise (poker §4)."""
    return betting.to_match > 0 and not betting.completing
