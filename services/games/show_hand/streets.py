"""The streets of show hand: a card up, who opens, and how much may be bet (show_hand, One hand and Betting)."""

from schemas.poker import Chips, Round, StreetDealt
from services.games.shared.poker.betting import Turn, left_of, turn_of
from services.games.shared.poker.dealing import card_each
from services.games.shared.poker.play import Rules
from services.games.shared.poker.ranking import SUIT_VALUE, board_strength
from services.games.shared.poker.sizes import Sizes, is_raise, least
from services.games.shared.poker.state import Hand
from services.games.show_hand.options import Options
from services.games.show_hand.state import STREETS


def deal_street(options: Options, hand: Hand) -> StreetDealt:
    """The next card, face up to every seat in."""
    return card_each(hand, burned=int(options.burn), face_up=True)


def open_round(options: Options, hand: Hand, stacks: Chips) -> Round | None:
    """The round that the best face-up cards open; None where the table limit is below the minimum bet."""
    if min(stacks[seat] for seat in hand.live) - _keep(options, hand) < options.min_bet:
        return None
    opener = max(hand.live, key=lambda seat: board_strength(hand.up[seat], SUIT_VALUE["show_hand"]))
    return Round(
        opener=opener,
        waiting=left_of(opener - 1, hand.live),
        bets=(0,) * len(stacks),
        size=options.min_bet,
        step=options.min_bet,
    )


def turn(options: Options, hand: Hand, betting: Round, stacks: Chips) -> Turn:
    """The position of the seat to act; the limit is what every seat in can follow."""
    follow = min([betting.bets[seat] + stacks[seat] for seat in hand.live])
    return turn_of(
        hand.live,
        stacks,
        betting,
        _table_limit(betting, follow, keep=_keep(options, hand)),
        max_raises=options.max_raises,
        free_fold=options.free_fold,
        must_bet=options.opener_must_bet,
    )


def _table_limit(betting: Round, follow: int, *, keep: int) -> Sizes:
    """Any amount that all can follow and keep so many chips; who keeps none may show hand (show_hand, Betting)."""
    lowest = least(betting)
    return Sizes(
        least=lowest,
        most=follow - keep,
        full=lowest,
        reopens=betting.step,
        is_raise=is_raise(betting),
        all_in=None if keep else follow,
        is_table_limit=True,
    )


def _keep(options: Options, hand: Hand) -> int:
    """What every seat must keep for the last round: nothing once show hand is allowed."""
    return 0 if hand.street + 2 >= options.show_hand_from else options.min_bet


RULES: Rules[Options] = Rules(
    last_street=len(STREETS) - 1,
    deal_street=deal_street,
    open_round=open_round,
    turn=turn,
    reveals=lambda _: False,
)
