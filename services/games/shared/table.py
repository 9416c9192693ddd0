"""The lay-out of matches for viewers: what is hidden there, and from whom."""

from schemas.cards import Cards, Seat
from schemas.log import Due
from schemas.sealed import Hidden
from schemas.views import Pile


def waited_for(due: Due) -> Hidden[tuple[Seat, ...]]:
    """The seats that are waited for, where everybody may know."""
    return Hidden(due if isinstance(due, tuple) else (), audience="everybody")


def face_up(cards: Cards) -> Hidden[Cards]:
    """A hand that everybody sees."""
    return Hidden(cards, audience="everybody", n=len(cards))


def seen_by(seat: Seat, cards: Cards) -> Hidden[Cards]:
    """Cards that one seat alone sees; how many they are is open."""
    return Hidden(cards, audience=(seat,), n=len(cards))


def face_down(name: str, cards: Cards) -> Pile:
    """A pile that nobody looks at; how many cards it has is open."""
    return Pile(name=name, hidden=Hidden(cards, n=len(cards)))
