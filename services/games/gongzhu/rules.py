"""The referee's part of Gongzhu: what may be done, and what it does (gongzhu §10)."""

from typing import assert_never

import msgspec
from msgspec import UNSET, Struct

from schemas import gongzhu
from schemas.actions import Action
from schemas.cards import Seat
from schemas.events import Events
from schemas.gongzhu import Answer, Claim, DrawBack, Expose, Pass, Penalty, Play, Rule
from schemas.refusals import Code
from schemas.views import Legal
from services.games.game import DONE, Refused
from services.games.gongzhu import exposing, playing
from services.games.gongzhu.options import SEATS
from services.games.gongzhu.score import penalise
from services.games.gongzhu.state import Between, Ended, Exposing, Playing, State, Unscored, phase

_NOTHING = Legal()


class _Move(Struct, frozen=True, array_like=True):
    """Around the union, because msgspec prepares the reading of a Struct once, but of a bare union each time."""

    action: gongzhu.Action


def legal(state: State, seat: Seat) -> Legal:
    """Every answer, or every play, that the seat may give; nothing where it is not waited for."""
    match state.phase:
        case Exposing() as asking if seat in asking.asked:
            return Legal(choices=tuple(map(_answer, exposing.choices(asking, seat))))
        case Playing(turn=turn) as trick if seat == turn:
            return Legal(choices=tuple([_play(card) for card in playing.choices(state.options, trick)]))
        case _:
            return _NOTHING


def timeout(state: State, seat: Seat | None) -> Action:
    """What stands in for the answer of a seat that is waited for (gongzhu §10.1). Raises Refused: wrong_phase."""
    match state.phase:
        case Exposing() if seat is not None:
            return _answer(())
        case Playing() as trick if seat is not None:
            return _play(playing.smallest(state.options, trick))
        case _:
            raise Refused(Code.WRONG_PHASE)


def seals(state: State, _seat: Seat, action: Action) -> bool:
    """Answers are sealed while all seats expose at once (gongzhu §11)."""
    match state.phase:
        case Exposing():
            return state.options.expose_order == "sealed" and action.get("type") in ("expose", "pass")
        case _:
            return False


def act(state: State, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: FBT001  # as Game has it
    """What an action does. Raises Refused in the order of gongzhu §10.2."""
    move = _read(action)
    match move:
        case Penalty() | DrawBack() | Rule():
            if seat is not None:
                raise Refused(Code.NOT_ALLOWED, "this is the house's action")
            return _act_of_house(state, move)
        case _:
            if seat is None or not 0 <= seat < SEATS:
                raise Refused(Code.NOT_ALLOWED)
            return _act_of_seat(state, seat, move, auto=auto)


def _act_of_house(state: State, move: Penalty | DrawBack | Rule) -> Events:
    if isinstance(move, Penalty):
        return penalise(state, move)
    if phase(state) == DONE:
        raise Refused(Code.HAND_OVER)
    raise Refused(Code.WRONG_PHASE)


def _act_of_seat(state: State, seat: Seat, move: gongzhu.Action, *, auto: bool) -> Events:
    match state.phase, move:
        case ((Between() | Unscored() | Ended()), _):
            raise Refused(Code.HAND_OVER)
        case Exposing() as asking, Pass():
            return exposing.answer(state.options, asking, seat, Answer())
        case Exposing() as asking, Expose(cards=cards, dark=dark):
            return exposing.answer(state.options, asking, seat, Answer(cards, dark))
        case Playing() as trick, Play(cards=cards):
            return playing.play(state.options, trick, seat, cards, auto=auto)
        case Playing(), Claim():
            raise Refused(Code.CLAIM_OFF)
        case ((Exposing() | Playing()), _):
            raise Refused(Code.WRONG_PHASE)
        case _:
            assert_never(state.phase)


def _read(action: Action) -> gongzhu.Action:
    try:
        move = msgspec.convert((action,), _Move).action
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_ACTION, str(error)) from None
    if isinstance(move, Rule):
        named = (move.assign is not UNSET) + (move.to is not UNSET)
        if named != (move.ruling == "adjust"):
            raise Refused(Code.BAD_ACTION, "adjust names exactly one of assign and to, another ruling neither")
    return move


def _answer(cards: tuple[str, ...]) -> Action:
    return {"type": "expose", "cards": list(cards)} if cards else {"type": "pass"}


def _play(card: str) -> Action:
    return {"type": "play", "cards": [card]}
