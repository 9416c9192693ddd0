"""The deck that a recorded hand was dealt from: known cards where they must have lain, others in between."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from replay.formats.phh.hand import Recorded, seat_of
from schemas.cards import PACK, Card, Cards, Seat
from schemas.digest import digest
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shuffle import shuffle

UNKNOWN = "??"

Slot = tuple[Card, Seat | None]
"""A card, or UNKNOWN, and the seat that got it."""


class Dealt(Struct, frozen=True):
    """What the file says of the cards.

    Attributes:
        deck: in dealing order, as far as the hand was dealt.
        folded: the seats that gave up.
    """

    deck: tuple[Slot, ...]
    folded: frozenset[Seat]

    @property
    def unknown(self) -> set[Seat]:
        """The seats in at the end of which a card is not known."""
        return {seat for card, seat in self.deck if card == UNKNOWN and seat is not None} - self.folded

    def filled(self, attempt: int) -> Cards:
        """A whole deck with unused cards in place of the unknown ones, other ones with every attempt."""
        known = {card for card, _ in self.deck}
        rest = tuple(card for card in PACK if card not in known)
        spare = iter(shuffle(rest, digest("fairdeal/phh", attempt)) if attempt else rest)
        deck = tuple(next(spare) if card == UNKNOWN else card for card, _ in self.deck)
        return (*deck, *spare)


def dealt(hand: Recorded) -> Dealt:
    """The deck of a recorded hand. Raises Refused: bad_deal, bad_message."""
    own: list[list[Card]] = [[] for _ in range(hand.seats)]
    board: list[Card] = []
    folded: set[Seat] = set()
    for words in hand.actions:
        match words:
            case ("d", "dh", player, cards):
                own[_seat(hand, player)] += _cards(cards)
            case ("d", "db", cards):
                board += _cards(cards)
            case ("d", *_) | (_, "sd", *_):
                raise Refused(Code.BAD_MESSAGE, f"{' '.join(words)} is not dealing in this game")
            case (player, "f"):
                folded.add(_seat(hand, player))
            case (player, "sm", cards) if cards != "-":
                _learn(own[_seat(hand, player)], _cards(cards))
            case _:
                pass
    slots = _stud(own, board) if hand.variant == "F7S" else _holdem(own, board)
    deck = tuple(slots)
    known = [card for card, _ in deck if card != UNKNOWN]
    if len(set(known)) < len(known) or len(deck) > len(PACK) or not {*known} <= {*PACK}:
        raise Refused(Code.BAD_DEAL)
    return Dealt(deck, frozenset(folded))


def _seat(hand: Recorded, player: str) -> Seat:
    seat = seat_of(player)
    if not 0 <= seat < hand.seats:
        raise Refused(Code.BAD_MESSAGE, f"{player} is no player of this hand")
    return seat


def _cards(text: str) -> list[Card]:
    return [text[place : place + 2] for place in range(0, len(text), 2)]


def _learn(own: list[Card], shown: list[Card]) -> None:
    """Cards that are shown take the places of those that were not known."""
    new = iter([card for card in shown if card != UNKNOWN and card not in own])
    for place, card in enumerate(own):
        if card == UNKNOWN:
            own[place] = next(new, UNKNOWN)


def _holdem(own: list[list[Card]], board: list[Card]) -> Iterator[Slot]:
    if any(len(cards) not in (0, 2) for cards in own) or len(board) > 5:
        raise Refused(Code.BAD_DEAL, "two cards each and a board of five")
    yield from _rounds(own, 2)
    for street in (board[:3], board[3:4], board[4:]):
        if street:
            yield UNKNOWN, None
            yield from ((card, None) for card in street)


def _stud(own: list[list[Card]], board: list[Card]) -> Iterator[Slot]:
    """Three cards each, then a street at a time, with the burn cards that our rules say."""
    yield from _rounds(own, 3)
    left = len(PACK) - 3 * len(own)
    community = iter(board)
    for place in range(3, 7):
        seats = [seat for seat, cards in enumerate(own) if len(cards) > place]
        if seats:
            burned = left > len(seats) + (place == 5)
            yield from [(UNKNOWN, None)] * burned
            yield from ((own[seat][place], seat) for seat in seats)
            left -= len(seats) + burned
        elif (card := next(community, None)) is not None:
            yield card, None
            left -= 1


def _rounds(own: Iterable[list[Card]], count: int) -> Iterator[Slot]:
    """So many cards each, one at a time."""
    for place in range(count):
        for seat, cards in enumerate(own):
            yield (cards[place] if place < len(cards) else UNKNOWN), seat
