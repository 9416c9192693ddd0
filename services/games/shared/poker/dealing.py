"""Dealing: cards one at a time from left of the dealer, and the antes (poker §1)."""

from collections.abc import Sequence

from schemas.cards import Cards, Seat
from schemas.poker import AntesPosted, Chips, HandDealt, StreetDealt
from services.games.shared.deal import for_nobody, for_seat
from services.games.shared.poker.betting import left_of
from services.games.shared.poker.state import Between, Hand


def hand_dealt(between: Between, seats: tuple[Seat, ...], deck: Cards, *, down: int, up: int) -> HandDealt:
    """The first cards of a hand, so many face down and then so many face up to each of these seats."""
    order = left_of(between.positions.dealer, seats)
    hands = [deck[place : (down + up) * len(order) : len(order)] for place in range(len(order))]
    return HandDealt(
        hand_no=between.hand_no,
        positions=between.positions,
        seats=order,
        deck=for_nobody("deck", deck),
        down=tuple([for_seat(seat, f"hand.{seat}", cards[:down]) for seat, cards in zip(order, hands, strict=True)]),
        up=tuple([cards[down:] for cards in hands]) if up else (),
    )


def antes(stacks: Chips, seats: Sequence[Seat], ante: int) -> tuple[AntesPosted, ...]:
    """Every seat dealt in pays the ante, or what it has."""
    if not ante:
        return ()
    return (AntesPosted(amounts=tuple(min(ante, s) if seat in seats else 0 for seat, s in enumerate(stacks))),)


def card_each(hand: Hand, *, burned: int, face_up: bool) -> StreetDealt:
    """A card to each seat in, after so many burn cards."""
    order = left_of(hand.positions.dealer, hand.live)
    cards = hand.stock[burned : burned + len(order)]
    return StreetDealt(
        street=hand.street + 1,
        burned=burned,
        seats=order,
        up=cards if face_up else (),
        down=()
        if face_up
        else tuple(for_seat(seat, f"card.{seat}", (card,)) for seat, card in zip(order, cards, strict=True)),
    )


def to_board(hand: Hand, count: int, *, burned: int) -> StreetDealt:
    """So many cards for everybody, after so many burn cards."""
    return StreetDealt(street=hand.street + 1, burned=burned, board=hand.stock[burned : burned + count])
