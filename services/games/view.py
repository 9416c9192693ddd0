"""What is shown of a match: the table, and what a seat may do. The codec then opens it for one viewer."""

from collections import Counter

from msgspec.structs import replace

from schemas.actions import Action
from schemas.cards import Seat
from schemas.sealed import Hidden
from schemas.views import Legal, Table
from services.games.game import DONE, Refused
from services.games.match import Match, asked, due, has_begun, phase

NOTHING = Legal()

_OWN = {"bytes": 32}
_SHOW_ENTROPY = {"type": "show_entropy", "entropy": _OWN}
_COMMIT_ENTROPY = {"type": "commit_entropy", "commitment": _OWN}
_MANAGE = {"type": "manage", "on": {"of": [True, False]}}
_LEAVE = {"type": "leave"}

LONG = 200
"""More choices than this are told by their number alone, and asked for a page at a time; so long is a page."""


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


def brief(listed: Legal) -> Legal:
    """What a frame carries of it: of a long list how many choices there are of each kind."""
    if len(listed.choices) <= LONG:
        return listed
    kinds = Counter(map(_kind, listed.choices))
    return replace(listed, choices=(), facts=(), count=len(listed.choices), kinds=dict(kinds))


def page(listed: Legal, kind: str, after: int) -> Legal:
    """The choices of one kind from number `after` on, as many as a page holds; `count` is how many there are."""
    choices = [choice for choice in listed.choices if _kind(choice) == kind]
    return Legal(choices=tuple(choices[after : after + LONG]), count=len(choices))


def readings(match: Match, seat: Seat, action: Action) -> Legal:
    """What an action may be sent as: itself where it leaves nothing open, else with each kind that it can be."""
    kinds = {choice["as"]: None for choice in legal(match, seat).choices if "as" in choice and "as" not in action}
    sent: list[Action] = [{**action, "as": kind} for kind in kinds]
    return Legal(choices=tuple(each for each in sent or [action] if _is_accepted(match, seat, each)))


def _kind(choice: Action) -> str:
    return str(choice.get("as", choice["type"]))


def _is_accepted(match: Match, seat: Seat, action: Action) -> bool:
    if seat not in asked(match) or not has_begun(match):
        return False
    try:
        match.game.act(match.play, seat, action, False)  # noqa: FBT003 - as Game has it
    except Refused:
        return False
    return True


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
    return replace(shown, phase=phase(match), turn=turn)
