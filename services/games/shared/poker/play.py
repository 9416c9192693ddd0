"""A hand of poker from action to action: what a seat does, and what is dealt when nobody is left to act."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Generic

from msgspec.structs import replace

from schemas import poker
from schemas.actions import Action
from schemas.cards import Seat
from schemas.events import Event, Events
from schemas.poker import Chips, HandPlayed, HandsShown, Round, RoundOpened, Shown, StreetDealt, UncalledReturned
from schemas.refusals import Code
from schemas.views import Legal
from services.games.game import Refused
from services.games.shared.poker import betting
from services.games.shared.poker.betting import Turn, asked
from services.games.shared.poker.evolve import evolve
from services.games.shared.poker.pots import uncalled
from services.games.shared.poker.showdown import show_order
from services.games.shared.poker.state import Betting, Dealing, Hand, O, State
from services.games.shared.rules import NOTHING, reader


@dataclass(frozen=True, kw_only=True)
class Rules(Generic[O]):
    """What differs between the poker games while a hand is played.

    Attributes:
        last_street: the street after whose round the hands are shown.
        deal_street: the next cards.
        open_round: the round after them, everybody with chips waiting; None where there is none.
        turn: the position of the seat to act.
        reveals: whether hands are shown once all-ins have closed the betting.
    """

    last_street: int
    deal_street: Callable[[O, Hand], StreetDealt]
    open_round: Callable[[O, Hand, Chips], Round | None]
    turn: Callable[[O, Hand, Round, Chips], Turn]
    reveals: Callable[[O], bool]


_read: Callable[[Action], poker.Action] = reader(poker.Action)


def legal(rules: Rules[O], state: State[O], seat: Seat | None) -> Legal:
    """What the seat may do; nothing where it is not waited for."""
    turn = _turn(rules, state)
    return betting.legal(turn) if turn is not None and turn.seat == seat else NOTHING


def timeout(rules: Rules[O], state: State[O], seat: Seat | None) -> Action:
    """What stands in for the answer of a seat (poker §10). Raises Refused: wrong_phase."""
    turn = _turn(rules, state)
    if turn is None or seat is None:
        raise Refused(Code.WRONG_PHASE)
    return betting.timeout(turn)


def seals(_state: object, _seat: Seat | None, _action: Action) -> bool:
    """No action is sealed: all betting is open (poker §9)."""
    return False


def act(rules: Rules[O], state: State[O], seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: ARG001, FBT001  # as Game has it
    """What an action does. Raises Refused in the order of poker §11."""
    move = _move(action)
    if seat is None or not 0 <= seat < len(state.stacks):
        raise Refused(Code.NOT_ALLOWED)
    turn = _turn(rules, state)
    if turn is None:
        raise Refused(Code.HAND_OVER)
    if seat != turn.seat:
        raise Refused(Code.NOT_YOUR_TURN)
    acted = betting.act(turn, move)
    if acted.round.waiting:
        return (acted,)
    after = evolve(state, acted)
    back = _returned(after, acted.round)
    return (acted, *back, *_rest(rules, reduce(evolve, back, after)))


def begun(rules: Rules[O], state: State[O], dealt: Events, first: Callable[[Hand, Chips], Round | None]) -> Events:
    """A deal with all that follows it until a seat is asked: the first round, or all cards where nobody can bet."""
    state = reduce(evolve, dealt, state)
    match state.phase:
        case Dealing(hand=hand):
            opened = _opened(state, first(hand, state.stacks))
        case _:
            raise ValueError("no hand is to be dealt")
    return (*dealt, *opened, *_rest(rules, reduce(evolve, opened, state)))


def _turn(rules: Rules[O], state: State[O]) -> Turn | None:
    match state.phase:
        case Betting(hand=hand, round=current) if current.waiting:
            return rules.turn(state.options, hand, current, state.stacks)
        case _:
            return None


def _move(action: Action) -> poker.Action:
    """The action as the games know it. Raises Refused: bad_amount where it is a wager but for that, bad_action."""
    try:
        return _read(action)
    except Refused as refused:
        wagers = action.get("type") in ("bet", "raise", "complete") and action.keys() <= {"type", "amount"}
        raise Refused(Code.BAD_AMOUNT if wagers else refused.code, refused.detail) from None


# --- when nobody is left to act ----------------------------------------------------------------------------------


def _rest(rules: Rules[O], state: State[O]) -> Events:
    """What follows until a seat is asked or the hand is played."""
    events: list[Event] = []
    while isinstance(state.phase, Dealing):
        step = _step(rules, state, state.phase.hand)
        state = reduce(evolve, step, state)
        events += step
    return tuple(events)


def _step(rules: Rules[O], state: State[O], hand: Hand) -> Events:
    """The end of the hand, or the next street and its round."""
    if len(hand.live) == 1 or hand.street == rules.last_street:
        return (HandPlayed(),)
    closed = sum([state.stacks[seat] > 0 for seat in hand.live]) < 2
    dealt: list[Event] = [*_reveal(hand)] if closed and rules.reveals(state.options) else []
    dealt.append(rules.deal_street(state.options, hand))
    if closed:
        return tuple(dealt)
    after = reduce(evolve, dealt, state)
    match after.phase:
        case Dealing(hand=hand):
            return (*dealt, *_opened(after, rules.open_round(state.options, hand, state.stacks)))
        case _:
            return tuple(dealt)


def _reveal(hand: Hand) -> Events:
    """All seats in show before the remaining cards are dealt (poker §8)."""
    order = [seat for seat in show_order(hand) if seat not in hand.shown]
    return (HandsShown(hands=tuple(Shown(seat, hand.down[seat]) for seat in order)),) if order else ()


def _opened(state: State[O], new: Round | None) -> Events:
    match state.phase:
        case Dealing(hand=hand) if new is not None:
            waiting = asked(hand.live, state.stacks, new.bets, new.to_match, new.waiting)
            opened = RoundOpened(round=replace(new, waiting=waiting))
            return (opened,) if waiting else (opened, *_returned(state, new))
        case _:
            return ()


def _returned(state: State[O], over: Round) -> Events:
    """What nobody could or would match, once a round is over (poker §5)."""
    match state.phase:
        case Dealing(hand=hand) if back := uncalled(over.bets, hand.live):
            return (UncalledReturned(seat=back[0], amount=back[1]),)
        case _:
            return ()
