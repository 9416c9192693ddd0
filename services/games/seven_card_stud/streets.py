"""The streets of seven-card stud: cards, bring-in, who opens, bet sizes (seven_card_stud, One hand)."""

from schemas.cards import Card, Cards, Seat
from schemas.poker import Chips, Round, StreetDealt
from services.games.seven_card_stud.options import Options, big_bet, bring_in, max_raises
from services.games.seven_card_stud.state import STREETS
from services.games.shared.cards import RANK_OF
from services.games.shared.poker.betting import Turn, left_of, turn_of, with_chips
from services.games.shared.poker.dealing import card_each, to_board
from services.games.shared.poker.play import Rules
from services.games.shared.poker.ranking import SUIT_VALUE, board_strength
from services.games.shared.poker.sizes import limit, no_limit
from services.games.shared.poker.state import Hand

FOURTH, FIFTH, SIXTH, SEVENTH = range(1, len(STREETS))

_DOOR_SUITS = "cdhs"
"""From low to high (seven_card_stud, Bring-in)."""


def deal_street(options: Options, hand: Hand) -> StreetDealt:
    """A card each, or one for all where the deck runs short (seven_card_stud, When the deck runs short)."""
    street = hand.street + 1
    spare = len(hand.stock) - len(hand.live) - (street == SIXTH)
    if spare < 0:
        return to_board(hand, 1, burned=0)
    return card_each(hand, burned=int(options.burn and spare > 0), face_up=street != SEVENTH)


def third_street(options: Options, hand: Hand, stacks: Chips) -> Round | None:
    """The round that the lowest door card must bring in; None where fewer than two seats have chips."""
    if sum(stacks[seat] > 0 for seat in hand.live) < 2:
        return None
    lowest = min(hand.live, key=lambda seat: _door(hand.up[seat][0]))
    waiting = with_chips(left_of(lowest - 1, hand.live), stacks)
    owed = bring_in(options)
    return Round(
        opener=waiting[0],
        waiting=waiting,
        bets=(0,) * len(stacks),
        size=options.small_bet,
        step=options.small_bet,
        bring_in=owed,
        completing=owed < options.small_bet,
    )


def open_round(options: Options, hand: Hand, stacks: Chips) -> Round:
    """The round that the best board opens."""
    small = hand.street < FIFTH or options.structure == "no_limit"
    pair = (
        options.open_pair_big_bet
        and hand.street == FOURTH
        and any(map(_shows_pair, map(hand.up.__getitem__, hand.live)))
    )
    size = options.small_bet if small else big_bet(options)
    opener = _best_board(options, hand)
    return Round(
        opener=opener,
        waiting=with_chips(left_of(opener - 1, hand.live), stacks),
        bets=(0,) * len(stacks),
        size=size,
        bigger=big_bet(options) if pair and big_bet(options) > size else 0,
        step=size,
    )


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


def _shows_pair(cards: Cards) -> bool:
    """Whether two of the cards are of one rank."""
    return len({card[0] for card in cards}) < len(cards)


def _door(card: Card) -> tuple[int, int]:
    return RANK_OF[card[0]], _DOOR_SUITS.index(card[1])


def _best_board(options: Options, hand: Hand) -> Seat:
    """Who shows the best cards; of equal ones the suits decide, or the place from left of the dealer."""
    suits = SUIT_VALUE["standard"] if options.board_tie == "suit" else dict.fromkeys("shdc", 0)
    order = left_of(hand.positions.dealer, hand.live)
    return max(order, key=lambda seat: board_strength(hand.up[seat] + hand.board, suits))


RULES: Rules[Options] = Rules(
    last_street=SEVENTH,
    deal_street=deal_street,
    open_round=open_round,
    turn=turn,
    reveals=lambda options: options.all_in_reveal,
)
