"""The referee's part of Fifty-K: what may be done, and what it does (fifty_k §5 to §7, §10, §11)."""

from collections.abc import Callable

from msgspec import UNSET

from schemas import fifty_k
from schemas.actions import Action
from schemas.cards import Card, Cards, Seat
from schemas.events import Events
from schemas.fifty_k import HandPlayed, Pass, Passed, Play, Played, TrickTaken
from schemas.refusals import Code
from schemas.views import Legal
from services.games.fifty_k.combos import PLACE, Combo, combo_text, compare, readings
from services.games.fifty_k.deal import THREE
from services.games.fifty_k.listing import entries
from services.games.fifty_k.options import SEATS, Options
from services.games.fifty_k.state import Hand, Playing, State, points_of
from services.games.game import Refused
from services.games.shared.rules import NOTHING, check_held, reader
from services.games.shared.seats import in_turn
from services.games.shared.total import without

_PASS: Action = {"type": "pass"}
_TIMEOUT_SUITS = "dchs"

_read: Callable[[Action], fifty_k.Action] = reader(fifty_k.Action)


# --- what may be done --------------------------------------------------------------------------------------------


def legal(state: State, seat: Seat | None) -> Legal:
    """Every combination that the seat may play, once each without suits, and a pass (fifty_k §13)."""
    match state.phase:
        case Playing(hand=hand, turn=turn) if seat == turn:
            plays: list[Action] = [
                {"type": "play", "cards": cards, "as": kind}
                for kind, cards in entries(
                    state.options, hand.held[turn], _current(state.options, hand), opening=hand.opening
                )
            ]
            if hand.trick and not (plays and state.options.must_beat):
                plays.append(_PASS)
            return Legal(choices=tuple(plays))
        case _:
            return NOTHING


def _current(options: Options, hand: Hand) -> Combo | None:
    """The play to beat."""
    played = hand.current
    if played is None:
        return None
    return next(combo for combo in readings(options, played.cards) if combo.kind == played.kind)


def timeout(state: State, seat: Seat | None) -> Action:
    """What stands in for the answer of a seat that is waited for (fifty_k §10). Raises Refused: wrong_phase."""
    match state.phase:
        case Playing(hand=hand, turn=turn) if seat is not None:
            if hand.trick:
                return {"type": "pass", "auto": True}
            return {"type": "play", "cards": [THREE if hand.opening else min(hand.held[turn], key=_place)]}
        case _:
            raise Refused(Code.WRONG_PHASE)


def _place(card: Card) -> tuple[int, int]:
    return PLACE[card[0]], _TIMEOUT_SUITS.index(card[1])


def seals(_state: State, _seat: Seat | None, _action: Action) -> bool:
    """All is played openly."""
    return False


# --- what it does ------------------------------------------------------------------------------------------------


def act(state: State, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: FBT001  # as Game has it
    """What an action does. Raises Refused in the order of fifty_k §11."""
    move = _read(action)
    match state.phase:
        case Playing(hand=hand, turn=turn):
            if seat != turn:
                raise Refused(Code.NOT_YOUR_TURN)
        case _:
            raise Refused(Code.HAND_OVER)
    if isinstance(move, Pass):
        _check_pass(state.options, hand, turn, auto=auto)
        return _passed(state.options, hand, turn)
    return _played(state.options, hand, turn, move.cards, _reading(state.options, hand, turn, move))


def _check_pass(options: Options, hand: Hand, seat: Seat, *, auto: bool) -> None:
    if not hand.trick:
        raise Refused(Code.CANNOT_PASS)
    if options.must_beat and not auto:
        beating = entries(options, hand.held[seat], _current(options, hand), opening=False)
        if next(beating, None) is not None:
            raise Refused(Code.MUST_BEAT)


def _reading(options: Options, hand: Hand, seat: Seat, move: Play) -> Combo:
    """The kind that the cards are played as. Raises Refused (fifty_k §11)."""
    cards = move.cards
    check_held(hand.held[seat], cards)
    combos = [combo for combo in readings(options, cards) if move.kind in (UNSET, combo.kind)]
    if not combos:
        raise Refused(Code.BAD_COMBINATION)
    if hand.opening and THREE not in cards:
        raise Refused(Code.MUST_INCLUDE_3S)
    current = _current(options, hand)
    if current is None:
        return combos[0]
    verdicts = [compare(combo, current) for combo in combos]
    if "beats" in verdicts:
        return combos[verdicts.index("beats")]
    raise Refused(Code.TOO_LOW if "low" in verdicts else Code.WRONG_KIND)


def _played(options: Options, hand: Hand, seat: Seat, cards: Cards, combo: Combo) -> Events:
    """fifty_k §7"""
    held = (*hand.held[:seat], without(hand.held[seat], cards), *hand.held[seat + 1 :])
    finished = not held[seat]
    over = finished and not held[_partner(seat)]
    passed = hand.passed if options.pass_is_final else ()
    following = None if over else _next(held, seat, owner=seat, passed=passed)
    played = Played(
        seat=seat,
        cards=cards,
        kind=combo.kind,
        combo=combo_text(combo.kind, cards),
        finished=finished,
        next=following,
    )
    points = hand.points + points_of(cards)
    if over:
        return played, HandPlayed(ender=seat, points=points, hands=held)
    return (played,) if following is not None else (played, _taken(options, held, seat, points))


def _passed(options: Options, hand: Hand, seat: Seat) -> Events:
    owner = hand.trick[-1].seat
    following = _next(hand.held, seat, owner=owner, passed=(*hand.passed, seat))
    passed = Passed(seat=seat, next=following)
    return (passed,) if following is not None else (passed, _taken(options, hand.held, owner, hand.points))


def _partner(seat: Seat) -> Seat:
    return (seat + 2) % SEATS


def _next(held: tuple[Cards, ...], seat: Seat, *, owner: Seat, passed: tuple[Seat, ...]) -> Seat | None:
    """Who may play after this seat; None where the trick is over (fifty_k §5)."""
    for other in in_turn(seat + 1, seats=SEATS)[:-1]:
        if held[other] and other != owner and other not in passed:
            return other
    return None


def _taken(options: Options, held: tuple[Cards, ...], owner: Seat, points: int) -> TrickTaken:
    """The owner captures the trick, and leads if he can (fifty_k §5)."""
    first = _partner(owner) if options.lead_after_out == "partner" and held[_partner(owner)] else owner + 1
    after = next(seat for seat in in_turn(first, seats=SEATS) if held[seat])
    return TrickTaken(winner=owner, points=points, leader=owner if held[owner] else after)
