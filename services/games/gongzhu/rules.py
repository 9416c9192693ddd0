"""The referee's part of Gongzhu: what may be done, and what it does (gongzhu §10)."""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from schemas import gongzhu
from schemas.actions import Action, Timeout
from schemas.cards import Cards, Seat
from schemas.events import Events
from schemas.gongzhu import (
    Accept,
    Answer,
    Challenge,
    Claim,
    Consent,
    Cut,
    DrawBack,
    Expose,
    Pass,
    Penalty,
    Play,
    Rule,
)
from schemas.refusals import Code
from schemas.views import Legal
from services.games.game import DONE, Refused
from services.games.gongzhu import claiming, exposing, playing, plays
from services.games.gongzhu.deal import consent, cut, draw_back
from services.games.gongzhu.options import SEATS
from services.games.gongzhu.score import penalise
from services.games.gongzhu.state import (
    ALL_SEATS,
    Claiming,
    Cutting,
    Disputed,
    Exposing,
    FirstExposing,
    Grace,
    Misdealt,
    Playing,
    State,
    phase,
)
from services.games.gongzhu.state import Cut as CutDeck
from services.games.shared.rules import NOTHING, reader

_ANSWERS = Legal(choices=({"type": "accept"}, {"type": "challenge"}))
_CHALLENGE = Legal(choices=({"type": "challenge"},))
_CONSENTS = Legal(choices=({"type": "consent", "accept": True}, {"type": "consent", "accept": False}))
_SEATS = list(ALL_SEATS)
_LINE = {"maybe": {"text": True}}
_CLAIM_TO: Action = {"type": "claim", "to": {"of": _SEATS}, "line": _LINE}
_SIMPLE_RULING: Action = {"type": "rule", "ruling": {"of": ["uphold", "reject"]}}
_ADJUST_TO: Action = {"type": "rule", "ruling": "adjust", "to": {"of": _SEATS}}

_read: Callable[[Action], gongzhu.Action | Timeout] = reader(gongzhu.Action | Timeout)


# --- what may be done --------------------------------------------------------------------------------------------


def legal(state: State, seat: Seat | None) -> Legal:
    """What the seat, or the house (None), may do (gongzhu §10)."""
    if seat is None:
        return _legal_of_house(state)
    match state.phase:
        case Playing() as trick:
            return _legal_play(state, trick, seat)
        case Exposing() as asking if seat in asking.asked:
            return Legal(choices=tuple(map(_answer, exposing.choices(state.options, asking, seat))))
        case FirstExposing() as asking if seat in asking.asked:
            return Legal(choices=tuple(map(_answer, exposing.first_choices(asking, seat))))
        case Claiming(asked=asked) if seat in asked:
            return _ANSWERS
        case Grace(claim=claim) if seat in claim.asked:
            return _CHALLENGE
        case Misdealt(asked=asked) if seat in asked:
            return _CONSENTS
        case Cutting(cutter=cutter, deck=deck) if seat == cutter:
            return Legal(also=({"type": "cut", "at": {"min": 1, "max": len(deck) - 1}},))
        case _:
            return NOTHING


def _legal_play(state: State, trick: Playing, seat: Seat) -> Legal:
    listed: tuple[Action, ...] = ()
    if seat == trick.turn:
        listed = tuple([_play(cards) for cards in plays.choices(state.options, trick)])
    if trick.trick or not claiming.may_claim(state.options, trick.hand, seat):
        return Legal(choices=listed) if listed else NOTHING
    if state.options.decks > 1:
        return Legal(choices=listed, also=(_CLAIM_TO,))
    assign = {"each": claiming.outstanding(state.options, trick.hand), "of": _SEATS}
    return Legal(choices=listed, also=(_CLAIM_TO, {"type": "claim", "assign": assign, "line": _LINE}))


def _legal_of_house(state: State) -> Legal:
    """The rulings where one is due. How a misdeal is mended no template can say, and penalties are always free."""
    if not isinstance(state.phase, Disputed):
        return NOTHING
    if state.options.decks > 1:
        return Legal(also=(_SIMPLE_RULING, _ADJUST_TO))
    assign = {"each": claiming.outstanding(state.options, state.phase.hand), "of": _SEATS}
    return Legal(also=(_SIMPLE_RULING, _ADJUST_TO, {"type": "rule", "ruling": "adjust", "assign": assign}))


def timeout(state: State, seat: Seat | None) -> Action:
    """What stands in for an answer that does not come (gongzhu §10.1). Raises Refused: wrong_phase."""
    match state.phase:
        case Playing() as trick if seat is not None:
            return _play(plays.smallest(state.options, trick))
        case FirstExposing() | Exposing() if seat is not None:
            return {"type": "pass"}
        case Claiming() if seat is not None:
            return {"type": "accept"}
        case Misdealt(asked=asked) if seat is not None and asked:
            return {"type": "consent", "accept": False}
        case Cutting(deck=deck) if seat is not None:
            return {"type": "cut", "at": len(deck) // 2}
        case Grace() if seat is None:
            return {"type": "timeout"}
        case _:
            raise Refused(Code.WRONG_PHASE)


def seals(state: State, _seat: Seat | None, action: Action) -> bool:
    """Answers are sealed while all seats expose at once, or darkly; so is which cards the house moves (gongzhu §11)."""
    match state.phase:
        case FirstExposing():
            return action.get("type") in ("expose", "pass")
        case Exposing() if action.get("type") in ("expose", "pass"):
            return state.options.expose_order == "sealed" or action.get("dark") is True
        case Misdealt():
            return action.get("type") == "draw_back"
        case _:
            return False


# --- what it does ------------------------------------------------------------------------------------------------


def act(state: State, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: FBT001  # as Game has it
    """What an action does. Raises Refused in the order of gongzhu §10.2."""
    move = _read(action)
    _check_ruling(move)
    match move:
        case Penalty() | DrawBack() | Rule() | Timeout():
            if seat is not None:
                raise Refused(Code.NOT_ALLOWED, "this is the house's action")
            return _act_of_house(state, move)
        case _:
            if seat is None or not 0 <= seat < SEATS:
                raise Refused(Code.NOT_ALLOWED)
            return _act_of_seat(state, seat, move, auto=auto)


def _act_of_house(state: State, move: Penalty | DrawBack | Rule | Timeout) -> Events:
    match state.phase, move:
        case _, Penalty():
            return penalise(state, move)
        case Misdealt(asked=()) as misdealt, DrawBack():
            return draw_back(state.options, misdealt, move)
        case Disputed() as disputed, Rule():
            return claiming.rule(state.options, disputed, move)
        case Grace() as grace, Timeout():
            return (claiming.close(grace),)
        case _:
            raise Refused(Code.HAND_OVER if phase(state) == DONE else Code.WRONG_PHASE)


def _act_of_seat(state: State, seat: Seat, move: gongzhu.Action, *, auto: bool) -> Events:
    options = state.options
    match state.phase, move:
        case Playing() as trick, Play(cards=cards):
            return playing.play(options, trick, seat, cards, auto=auto)
        case Playing() as trick, Claim():
            return claiming.claim(options, trick, seat, move)
        case (Exposing() as asking, Pass() | Expose()):
            return exposing.answer(options, asking, seat, _given(move))
        case (FirstExposing() as asking, Pass() | Expose()):
            return exposing.answer_first(options, asking, seat, _given(move))
        case Claiming() as claimed, Accept():
            return claiming.accept(options, claimed, seat)
        case (Claiming() | Grace() as claimed, Challenge()):
            return claiming.challenge(options, claimed, seat)
        case Misdealt(asked=asked) as misdealt, Consent(accept=accept) if asked:
            return consent(misdealt, seat, accept=accept)
        case Cutting() as cutting, Cut(at=at):
            return cut(cutting, seat, at)
        case CutDeck(), Cut():
            raise Refused(Code.NOT_YOUR_TURN)
        case _:
            raise Refused(Code.HAND_OVER if phase(state) == DONE else Code.WRONG_PHASE)


def _check_ruling(move: gongzhu.Action | Timeout) -> None:
    if isinstance(move, Rule):
        named = (move.assign is not UNSET) + (move.to is not UNSET)
        if named != (move.ruling == "adjust"):
            raise Refused(Code.BAD_ACTION, "adjust names exactly one of assign and to, another ruling neither")


# --- actions as they are sent ------------------------------------------------------------------------------------


def _given(move: Pass | Expose) -> Answer:
    return Answer(move.cards, move.dark) if isinstance(move, Expose) else Answer()


def _answer(given: Answer) -> Action:
    if not given.cards:
        return {"type": "pass"}
    action: dict[str, Any] = {"type": "expose", "cards": list(given.cards)}
    return action | {"dark": True} if given.dark else action


def _play(cards: Cards) -> Action:
    return {"type": "play", "cards": list(cards)}
