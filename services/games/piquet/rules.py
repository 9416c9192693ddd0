"""The referee's part of Piquet: what may be done, and what it does (piquet §4, §7, §9)."""

from collections.abc import Callable

from msgspec import UNSET

from schemas import piquet
from schemas.actions import Action
from schemas.cards import Card, Seat
from schemas.events import Events
from schemas.piquet import Declare, Discard, Pass, Play
from schemas.refusals import Code
from schemas.views import Legal
from services.games.game import DONE, Refused
from services.games.piquet import declaring, exchange, playing
from services.games.piquet.options import Options
from services.games.piquet.state import Declaring, Exchanging, Playing, State, due, phase
from services.games.shared.rules import NOTHING, reader
from services.games.shared.seats import turn_of

_BLANK: Action = {"type": "declare", "what": "carte_blanche"}
_PASS: Action = {"type": "pass"}

_read: Callable[[Action], piquet.Action] = reader(piquet.Action)


# --- what may be done --------------------------------------------------------------------------------------------


def legal(state: State, seat: Seat | None) -> Legal:
    """What the seat may do; of all discards one template (piquet §4)."""
    match state.phase:
        case Playing(turn=turn) as trick if seat == turn:
            return Legal(choices=tuple([_play(card) for card in playing.choices(trick)]))
        case Declaring(turn=int() as turn) as asking if seat == turn:
            return Legal(choices=(_PASS, *_declarations(state.options, asking, turn)))
        case Exchanging(turn=turn) as exchanging if seat == turn:
            return Legal(choices=_exchanges(state.options, exchanging))
        case _:
            return NOTHING


def _exchanges(options: Options, exchanging: Exchanging) -> tuple[Action, ...]:
    hand, seat = exchanging.hand, exchanging.turn
    least, most = exchange.bounds(options, hand, seat)
    template = {"some": list(hand.held[seat]), "counts": list(range(least, most + 1))}
    discard: Action = {"type": "discard", "cards": template}
    may_show = seat not in hand.blank and exchange.is_blank(hand.dealt[seat])
    return (discard, _BLANK) if may_show else (discard,)


def _declarations(options: Options, asking: Declaring, seat: Seat) -> tuple[Action, ...]:
    what = asking.what
    groups = declaring.groups_of(options, what, asking.hand.held[seat])
    if what == "point":
        return tuple([{"type": "declare", "what": what, "suit": group[0][1]} for group in groups])
    return ({"type": "declare", "what": what},) if groups else ()


def timeout(state: State, seat: Seat | None) -> Action:
    """What stands in for the answer of a seat that is waited for (piquet §9). Raises Refused: wrong_phase."""
    if seat is None or seat != turn_of(due(state)):
        raise Refused(Code.WRONG_PHASE)
    match state.phase:
        case Playing() as trick:
            return _play(playing.lowest_first(playing.choices(trick))[0])
        case Declaring() as asking:
            return next(iter(_declarations(state.options, asking, seat)), _PASS)
        case Exchanging(hand=hand):
            least, _ = exchange.bounds(state.options, hand, seat)
            return {"type": "discard", "cards": playing.lowest_first(hand.held[seat])[:least]}
        case _:
            raise Refused(Code.WRONG_PHASE)


def seals(_state: State, _seat: Seat | None, action: Action) -> bool:
    """What is discarded, its seat alone knows (piquet §8)."""
    return action.get("type") == "discard"


# --- what it does ------------------------------------------------------------------------------------------------


def act(state: State, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: ARG001, FBT001  # as Game has it
    """What an action does. Raises Refused in the order of piquet §7."""
    move = _read(action)
    _check_suit(move)
    if phase(state) == DONE:
        raise Refused(Code.HAND_OVER)
    if seat is None or seat != turn_of(due(state)):
        raise Refused(Code.NOT_YOUR_TURN)
    match state.phase, move:
        case Playing() as trick, Play(cards=(card,)):
            return playing.play(state.options, trick, card)
        case Declaring(what=what) as asking, Declare() if move.what == what:
            return declaring.declare(state.options, asking, seat, None if move.suit is UNSET else move.suit)
        case Declaring() as asking, Pass():
            return declaring.pass_(state.options, asking, seat)
        case Exchanging() as exchanging, Discard(cards=cards):
            return exchange.discard(state.options, exchanging, cards)
        case Exchanging() as exchanging, Declare(what="carte_blanche"):
            return exchange.declare(state.options, exchanging)
        case _:
            raise Refused(Code.WRONG_PHASE)


def _check_suit(move: piquet.Action) -> None:
    if isinstance(move, Declare) and (move.suit is UNSET) == (move.what == "point"):
        raise Refused(Code.BAD_ACTION, "a point names its suit, and nothing else does")


def _play(card: Card) -> Action:
    return {"type": "play", "cards": [card]}
