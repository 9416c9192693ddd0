"""The deal: who is dealt what, the turn-up, who attacks first, who may exchange (durak §2, §3)."""

from schemas.cards import SUITS, Card, Cards, Seat, Suit
from schemas.durak import ExchangeEnded, HandDealt
from schemas.events import Events
from schemas.sealed import Sealed
from services.games.durak.options import Options, dealt_size, pack
from services.games.durak.state import State
from services.games.game import Shuffle
from services.games.shared.cards import RANK_OF
from services.games.shared.deal import for_nobody, for_seats, one_by_one
from services.games.shared.state import Between


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between(hand_no=hand_no, dealer=dealer):
            deck = shuffle(pack(state.options))
            hands = hands_of(state.options, deck, dealer, seats=len(state.totals))
            return dealt(state.options, hand_no, dealer, deck, hands)
        case _:
            raise ValueError("no hand is to be dealt")


def hands_of(options: Options, deck: Cards, dealer: Seat, *, seats: int) -> tuple[Cards, ...]:
    """Each seat's cards, dealt from the seat after the dealer on (durak §2)."""
    return one_by_one(deck[: seats * dealt_size(options)], first=(dealer + 1) % seats, seats=seats)


def turn_up_of(stock: Cards) -> Card | None:
    """The first card of the stock that is no joker; it is laid under it (durak §2)."""
    return next((card for card in stock if card[0] != "X"), None)


def dealt(options: Options, hand_no: int, dealer: Seat, deck: Cards, hands: tuple[Cards, ...]) -> Events:
    """What follows from these hands being dealt off a deck with a turn-up: the question to exchange, or play at once.

    Raises ValueError where nothing can be turned up.
    """
    turn_up = turn_up_of(deck[sum(map(len, hands)) :])
    if turn_up is None:
        raise ValueError("no card can be turned up")
    main = first_attacker(options, hands, turn_up[1], dealer)
    holder = holder_of(hands, turn_up) if options.exchange == "before_play" else None
    event = hand_dealt(hand_no, dealer, deck, hands, turn_up=turn_up, trump=turn_up[1], main=main, holder=holder)
    if options.exchange == "before_play" and holder is None:
        return event, ExchangeEnded(swapped=False, turn_up=turn_up)  # durak §3
    return (event,)


def hand_dealt(
    hand_no: int,
    dealer: Seat,
    deck: Cards,
    hands: tuple[Cards, ...],
    *,
    turn_up: Card | None,
    trump: Suit,
    main: Seat,
    holder: Seat | None,
) -> HandDealt:
    """The event of a deal."""
    return HandDealt(
        hand_no=hand_no,
        dealer=dealer,
        deck=for_nobody("deck", deck),
        hands=for_seats(hands),
        turn_up=turn_up,
        trump=trump,
        main=main,
        defender=(main + 1) % len(hands),
        holder=None if holder is None else Sealed("holder", holder, audience=(holder,)),
    )


def first_attacker(options: Options, hands: tuple[Cards, ...], trump: Suit, dealer: Seat) -> Seat:
    """Who attacks first: the hands as dealt count (durak §2)."""
    wanted: dict[str, Cards] = {
        "dealer": (),
        "lowest_two": tuple("2" + suit for suit in SUITS),
        "lowest_trump": tuple(rank + trump for rank in RANK_OF),
    }
    for card in wanted[options.first_attacker]:
        for seat, cards in enumerate(hands):
            if card in cards:
                return seat
    return dealer


def holder_of(hands: tuple[Cards, ...], turn_up: Card) -> Seat | None:
    """Who holds the trump 2 and could swap it for the turn-up."""
    return next((seat for seat, cards in enumerate(hands) if "2" + turn_up[1] in cards), None)
