"""What is shown of a match: the table, and what a seat may do. The codec then opens it for one viewer."""

from msgspec.structs import replace

from schemas.cards import Seat
from schemas.sealed import Hidden
from schemas.views import Legal, Table
from services.games.game import DONE
from services.games.match import Match, asked, due, has_begun

NOTHING = Legal()

_MANAGE = {"type": "manage", "on": {"of": [True, False]}}
_OWN = {"bytes": 32}
_SHOW_ENTROPY = Legal(also=({"type": "show_entropy", "entropy": _OWN},))
_COMMIT_ENTROPY = Legal(also=({"type": "commit_entropy", "commitment": _OWN},))


def legal(match: Match, seat: Seat) -> Legal:
    """What the seat may do now, apart from the house's and the services' verbs."""
    if not has_begun(match):
        if seat not in asked(match):
            return NOTHING
        return _SHOW_ENTROPY if match.holders[seat].commitment else _COMMIT_ENTROPY
    if match.game.phase(match.play) == DONE:
        return NOTHING
    inner: Legal = match.game.legal(match.play, seat)
    return replace(inner, also=(*inner.also, _MANAGE))


def legal_of_house(match: Match) -> Legal:
    """What the house may decide where it is due."""
    inner: Legal = match.game.legal(match.play, None)
    return inner


def table(match: Match) -> Table:
    """The lay-out of the match, hidden where it is."""
    inner: Table = match.game.table(match.play)
    places = tuple(
        replace(place, joined=bool(holder.key) or match.opened.deal == "given", managed=holder.managed)
        for place, holder in zip(inner.places, match.holders, strict=True)
    )
    if has_begun(match):
        return replace(inner, places=places, over=due(match) == "none")
    phase = "joining" if due(match) in ("dealer", "open") else "entropy"
    return replace(inner, phase=phase, turn=Hidden(asked(match), audience="everybody"), places=places)
