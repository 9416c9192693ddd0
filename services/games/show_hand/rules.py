"""The referee's part of show hand: what may be done, and what it does (poker §3, §4)."""

from schemas.actions import Action
from schemas.cards import Seat
from schemas.events import Events
from schemas.views import Legal
from services.games.shared.poker import play
from services.games.show_hand.state import State
from services.games.show_hand.streets import RULES


def legal(state: State, seat: Seat | None) -> Legal:
    """What the seat may do; nothing where it is not waited for."""
    return play.legal(RULES, state, seat)


def timeout(state: State, seat: Seat | None) -> Action:
    """What stands in for the answer of a seat that is waited for (poker §10). Raises Refused: wrong_phase."""
    return play.timeout(RULES, state, seat)


def seals(_state: State, _seat: Seat | None, _action: Action) -> bool:
    """No action is sealed: all betting is open (poker §9)."""
    return False


def act(state: State, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: ARG001, FBT001  # as Game has it
    """What an action does. Raises Refused in the order of poker §11."""
    return play.act(RULES, state, seat, action)
