"""The deal: antes, then one card down and one up (show_hand, One hand)."""

from schemas.events import Events
from services.games.game import Shuffle
from services.games.shared.poker.dealing import antes, hand_dealt
from services.games.shared.poker.options import players
from services.games.shared.poker.play import begun
from services.games.shared.poker.state import Between
from services.games.show_hand.options import can_play, pack
from services.games.show_hand.state import State
from services.games.show_hand.streets import RULES, open_round


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between() as between:
            options = state.options
            seats = players(options, state.stacks, can_play)
            dealt = hand_dealt(between, seats, shuffle(pack(options)), down=1, up=1)
            events: Events = (dealt, *antes(state.stacks, seats, options.ante))
            return begun(RULES, state, events, open_round)
        case _:
            raise ValueError("no hand is to be dealt")
