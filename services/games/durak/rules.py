"""The referee's part of Durak: what may be done, and what it does (durak §4, §10)."""

from collections.abc import Callable
from typing import assert_never

from schemas import durak
from schemas.actions import Action
from schemas.cards import Card, Cards, Seat
from schemas.durak import Attack, Defend, Exchange, Exchanged, ExchangeEnded, Pass, PickUp
from schemas.events import Events
from schemas.refusals import Code
from schemas.views import Legal
from services.games.durak import battle
from services.games.durak.options import Options
from services.games.durak.state import Attacking, Battle, Defending, Exchanging, Hand, State, Throwing, turn_of
from services.games.game import Refused
from services.games.shared.cards import RANK_OF
from services.games.shared.rules import NOTHING, check_held, reader
from services.games.shared.state import Between, Ended, Unscored

_EXCHANGE: Action = {"type": "exchange"}
_PASS: Action = {"type": "pass"}
_PICK_UP: Action = {"type": "pick_up"}
_SUITS = "shdc"

_read: Callable[[Action], durak.Action] = reader(durak.Action)


# --- what may be done --------------------------------------------------------------------------------------------


def legal(state: State, seat: Seat | None) -> Legal:
    """Every action of the seat; nothing where it is not waited for."""
    match state.phase:
        case Attacking(hand=hand) if seat == hand.main:
            return _listed(state.options, hand, hand.main, "attack", hand.held[hand.main])
        case Defending(hand=hand) if seat == hand.defender:
            beating = battle.defences(state.options, hand)
            return _listed(state.options, hand, hand.defender, "defend", beating, _PICK_UP)
        case Throwing(hand=hand, asked=asked) if seat == asked:
            return _listed(state.options, hand, asked, "attack", battle.throw_ins(hand, asked), _PASS)
        case Exchanging(holder=holder) if seat == holder:
            return Legal(choices=(_EXCHANGE, _PASS))
        case _:
            return NOTHING


def _listed(options: Options, hand: Hand, seat: Seat, verb: str, cards: Cards, *others: Action) -> Legal:
    if battle.can_exchange(options, hand, seat):
        others = (*others, _EXCHANGE)
    return Legal(choices=(*[{"type": verb, "card": card} for card in cards], *others))


def timeout(state: State, seat: Seat | None) -> Action:
    """What stands in for the answer of a seat that is waited for (durak §10). Raises Refused: wrong_phase."""
    match state.phase:
        case Attacking(hand=hand) if seat is not None:
            return {"type": "attack", "card": _lowest(hand)}
        case Defending() if seat is not None:
            return _PICK_UP
        case Throwing() | Exchanging() if seat is not None:
            return _PASS
        case _:
            raise Refused(Code.WRONG_PHASE)


def _lowest(hand: Hand) -> Card:
    """The lowest card of the main attacker, plain suits before trumps before jokers (durak §10)."""

    def place(card: Card) -> tuple[int, int, int]:
        if card[0] == "X":
            return 2, "br".index(card[1]), 0
        return int(card[1] == hand.trump), RANK_OF[card[0]], _SUITS.index(card[1])

    return min(hand.held[hand.main], key=place)


def seals(state: State, _seat: Seat | None, _action: Action) -> bool:
    """What the holder of the trump 2 answers is sealed, as who he is (durak §3)."""
    return isinstance(state.phase, Exchanging)


# --- what it does ------------------------------------------------------------------------------------------------


def act(state: State, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: ARG001, FBT001  # as Game has it
    """What an action does. Raises Refused in the order of durak §10."""
    move = _read(action)
    match state.phase:
        case Between() | Unscored() | Ended():
            raise Refused(Code.HAND_OVER)
        case Exchanging(hand=hand, holder=holder):
            if seat != holder:
                raise Refused(Code.NOT_YOUR_TURN)
            return _answer(hand, move)
        case Attacking() | Defending() | Throwing():
            return _fight(state, state.phase, seat, move)
        case _:
            assert_never(state.phase)


def _answer(hand: Hand, move: durak.Action) -> Events:
    """The holder of the trump 2 exchanges, or does not; both look the same but for the turn-up (durak §3)."""
    if hand.turn_up is None or not isinstance(move, (Exchange, Pass)):
        raise Refused(Code.WRONG_PHASE)
    if isinstance(move, Exchange):
        return (ExchangeEnded(swapped=True, turn_up="2" + hand.trump),)
    return (ExchangeEnded(swapped=False, turn_up=hand.turn_up),)


def _fight(state: State, current: Battle, seat: Seat | None, move: durak.Action) -> Events:
    hand = current.hand
    turn = turn_of(current)
    if seat != turn:
        raise Refused(Code.NOT_YOUR_TURN)
    match current, move:
        case _, Exchange():
            if not battle.can_exchange(state.options, hand, turn):
                raise Refused(Code.CANNOT_EXCHANGE)
            return (Exchanged(seat=turn, turn_up="2" + hand.trump),)
        case Attacking(), Pass():
            raise Refused(Code.MUST_ATTACK)
        case ((Attacking() | Throwing()), Attack(card=card)):
            check_held(hand.held[turn], (card,))
            if isinstance(current, Throwing) and card[0] not in battle.ranks_on(hand):
                raise Refused(Code.RANK_NOT_ON_TABLE)
            return battle.attack(state.options, hand, turn, card)
        case Defending(), Defend(card=card):
            check_held(hand.held[turn], (card,))
            _check_beats(state.options, hand, card)
            return battle.defend(state, hand, card)
        case Defending(), PickUp():
            return battle.pick_up(state, hand)
        case Throwing(), Pass():
            return battle.decline(state, hand, turn)
        case _:
            raise Refused(Code.WRONG_PHASE)


def _check_beats(options: Options, hand: Hand, card: Card) -> None:
    match battle.answer(options, hand, card):
        case "barred":
            raise Refused(Code.MUST_FOLLOW)
        case "low":
            raise Refused(Code.DOES_NOT_BEAT)
        case "beats":
            pass
