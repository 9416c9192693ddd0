"""The deal: antes, then two cards down and the door card up (seven_card_stud, One hand)."""

from schemas.events import Events
from services.games.game import Shuffle
from services.games.seven_card_stud.options import can_play, pack
from services.games.seven_card_stud.state import State
from services.games.seven_card_stud.streets import RULES, third_street
from services.games.shared.poker.dealing import antes, hand_dealt
from services.games.shared.poker.options import players
from services.games.shared.poker.play import begun
from services.games.shared.poker.state import Between


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between() as between:
            options = state.options
            seats = players(options, state.stacks, can_play)
            dealt = hand_dealt(between, seats, shuffle(pack(options)), down=2, up=1)
            events: Events = (dealt, *antes(state.stacks, seats, options.ante))
            return begun(RULES, state, events, third_street)
        case _:
            raise ValueError("no hand is to be dealt")
