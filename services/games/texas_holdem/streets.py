"""The streets of Texas hold'em: the board, who opens, bet sizes (texas_holdem, One hand)."""

from schemas.poker import Chips, Round, StreetDealt
from services.games.shared.poker.betting import Turn, left_of, turn_of, with_chips
from services.games.shared.poker.dealing import to_board
from services.games.shared.poker.play import Rules
from services.games.shared.poker.sizes import limit, no_limit
from services.games.shared.poker.state import Hand
from services.games.texas_holdem.options import Options, big_bet, max_raises, small_bet
from services.games.texas_holdem.state import STREETS

PREFLOP, FLOP, TURN, RIVER = range(len(STREETS))


def deal_street(options: Options, hand: Hand) -> StreetDealt:
    """Three cards for the board, then one, then one."""
    return to_board(hand, 3 if hand.street == PREFLOP else 1, burned=int(options.burn))


def preflop(options: Options, hand: Hand, stacks: Chips, *, bets: Chips) -> Round:
    """The round after the blinds, which are its first bets; the big blind is owed in full (texas_holdem, Blinds)."""
    big = hand.positions.dealer if hand.positions.big is None else hand.positions.big
    opener, *_ = order = left_of(big, hand.live)
    return Round(
        opener=opener,
        waiting=with_chips(order, stacks),
        bets=bets,
        size=_size(options, hand),
        to_match=options.big_blind,
        step=options.big_blind,
        base=options.big_blind,
    )


def open_round(options: Options, hand: Hand, stacks: Chips) -> Round:
    """The round that the first seat in left of the button opens."""
    opener, *_ = order = left_of(hand.positions.dealer, hand.live)
    size = _size(options, hand)
    return Round(opener=opener, waiting=with_chips(order, stacks), bets=(0,) * len(stacks), size=size, step=size)


def turn(options: Options, hand: Hand, betting: Round, stacks: Chips) -> Turn:
    """The position of the seat to act."""
    seat = betting.waiting[0]
    sizes = limit if options.structure == "limit" else no_limit
    return turn_of(
        hand.live,
        stacks,
        betting,
        sizes(betting, betting.bets[seat] + stacks[seat]),
        max_raises=max_raises(options),
        free_fold=options.free_fold,
    )


def _size(options: Options, hand: Hand) -> int:
    if options.structure == "no_limit":
        return options.big_blind
    return small_bet(options) if hand.street < TURN else big_bet(options)


RULES: Rules[Options] = Rules(
    last_street=RIVER,
    deal_street=deal_street,
    open_round=open_round,
    turn=turn,
    reveals=lambda options: options.all_in_reveal,
)
