"""The showdown and the end of a hand: who shows, who wins what, who leaves the match (poker §6 to §8, §12)."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import add, sub
from typing import Generic

from schemas.cards import Seat
from schemas.events import Events
from schemas.poker import (
    Award,
    Bust,
    HandScored,
    HandsMucked,
    HandsShown,
    MatchEnded,
    Positions,
    Shown,
)
from services.games.shared.poker.betting import left_of
from services.games.shared.poker.options import players
from services.games.shared.poker.pots import OddChips, Pot, awarded, pots
from services.games.shared.poker.ranking import Ranking, best_five, strength
from services.games.shared.poker.state import Hand, O, State, cards_of
from services.games.shared.state import Unscored
from services.games.shuffle import SHARES

Players = tuple[Seat, ...]
"""The seats that can play the next hand, in seat order."""


@dataclass(frozen=True, kw_only=True)
class Scoring(Generic[O]):
    """What differs between the poker games once a hand is played.

    Attributes:
        ranking: the order of hands.
        odd_chips: who gets the chips of a split pot that cannot be divided.
        can_play: whether a stack is enough for the next hand.
        next_positions: button and blinds of the next hand.
    """

    ranking: Callable[[O], Ranking]
    odd_chips: Callable[[O, Hand], OddChips]
    can_play: Callable[[O, int], bool]
    next_positions: Callable[[O, Positions, Players], Positions]


def show_order(hand: Hand) -> tuple[Seat, ...]:
    """The seats in, in the order in which they show (poker §8)."""
    if hand.aggressor is not None:
        return left_of(hand.aggressor - 1, hand.live)
    if hand.opener is not None:
        return left_of(hand.opener - 1, hand.live)
    return left_of(hand.positions.dealer, hand.live)


def score(scoring: Scoring[O], state: State[O]) -> Events:
    """Show and award, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    match state.phase:
        case Unscored(hand=hand):
            pass
        case _:
            raise ValueError("no hand is to be scored")
    ranking = scoring.ranking(state.options)
    found = pots(hand.put, hand.live, hand.dead)
    contested = len(hand.live) > 1
    strengths = {seat: strength(cards_of(hand, seat), ranking) if contested else 0 for seat in hand.live}
    odd_chips = scoring.odd_chips(state.options, hand)
    awards = tuple([awarded(pot, strengths, odd_chips) for pot in found])
    shows = _shows(state, hand, ranking, found, strengths) if contested else ()
    scored = _scored(scoring, state, hand, awards)
    ended = () if scored.next is not None else (_ended(state, hand, scored),)
    return (*shows, scored, *ended)


def _shows(state: State[O], hand: Hand, ranking: Ranking, found: list[Pot], strengths: dict[Seat, int]) -> Events:
    order = show_order(hand)
    everybody = hand.shown or state.options.showdown == "all"
    showing = order if everybody else _unbeaten(order, found, strengths)
    shown = HandsShown(
        hands=tuple([Shown(seat, hand.down[seat], best_five(cards_of(hand, seat), ranking)) for seat in showing])
    )
    mucked = tuple([seat for seat in order if seat not in showing])
    return (shown, HandsMucked(seats=mucked)) if mucked else (shown,)


def _unbeaten(order: tuple[Seat, ...], found: list[Pot], strengths: dict[Seat, int]) -> tuple[Seat, ...]:
    """The seats that nothing shown so far beats for some pot, in order (poker §8)."""
    showing: list[Seat] = []
    for seat in order:
        mine = [pot for pot in found if seat in pot.eligible]
        if any(all(strengths[seat] >= strengths[o] for o in showing if o in pot.eligible) for pot in mine):
            showing.append(seat)
    return tuple(showing)


def _scored(scoring: Scoring[O], state: State[O], hand: Hand, awards: tuple[Award, ...]) -> HandScored:
    won = [0] * len(state.stacks)
    for award in awards:
        for seat, share in zip(award.winners, award.shares, strict=True):
            won[seat] += share
    stacks = tuple(map(add, state.stacks, won))
    left = players(state.options, stacks, scoring.can_play)
    over = len(left) < 2 or hand.hand_no >= (state.options.max_hands or SHARES)
    gone = sorted([(hand.start[seat], seat) for seat in hand.seats if seat not in left])
    return HandScored(
        hand_no=hand.hand_no,
        pots=awards,
        scores=tuple(map(sub, stacks, hand.start)),
        stacks=stacks,
        busts=tuple([Bust(seat=seat, hand_no=hand.hand_no, stack=stack) for stack, seat in gone]),
        next=None if over else scoring.next_positions(state.options, hand.positions, left),
    )


def _ended(state: State[O], hand: Hand, scored: HandScored) -> MatchEnded:
    """The places by stack, then by who left later, then by the stack in that hand (poker §12)."""
    busts = {bust.seat: (bust.hand_no, bust.stack) for bust in (*state.busts, *scored.busts)}
    never, last = (0, 0), (scored.hand_no + 1, 0)
    in_play = [seat for seat in hand.seats if seat not in busts]
    merit = {
        seat: (stack, last if seat in in_play else busts.get(seat, never)) for seat, stack in enumerate(scored.stacks)
    }
    levels = sorted(set(merit.values()), reverse=True)
    ranking = tuple(tuple(seat for seat in merit if merit[seat] == level) for level in levels)
    return MatchEnded(
        winners=ranking[0],
        ranking=ranking,
        scores=tuple(map(sub, scored.stacks, state.start)),
    )


def by_position(dealer: Seat) -> OddChips:
    """Odd chips go to the winners from left of the dealer on (poker §7, hold'em)."""
    return lambda winners: left_of(dealer, winners)
