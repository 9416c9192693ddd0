"""The referee's part of the fishing game: what may be done, and what it does (cassino §5, §8, §9)."""

from collections.abc import Callable

from schemas import cassino
from schemas.actions import Action
from schemas.cards import SUITS, Card, Seat
from schemas.cassino import Build, Pass, Take, Trail
from schemas.events import Events
from schemas.refusals import Code
from schemas.views import Legal
from services.games.cassino import turns
from services.games.cassino.options import RANKS, Options, cards_of
from services.games.cassino.state import Hand, Playing, State, build_of
from services.games.cassino.taking import POINTS, Move, builds, takes, takes_build, wins_scoring_card
from services.games.game import Refused
from services.games.shared.rules import NOTHING, reader

_PASS: Action = {"type": "pass"}

_read: Callable[[Action], cassino.Action] = reader(cassino.Action)


# --- what may be done --------------------------------------------------------------------------------------------


def legal(state: State, seat: Seat | None) -> Legal:
    """What the seat may do: all proper takes and builds; beside them the wrong takes, where they are accepted."""
    match state.phase:
        case Playing(turn=turn, hand=hand, trails=trails) if seat == turn:
            if trails:
                return Legal(choices=tuple([_trail(card) for card in hand.held[turn]]))
            return Legal(choices=_choices(state.options, hand, turn), also=_wrong_takes(state.options, hand, turn))
        case _:
            return NOTHING


def _choices(options: Options, hand: Hand, seat: Seat) -> tuple[Action, ...]:
    possible = takes(options, hand, seat)
    choices = [_move("take", move) for move in possible]
    made = builds(hand, seat, needs_card=options.build_needs_card)
    if made and (options.build_condition == "free" or not wins_scoring_card(possible)):
        choices += [_move("build", move) for move in made]
    if not possible and not (made if options.build_needs_card else builds(hand, seat, needs_card=True)):
        choices.append(_PASS)
    return tuple(choices)


def _wrong_takes(options: Options, hand: Hand, seat: Seat) -> tuple[Action, ...]:
    """Any cards that are free, with the own build or without it, may be tried (cassino §5)."""
    if options.wrong_take == "reject" or not hand.held[seat]:
        return ()
    card, free, own = {"of": hand.held[seat]}, hand.table, build_of(hand, seat)
    counts = [*range(len(free) + 1)]
    tried: list[Action] = []
    if free:
        tried.append({"type": "take", "card": card, "cards": {"some": free, "counts": counts[1:]}})
    if own is not None:
        tried.append({"type": "take", "card": card, "cards": {"some": free, "counts": counts, "with": own.cards}})
    return tuple(tried)


def timeout(state: State, seat: Seat | None) -> Action:
    """What stands in for the answer of a seat that is waited for (cassino §9). Raises Refused: wrong_phase."""
    match state.phase:
        case Playing(turn=turn, hand=hand, trails=True) if seat == turn:
            return _trail(min(hand.held[turn], key=_worth))
        case Playing(turn=turn, hand=hand) if seat == turn:
            return _first(state.options, hand, turn)
        case _:
            raise Refused(Code.WRONG_PHASE)


def _worth(card: Card) -> tuple[bool, int, int]:
    """What is laid first: no scoring card, then by value, then c d h s (cassino §9)."""
    return card in POINTS, RANKS.index(card[0]), -SUITS.index(card[1])


def _first(options: Options, hand: Hand, seat: Seat) -> Action:
    """The own build if it can be taken, else the first take, else pass, else the first build (cassino §9)."""
    possible = sorted(map(_in_order, takes(options, hand, seat)))
    own = build_of(hand, seat)
    for move in possible:
        if takes_build(own, move[1]):
            return _move("take", move)
    if possible:
        return _move("take", possible[0])
    if not builds(hand, seat, needs_card=True):
        return _PASS
    made = builds(hand, seat, needs_card=options.build_needs_card)
    return _move("build", min(map(_in_order, made)))


def _in_order(move: Move) -> Move:
    return move[0], tuple(sorted(move[1]))


def seals(_state: State, _seat: Seat | None, _action: Action) -> bool:
    """No action is sealed: all is laid open as it is played (cassino §9)."""
    return False


# --- what it does ------------------------------------------------------------------------------------------------


def act(state: State, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: ARG001, FBT001  # as Game has it
    """What an action does. Raises Refused in the order of cassino §8."""
    move = _read(action)
    _check_pack(state.options, move)
    match state.phase:
        case Playing() as playing:
            if seat != playing.turn:
                raise Refused(Code.NOT_YOUR_TURN)
        case _:
            raise Refused(Code.HAND_OVER)
    match move:
        case Take(card=card, cards=cards) if not playing.trails:
            return turns.take(state.options, playing, card, cards)
        case Build(card=card, cards=cards) if not playing.trails:
            return turns.build(state.options, playing, card, cards)
        case Pass() if not playing.trails:
            return turns.pass_(state.options, playing)
        case Trail(card=card) if playing.trails:
            return turns.trail(state.options, playing, card)
        case _:
            raise Refused(Code.WRONG_PHASE)


def _check_pack(options: Options, move: cassino.Action) -> None:
    if options.deck < 52 and not _is_of_pack(options, move):
        raise Refused(Code.BAD_ACTION, "there is no such card in this pack")


def _is_of_pack(options: Options, move: cassino.Action) -> bool:
    match move:
        case Take() | Build():
            return cards_of(options).issuperset((move.card, *move.cards))
        case Trail():
            return move.card in cards_of(options)
        case Pass():
            return True


def _move(kind: str, move: Move) -> Action:
    return {"type": kind, "card": move[0], "cards": list(move[1])}


def _trail(card: Card) -> Action:
    return {"type": "trail", "card": card}
