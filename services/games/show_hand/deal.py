"""The deal: antes, then one card down and one up (show_hand, One hand)."""

from schemas.events import Events
from services.games.game import Shuffle
from services.games.shared.poker.dealing import antes, hand_dealt
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
            seats = [seat for seat, stack in enumerate(state.stacks) if can_play(options, stack)]
            dealt = hand_dealt(between, seats, shuffle(pack(options)), down=1, up=1)
            events: Events = (dealt, *antes(state.stacks, seats, options.ante))
            return begun(RULES, state, events, lambda hand, stacks: open_round(options, hand, stacks))
        case _:
            raise ValueError("no hand is to be dealt")
