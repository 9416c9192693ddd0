"""A hand of poker from action to action: what a seat does, and what is dealt when nobody is left to act."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Generic

from msgspec.structs import replace

from schemas import poker
from schemas.actions import Action
from schemas.cards import Seat
from schemas.events import Events
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

Opener = Callable[[O, Hand, Chips], Round | None]
"""The round that now begins, everybody with chips waiting; None where there is none."""


@dataclass(frozen=True, kw_only=True)
class Rules(Generic[O]):
    """What differs between the poker games while a hand is played.

    Attributes:
        last_street: the street after whose round the hands are shown.
        deal_street: the next cards.
        open_round: the round after them.
        turn: the position of the seat to act.
        reveals: whether hands are shown once all-ins have closed the betting.
    """

    last_street: int
    deal_street: Callable[[O, Hand], StreetDealt]
    open_round: Opener[O]
    turn: Callable[[O, Hand, Round, Chips], Turn]
    reveals: Callable[[O], bool]


_read: Callable[[Action], poker.Action] = reader(poker.Action)


def legal(rules: Rules[O], state: State[O], seat: Seat | None) -> Legal:
    """What the seat may do; nothing where it is not waited for."""
    current = _betting(state)
    if current is None or seat != current.round.waiting[0]:
        return NOTHING
    return betting.legal(_turn(rules, state, current))


def timeout(rules: Rules[O], state: State[O], seat: Seat | None) -> Action:
    """What stands in for the answer of a seat (poker §10). Raises Refused: wrong_phase."""
    current = _betting(state)
    if current is None or seat is None:
        raise Refused(Code.WRONG_PHASE)
    return betting.timeout(_turn(rules, state, current))


def seals(_state: object, _seat: Seat | None, _action: Action) -> bool:
    """No action is sealed: all betting is open (poker §9)."""
    return False


def act(rules: Rules[O], state: State[O], seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: ARG001, FBT001  # as Game has it
    """What an action does. Raises Refused in the order of poker §11."""
    move = _move(action)
    if seat is None or not 0 <= seat < len(state.stacks):
        raise Refused(Code.NOT_ALLOWED)
    current = _betting(state)
    if current is None:
        raise Refused(Code.HAND_OVER)
    if seat != current.round.waiting[0]:
        raise Refused(Code.NOT_YOUR_TURN)
    acted = betting.act(_turn(rules, state, current), move)
    if acted.round.waiting:
        return (acted,)
    return _over(rules, (acted,), evolve(state, acted), acted.round)


def begun(rules: Rules[O], state: State[O], dealt: Events, first: Opener[O]) -> Events:
    """A deal with all that follows it until a seat is asked: the first round, or all cards where nobody can bet.

    Raises ValueError where no hand is to be dealt.
    """
    return (*dealt, *_opened(rules, reduce(evolve, dealt, state), first))


def _betting(state: State[O]) -> Betting | None:
    """The round that is on, if there is one."""
    return state.phase if isinstance(state.phase, Betting) and state.phase.round.waiting else None


def _turn(rules: Rules[O], state: State[O], current: Betting) -> Turn:
    return rules.turn(state.options, current.hand, current.round, state.stacks)


def _move(action: Action) -> poker.Action:
    """The action as the games know it. Raises Refused: bad_amount where it is a wager but for that, bad_action."""
    try:
        return _read(action)
    except Refused as refused:
        wagers = action.get("type") in ("bet", "raise", "complete") and action.keys() <= {"type", "amount"}
        raise Refused(Code.BAD_AMOUNT if wagers else refused.code, refused.detail) from None


# --- when nobody is left to act ----------------------------------------------------------------------------------


def _rest(rules: Rules[O], state: State[O]) -> Events:
    """What follows until a seat is asked or the hand is played: its end, or the next street and its round."""
    match state.phase:
        case Dealing(hand=hand):
            pass
        case _:
            return ()
    if len(hand.live) == 1 or hand.street == rules.last_street:
        return (HandPlayed(),)
    closed = sum([state.stacks[seat] > 0 for seat in hand.live]) < 2
    revealed = _reveal(hand) if closed and rules.reveals(state.options) else ()
    dealt = (*revealed, rules.deal_street(state.options, hand))
    after = reduce(evolve, dealt, state)
    return (*dealt, *(_rest(rules, after) if closed else _opened(rules, after, rules.open_round)))


def _reveal(hand: Hand) -> Events:
    """All seats in show before the remaining cards are dealt (poker §8)."""
    order = [seat for seat in show_order(hand) if seat not in hand.shown]
    return (HandsShown(hands=tuple(Shown(seat, hand.down[seat]) for seat in order)),) if order else ()


def _opened(rules: Rules[O], state: State[O], first: Opener[O]) -> Events:
    """The round, if there is one, and where nobody has anything to decide in it what follows."""
    match state.phase:
        case Dealing(hand=hand):
            new = first(state.options, hand, state.stacks)
        case _:
            raise ValueError("no hand is to be dealt")
    if new is None:
        return _rest(rules, state)
    waiting = asked(hand.live, state.stacks, new.bets, new.to_match, new.waiting)
    opened = RoundOpened(round=replace(new, waiting=waiting))
    if waiting:
        return (opened,)
    return _over(rules, (opened,), evolve(state, opened), new)


def _over(rules: Rules[O], events: Events, state: State[O], over: Round) -> Events:
    """The events that end a round, what nobody could or would match in it (poker §5), and what follows."""
    match state.phase:
        case Dealing(hand=hand) if back := uncalled(over.bets, hand.live):
            returned = UncalledReturned(seat=back[0], amount=back[1])
            return (*events, returned, *_rest(rules, evolve(state, returned)))
        case _:
            return (*events, *_rest(rules, state))
