"""The referee's part of Seven-qiao: what may be done, and what it does (seven_qiao §4, §6, §7)."""

from collections.abc import Callable

from schemas import seven_qiao
from schemas.actions import Action
from schemas.cards import Seat
from schemas.events import Events
from schemas.refusals import Code
from schemas.seven_qiao import Decline, Draw, Pass, Stand, Take
from schemas.views import Legal
from services.games.game import Refused
from services.games.seven_qiao import drawing
from services.games.seven_qiao.state import Asking, Drawing, State
from services.games.shared.rules import NOTHING, reader

_TAKE: Action = {"type": "take"}
_PASS: Action = {"type": "pass"}
_STAND: Action = {"type": "stand"}
_ANSWERS = Legal(choices=(_TAKE, {"type": "decline"}))
_ASKED = Legal(choices=({"type": "draw"}, _PASS))
_FREE = Legal(choices=({"type": "draw"}, _STAND))

_read: Callable[[Action], seven_qiao.Action] = reader(seven_qiao.Action)


# --- what may be done --------------------------------------------------------------------------------------------


def legal(state: State, seat: Seat | None) -> Legal:
    """What the seat may do; it depends on numbers of cards alone."""
    match state.phase:
        case Asking(hand=hand, turn=turn) if seat == turn:
            return _ANSWERS if hand.pending[turn] else _ASKED
        case Drawing(hand=hand, turn=turn) if seat is not None and (seat == turn or turn is None):
            return NOTHING if hand.done[seat] else _ANSWERS if hand.pending[seat] else _FREE
        case _:
            return NOTHING


def timeout(state: State, seat: Seat | None) -> Action:
    """What stands in for the answer of a seat that is waited for (seven_qiao §7). Raises Refused: wrong_phase."""
    match state.phase:
        case Asking(hand=hand) if seat is not None:
            return _TAKE if hand.pending[seat] else _PASS
        case Drawing(hand=hand) if seat is not None:
            return _TAKE if hand.pending[seat] else _STAND
        case _:
            raise Refused(Code.WRONG_PHASE)


def seals(_state: State, _seat: Seat | None, _action: Action) -> bool:
    """No action is sealed: what a seat asks for is open, and no action names a card (seven_qiao §7)."""
    return False


# --- what it does ------------------------------------------------------------------------------------------------


def act(state: State, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: ARG001, FBT001  # as Game has it
    """What an action does. Raises Refused in the order of seven_qiao §6."""
    move = _read(action)
    seat, phase = _check_turn(state, seat)
    options, is_offered = state.options, phase.hand.pending[seat]
    match move:
        case Draw() if not is_offered:
            return drawing.draw(options, phase, seat)
        case Take() if is_offered:
            return drawing.take(options, phase, seat)
        case Decline() if is_offered:
            return drawing.decline(options, phase, seat)
        case Pass() if isinstance(phase, Asking) and not is_offered:
            return drawing.pass_(options, phase, seat)
        case Stand() if isinstance(phase, Drawing) and not is_offered:
            return drawing.stand(options, phase, seat)
        case _:
            raise Refused(Code.WRONG_PHASE)


def _check_turn(state: State, seat: Seat | None) -> tuple[Seat, Asking | Drawing]:
    """Whether the seat may act now. Raises Refused: hand_over, finished, not_your_turn."""
    match state.phase:
        case Asking(turn=turn) as phase:
            asked: tuple[Seat, ...] = (turn,)
        case Drawing(hand=hand, turn=turn) as phase:
            if seat is not None and 0 <= seat < len(hand.done) and hand.done[seat]:
                raise Refused(Code.FINISHED)
            asked = tuple(range(len(hand.done))) if turn is None else (turn,)
        case _:
            raise Refused(Code.HAND_OVER)
    if seat is None or seat not in asked:
        raise Refused(Code.NOT_YOUR_TURN)
    return seat, phase
