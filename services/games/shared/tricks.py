"""What games of tricks share."""

from collections.abc import Iterable

from schemas.cards import RANKS, Card, Seat

RANK_OF = {rank: place for place, rank in enumerate(RANKS)}


def highest_of_led_suit(plays: Iterable[tuple[Seat, Card]]) -> Seat:
    """Who wins a trick without trumps, the first play being the lead; of two equal cards the earlier one wins."""
    (winner, best), *others = plays
    for seat, card in others:
        if card[1] == best[1] and RANK_OF[card[0]] > RANK_OF[best[0]]:
            winner, best = seat, card
    return winner
