"""Points as they are made, and the scorer's part of Piquet: a hand, and the end of a match (piquet §5, §6)."""

from functools import reduce

from schemas.cards import Seat
from schemas.events import Events
from schemas.piquet import HandScored, MatchEnded, Part, Scored
from services.games.piquet.evolve import evolve
from services.games.piquet.options import SEATS, Options
from services.games.piquet.state import Hand, State, hand_of, other, running, total
from services.games.shared.score import Points, added, seats_with
from services.games.shared.state import Unscored
from services.games.shuffle import SHARES

BONUS_AT = 30
REPIQUE, PIQUE = 60, 30
"""piquet §5.3"""

IN_PLAY: tuple[Part, ...] = ("lead", "capture", "last")

RUBICON = 100
"""Who loses a partie with fewer points pays both totals (piquet §6)."""

EXTRA_HANDS = 2


def scored(options: Options, hand: Hand, seat: Seat, part: Part, points: int) -> Events:
    """The points that a seat makes, if any, and the bonus that comes with reaching 30 (piquet §5.3)."""
    if points == 0:
        return ()
    made = Scored(seat=seat, part=part, points=points)
    before, opponent = running(hand.parts[seat]), running(hand.parts[other(seat)])
    is_first = before < BONUS_AT <= before + points and opponent < BONUS_AT
    if not is_first or (options.blank_opponent and opponent > 0):
        return (made,)
    if part in IN_PLAY:
        return made, Scored(seat=seat, part="pique", points=PIQUE)
    return made, Scored(seat=seat, part="repique", points=REPIQUE)


def score(state: State) -> Events:
    """Score the hand, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    match state.phase:
        case Unscored(hand=hand):
            tricks = _for_tricks(state.options, hand)
        case _:
            raise ValueError("no hand is to be scored")
    after = hand_of(reduce(evolve, tricks, state)) or hand
    scores = tuple(map(total, after.parts))
    result = HandScored(
        hand_no=hand.hand_no,
        scores=scores,
        totals=added(state.totals, scores),
        next_dealer=other(hand.dealer),
    )
    if not _is_over(state.options, result):
        return *tricks, result
    return *tricks, result, _ended(state.options, result.totals)


def _for_tricks(options: Options, hand: Hand) -> tuple[Scored, ...]:
    """What most tricks count, or all of them (piquet §5.4)."""
    for seat in range(SEATS):
        tricks = hand.tricks.count(seat)
        if tricks == 12:
            capot = Scored(seat=seat, part="capot", points=40)
            return (capot,) if options.capot == "replaces" else (Scored(seat=seat, part="cards", points=10), capot)
        if tricks >= 7:
            return (Scored(seat=seat, part="cards", points=10),)
    return ()


def _is_over(options: Options, result: HandScored) -> bool:
    """Whether the match ends with this hand (piquet §6); it does so too when there can be no other deal."""
    best, worst = max(result.totals), min(result.totals)
    if result.hand_no >= SHARES:
        return True
    match options.match_end:
        case "over":
            return best > options.target and best > worst
        case "reach":
            return best >= options.target and best > worst
        case "partie":
            last = options.partie_hands
            return (result.hand_no == last and best > worst) or result.hand_no >= last + EXTRA_HANDS


def _ended(options: Options, totals: Points) -> MatchEnded:
    best, worst = max(totals), min(totals)
    winners = seats_with(best, totals)
    if options.match_end != "partie":
        return MatchEnded(winners=winners, settlement=None)
    if len(winners) == SEATS:
        return MatchEnded(winners=winners, settlement=(0,) * SEATS)
    stake = RUBICON + (best - worst if worst >= RUBICON else best + worst)
    return MatchEnded(winners=winners, settlement=tuple(stake if s in winners else -stake for s in range(SEATS)))
