"""The scorer's part of the fishing game: the score of a hand, and the end of a match (cassino §6, §7)."""

from schemas.cards import Card, Cards, Seat
from schemas.cassino import HandScored, MatchEnded, Side
from schemas.events import Events
from services.games.cassino.options import Options
from services.games.cassino.state import Hand, Penalties, State
from services.games.cassino.taking import POINTS
from services.games.shared.score import added, seats_with
from services.games.shared.state import Unscored
from services.games.shuffle import SHARES

TEAMS: tuple[tuple[Seat, ...], ...] = ((0, 2), (1, 3))


def score(state: State) -> Events:
    """Score the hand, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    match state.phase:
        case Unscored(hand=hand):
            scored = _score_hand(state, hand)
        case _:
            raise ValueError("no hand is to be scored")
    if not _is_over(state.options, scored):
        return (scored,)
    return scored, MatchEnded(winners=seats_with(max(scored.totals), scored.totals))


def _score_hand(state: State, hand: Hand) -> HandScored:
    options, seats = state.options, len(hand.held)
    leftovers = tuple(sum(map(_cost, cards)) for cards in hand.held)
    units = TEAMS if options.teams else tuple((seat,) for seat in range(seats))
    piles = [tuple(card for seat in unit for card in hand.piles[seat]) for unit in units]
    fines = [sum(_fine(hand.penalties[seat]) + leftovers[seat] for seat in unit) for unit in units]
    sides = _sides(options, piles, fines)
    nets = {seat: side.net for unit, side in zip(units, sides, strict=True) for seat in unit}
    scores = tuple(nets[seat] for seat in range(seats))
    return HandScored(
        hand_no=hand.hand_no,
        leftovers=leftovers,
        sides=sides,
        scores=scores,
        totals=added(state.totals, scores),
        next_dealer=(hand.dealer + 1) % seats,
    )


def _cost(card: Card) -> int:
    """What a card left in hand costs (cassino §6)."""
    return POINTS.get(card, 1)


def _fine(penalties: Penalties) -> int:
    return penalties.build + penalties.misplay


def _sides(options: Options, piles: list[Cards], fines: list[int]) -> tuple[Side, ...]:
    """What each side has made of the hand (cassino §7)."""
    cards = [len(pile) for pile in piles]
    spades = [sum(card[1] == "s" for card in pile) for pile in piles]
    points = [sum(POINTS.get(card, 0) for card in pile) for pile in piles]
    card_bonus = _bonus(options, cards, of=options.deck, worth=2)
    spade_bonus = _bonus(options, spades, of=options.deck // 4, worth=1)
    return tuple(
        Side(
            cards=cards[i],
            spades=spades[i],
            points=points[i],
            card_bonus=card_bonus[i],
            spade_bonus=spade_bonus[i],
            penalty=fines[i],
            net=points[i] + card_bonus[i] + spade_bonus[i] - fines[i],
        )
        for i in range(len(piles))
    )


def _bonus(options: Options, counts: list[int], *, of: int, worth: int) -> list[int]:
    """Who has his share of so many cards, rounded up, gets the bonus (cassino §7)."""
    enough = -(-of // len(counts))
    reached = [count >= enough for count in counts]
    if options.majority == "most":
        reached = [
            has and counts.count(max(counts)) == 1 and count == max(counts)
            for has, count in zip(reached, counts, strict=True)
        ]
    return [worth if has else 0 for has in reached]


def _is_over(options: Options, scored: HandScored) -> bool:
    """Whether the match ends with this hand (cassino §7); it does so too when there can be no other deal."""
    if scored.hand_no >= SHARES:
        return True
    if options.match_target is None:
        return scored.hand_no >= options.match_hands
    return max(scored.totals) >= options.match_target
