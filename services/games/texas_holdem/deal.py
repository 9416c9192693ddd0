"""The deal: antes and blinds, then two cards down (texas_holdem, One hand)."""

from functools import partial

from schemas.cards import Seat
from schemas.events import Events
from schemas.poker import AntesPosted, BlindKind, BlindPosted, Chips, Positions
from services.games.game import Shuffle
from services.games.shared.poker.dealing import antes, hand_dealt
from services.games.shared.poker.options import players
from services.games.shared.poker.play import begun
from services.games.shared.poker.state import Between
from services.games.shared.total import put
from services.games.texas_holdem.options import Options, can_play, pack
from services.games.texas_holdem.state import State
from services.games.texas_holdem.streets import RULES, preflop


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between() as between:
            options = state.options
            seats = players(options, state.stacks, can_play)
            dealt = hand_dealt(between, seats, shuffle(pack(options)), down=2, up=0)
            posted = _posted(options, state.stacks, between.positions, seats)
            bets = (0,) * len(state.stacks)
            for event in posted:
                if isinstance(event, BlindPosted) and event.kind != "ante":
                    bets = put(bets, event.seat, event.amount)
            return begun(RULES, state, (dealt, *posted), partial(preflop, bets=bets))
        case _:
            raise ValueError("no hand is to be dealt")


def _posted(
    options: Options, stacks: Chips, positions: Positions, seats: tuple[Seat, ...]
) -> tuple[AntesPosted | BlindPosted, ...]:
    """Antes, the big blind's ante, small and big blind; who has less posts what he has."""
    posted: list[AntesPosted | BlindPosted] = [*antes(stacks, seats, options.ante)]
    left = [stack - min(options.ante, stack) for stack in stacks]
    owed: tuple[tuple[Seat | None, BlindKind, int], ...] = (
        (positions.big, "ante", options.big_blind_ante),
        (positions.small, "small", options.small_blind),
        (positions.big, "big", options.big_blind),
    )
    for seat, kind, amount in owed:
        if seat is not None and seat in seats and (paid := min(amount, left[seat])):
            left[seat] -= paid
            posted.append(BlindPosted(seat=seat, kind=kind, amount=paid))
    return tuple(posted)
