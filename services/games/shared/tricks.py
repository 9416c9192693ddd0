"""Tricks without trumps."""

from collections.abc import Iterable

from schemas.cards import Card, Seat
from services.games.shared.cards import RANK_OF


def highest_of_led_suit(plays: Iterable[tuple[Seat, Card]]) -> Seat:
    """Who wins a trick, the first play being the lead; of two equal cards the earlier one wins."""
    (winner, best), *others = plays
    for seat, card in others:
        if card[1] == best[1] and RANK_OF[card[0]] > RANK_OF[best[0]]:
            winner, best = seat, card
    return winner
