"""Pots: what goes back, main and side pots, and how a pot is split (poker §5 to §7)."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from schemas.cards import Seat
from schemas.poker import Award, Chips

OddChips = Callable[[tuple[Seat, ...]], Sequence[Seat]]
"""The winners of a pot in the order in which they get the chips that cannot be divided."""


class Pot(Struct, frozen=True):
    """Chips, and the seats that can win them in seat order."""

    amount: int
    eligible: tuple[Seat, ...]


def uncalled(bets: Chips, live: Iterable[Seat]) -> tuple[Seat, int] | None:
    """The one seat in that bet more than every other seat, and by how much (poker §5)."""
    most = max(bets)
    if not most or bets.count(most) > 1:
        return None
    seat = bets.index(most)
    return (seat, most - max(bet for other, bet in enumerate(bets) if other != seat)) if seat in live else None


def pots(put: Chips, live: tuple[Seat, ...], dead: int) -> list[Pot]:
    """Main pot first. `put` is what each seat put into the hand; `dead` belongs to the main pot (poker §6)."""
    found: list[Pot] = []
    below = 0
    for level in sorted({put[seat] for seat in live}):
        amount = sum([min(chips, level) - min(chips, below) for chips in put])
        eligible = tuple([seat for seat in live if put[seat] >= level])
        if found and found[-1].eligible == eligible:
            amount += found.pop().amount
        found.append(Pot(amount, eligible))
        below = level
    over = sum([max(0, chips - below) for chips in put])
    found[-1] = Pot(found[-1].amount + over, found[-1].eligible)
    found[0] = Pot(found[0].amount + dead, found[0].eligible)
    return found


def awarded(pot: Pot, strengths: dict[Seat, int], odd_chips: OddChips) -> Award:
    """The pot goes to the best hand among those that can win it; equal hands share it (poker §6, §7)."""
    best = max([strengths[seat] for seat in pot.eligible])
    winners = tuple([seat for seat in pot.eligible if strengths[seat] == best])
    share, odd = divmod(pot.amount, len(winners))
    favoured = list(odd_chips(winners))[:odd] if odd else []
    shares = tuple([share + (seat in favoured) for seat in winners])
    return Award(amount=pot.amount, eligible=pot.eligible, winners=winners, shares=shares)
