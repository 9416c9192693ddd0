"""Who stands with whom in a hand (gongzhu §1, §8)."""

from schemas.cards import Seat
from services.games.gongzhu.options import Options
from services.games.gongzhu.state import ALL_SEATS, PIG, SHEEP, Hand

Unit = tuple[Seat, ...]
"""A seat, or the seats of a side: who wins and loses together."""

ALONE: tuple[Unit, ...] = tuple((seat,) for seat in ALL_SEATS)
OPPOSITE: tuple[Unit, ...] = ((0, 2), (1, 3))


def sides(options: Options, hand: Hand) -> tuple[Unit, ...] | None:
    """The seats of each side; None without partners. Of pig and sheep they are a secret of the deal (gongzhu §11)."""
    match options.partnership:
        case "none":
            return None
        case "opposite":
            return OPPOSITE
        case "pig_sheep":
            own = tuple(seat for seat, cards in enumerate(hand.deal.hands) if PIG in cards or SHEEP in cards)
            return own, tuple(seat for seat in ALL_SEATS if seat not in own)
