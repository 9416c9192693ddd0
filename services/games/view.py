"""What is shown of a match: the table, and what a seat may do. The codec then opens it for one viewer."""

from msgspec.structs import replace

from schemas.cards import Seat
from schemas.sealed import Hidden
from schemas.views import Legal, Table
from services.games.game import DONE
from services.games.match import Match, asked, due, has_begun

NOTHING = Legal()

_OWN = {"bytes": 32}
_SHOW_ENTROPY = {"type": "show_entropy", "entropy": _OWN}
_COMMIT_ENTROPY = {"type": "commit_entropy", "commitment": _OWN}
_MANAGE = {"type": "manage", "on": {"of": [True, False]}}
_LEAVE = {"type": "leave"}


def legal(match: Match, seat: Seat) -> Legal:
    """What the seat may do now, apart from the house's and the services' verbs."""
    if due(match) == "none" or match.holders[seat].left:
        return NOTHING
    if not has_begun(match):
        if not match.holders[seat].key:
            return NOTHING
        answer = _SHOW_ENTROPY if match.holders[seat].commitment else _COMMIT_ENTROPY
        return Legal(also=(answer, _LEAVE) if seat in asked(match) else (_LEAVE,))
    if match.game.phase(match.play) == DONE:
        return Legal(also=(_LEAVE,))
    inner: Legal = match.game.legal(match.play, seat)
    return replace(inner, also=(*inner.also, _MANAGE, _LEAVE))


def legal_of_house(match: Match) -> Legal:
    """What the house may decide where it is due."""
    inner: Legal = match.game.legal(match.play, None)
    return inner


def table(match: Match) -> Table:
    """The lay-out of the match, hidden where it is."""
    inner: Table = match.game.table(match.play)
    places = tuple(
        replace(place, joined=bool(holder.key) or match.opened.deal == "given", managed=holder.managed, bank=time.bank)
        for place, holder, time in zip(inner.places, match.holders, match.times, strict=True)
    )
    over = due(match) == "none"
    shown = replace(inner, places=places, over=over, closed=match.closed)
    if has_begun(match) and not match.closed:
        return shown
    turn = Hidden(asked(match), audience="everybody")
    if has_begun(match):
        return replace(shown, turn=turn)
    phase = "entropy" if all(holder.commitment for holder in match.holders) else "joining"
    return replace(shown, phase=phase, turn=turn)
