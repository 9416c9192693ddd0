"""The scorer's part of Gongzhu: the score of a hand, totals, and the end of a match (gongzhu §7 to §9)."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import RANKS, Seat
from schemas.events import Events
from schemas.gongzhu import Capture, HandScored, MatchEnded, Mode, Penalty, PenaltyGiven
from services.games.gongzhu.evolve import evolve
from services.games.gongzhu.options import SEATS, Options
from services.games.gongzhu.sides import ALONE, OPPOSITE, Unit, sides
from services.games.gongzhu.state import EXPOSABLE, HEART_ACE, PIG, SHEEP, TRANSFORMER, Hand, State
from services.games.shared.score import Points, added
from services.games.shared.state import Ended, Unscored
from services.games.shuffle import SHARES

FACTORS: Mapping[Mode | None, int] = {None: 1, "open": 2, "dark": 2, "forced": 2, "first": 4}
"""What exposing multiplies by (gongzhu §4)."""

HEART_VALUES: Mapping[str, Mapping[str, int]] = {
    "standard": dict(zip(RANKS, (0, 0, 0, -10, -10, -10, -10, -10, -10, -20, -30, -40, -50), strict=True)),
    "face": dict(zip(RANKS, (-2, -3, -10, -5, -6, -7, -8, -9, -10, -20, -30, -40, -50), strict=True)),
}
"""gongzhu §7.1"""


# --- one hand ----------------------------------------------------------------------------------------------------


class _Worth(Struct, frozen=True):
    """A point card with its factor f and the doubling q of self-capture (gongzhu §7.2)."""

    card: str
    factor: int
    own: int


def scores(options: Options, hand: Hand) -> Points:
    """Each seat's score of a hand (gongzhu §7.2)."""
    result = dict.fromkeys(range(SEATS), 0)
    units = sides(options, hand) if options.all_red_unit == "side" else None
    for unit in units or ALONE:
        for seat, score in _unit_scores(options, hand, unit).items():
            result[seat] = score
    return tuple(result.values())


def _unit_scores(options: Options, hand: Hand, unit: Unit) -> dict[Seat, int]:
    taken = {seat: [c for c in hand.captures if c.taker == seat] for seat in unit}
    cards = [c.card for captures in taken.values() for c in captures]
    red = sum(card[1] == "h" for card in cards) == 13 * options.decks
    slam = len(cards) == 16 * options.decks
    flip = slam or (options.pig_flip == "all_hearts" and red and cards.count(PIG) == options.decks)
    whole = slam and options.slam_exposed == "whole"
    factors = [FACTORS[e.mode] for e in hand.exposed]
    aces = [FACTORS[e.mode] for e in hand.exposed if e.card == HEART_ACE]
    worth = _plain if whole else partial(_worth, options)
    formula = partial(
        _formula, hearts=HEART_VALUES[options.heart_values], ace=1 if whole else prod(aces), red=red, flip=flip
    )
    times = prod(factors) if whole else 1
    return {seat: formula([worth(c) for c in captures]) * times for seat, captures in taken.items()}


def _plain(capture: Capture) -> _Worth:
    return _Worth(capture.card, 1, 1)


def _worth(options: Options, capture: Capture) -> _Worth:
    own = options.self_capture and capture.card in EXPOSABLE and capture.owner == capture.taker
    return _Worth(capture.card, FACTORS[capture.mode], 2 if own else 1)


def _formula(taken: list[_Worth], *, hearts: Mapping[str, int], ace: int, red: bool, flip: bool) -> int:
    """H, P, S and T of gongzhu §7.2, and what they make."""

    def total(card: str, value: int) -> int:
        return sum(value * c.factor * c.own for c in taken if c.card == card)

    if taken and all(c.card == TRANSFORMER for c in taken):
        return total(TRANSFORMER, 50)
    h = sum(hearts[c.card[0]] * ace * c.own for c in taken if c.card[1] == "h")
    p = total(PIG, -100)
    s = total(SHEEP, 100)
    t = prod(2 * c.factor * c.own for c in taken if c.card == TRANSFORMER)
    return ((-h if red else h) + (-p if flip else p) + s) * t


def _per_side(units: tuple[Unit, ...], points: Points) -> Points:
    return tuple(sum(points[seat] for seat in unit) for unit in units)


def _credits(units: tuple[Unit, ...] | None, points: Points) -> Points:
    """A seat's score, or its side's (gongzhu §8)."""
    if units is None:
        return points
    totals = _per_side(units, points)
    return tuple(totals[side] for seat in range(SEATS) for side, unit in enumerate(units) if seat in unit)


def final(options: Options, hand: Hand, points: Points) -> Points:
    """What a hand changes each seat's total by (gongzhu §8)."""
    units = sides(options, hand)
    credit = result = _credits(units, points)
    if options.final_score == "zero_sum":
        everybody = sum(points)
        result = tuple((SEATS * c if units is None else 2 * c) - everybody for c in credit)
    if options.event == "island" and options.partnership == "opposite":
        return _island(hand, result)
    return result


def _island(hand: Hand, points: Points) -> Points:
    """The one managed seat of a losing side bears both finals (gongzhu §8)."""
    result = list(points)
    for unit in OPPOSITE:
        managed = [seat for seat in unit if hand.managed[seat]]
        if len(managed) == 1 and points[unit[0]] < 0:
            for seat in unit:
                result[seat] = sum(points[s] for s in unit) if seat in managed else 0
    return tuple(result)


def pig_taker(hand: Hand) -> Seat | None:
    """Who took the pig, the last one in time."""
    takers = [capture.taker for capture in hand.captures if capture.card == PIG]
    return takers[-1] if takers else None


# --- the match ---------------------------------------------------------------------------------------------------


def score(state: State) -> Events:
    """Score the hand, and end the match where it ends. Raises ValueError where no hand is to be scored."""
    match state.phase:
        case Unscored(hand=hand):
            scored = _score_hand(state, hand)
        case _:
            raise ValueError("no hand is to be scored")
    after = evolve(state, scored)
    if not _is_over(state.options, scored):
        return (scored,)
    return scored, _end(after, hand, scored)


def penalise(state: State, penalty: Penalty) -> Events:
    """Penalty points, and the end of the match anew where it is over (gongzhu §9)."""
    given = PenaltyGiven(seat=penalty.seat, points=penalty.points, reason=penalty.reason)
    match state.phase:
        case Ended(last=last, result=result):
            return given, _end(evolve(state, given), last, result)
        case _:
            return (given,)


def _score_hand(state: State, hand: Hand) -> HandScored:
    options, units = state.options, sides(state.options, hand)
    points = scores(options, hand)
    finals = final(options, hand, points)
    scored = HandScored(
        hand_no=hand.deal.hand_no,
        sides=units,
        scores=points,
        side_scores=None if units is None else _per_side(units, points),
        final=finals,
        raw_totals=added(state.raw_totals, _credits(units, points)),
        totals=added(state.totals, finals),
        next_dealer=None,
        next_leader=None,
    )
    return scored if _is_over(options, scored) else _with_next(options, hand, scored)


def _with_next(options: Options, hand: Hand, scored: HandScored) -> HandScored:
    taker = pig_taker(hand)
    turn = (options.first_dealer + hand.deal.hand_no) % SEATS
    dealer, leader = {
        "pig_taker": (taker, taker),
        "opening_card": (taker, None),
        "rotate": (turn, turn),
    }[options.leader_rule]
    return replace(scored, next_dealer=dealer, next_leader=leader)


def _units(options: Options) -> tuple[Unit, ...]:
    """Who wins and loses together (gongzhu §9)."""
    return OPPOSITE if options.partnership == "opposite" else ALONE


def _twice_mean(points: Points, unit: Unit) -> int:
    """Twice the mean of the unit's seats, so that it stays a whole number."""
    return 2 * sum(points[seat] for seat in unit) // len(unit)


def _is_over(options: Options, scored: HandScored) -> bool:
    """Whether the match ends with this hand (gongzhu §9); it does so too when there can be no other deal."""
    compared = scored.raw_totals if options.threshold_on == "raw" else scored.totals
    values = [_twice_mean(compared, unit) for unit in _units(options)]
    limit = min(options.hands_limit or SHARES, SHARES)
    return any(_is_lost(options, v) or _is_won(options, v) for v in values) or scored.hand_no >= limit


def _is_lost(options: Options, twice: int) -> bool:
    return options.lose_at is not None and _is_beyond(options, 2 * options.lose_at - twice)


def _is_won(options: Options, twice: int) -> bool:
    return options.win_at is not None and _is_beyond(options, twice - 2 * options.win_at)


def _is_beyond(options: Options, distance: int) -> bool:
    return distance >= 0 if options.threshold == "reach" else distance > 0


def _end(state: State, last: Hand, result: HandScored) -> MatchEnded:
    """Ranking, winners and pigs (gongzhu §9)."""
    options, units = state.options, _units(state.options)
    standing = {unit: _twice_mean(state.totals, unit) + _penalties(state, unit) for unit in units}
    ranking = _ranking(options, standing, result)
    winners, pigs = ranking[0], _pigs(state, ranking)
    if options.double_pig:
        best, worst = max(standing.values()), min(standing.values())
        pigs = _seats(unit for unit in units if standing[unit] in (best, worst))
        winners = next((group for group in ranking if not set(group) & set(pigs)), ())
    return MatchEnded(
        winners=winners,
        pigs=pigs,
        ranking=ranking,
        match_final=added(state.totals, state.penalties),
        next_dealer=_next_shuffler(standing, last),
    )


def _penalties(state: State, unit: Unit) -> int:
    """Twice the penalty points of the unit's seats, to stand beside twice its mean."""
    return 2 * sum(state.penalties[seat] for seat in unit)


def _pigs(state: State, ranking: tuple[Unit, ...]) -> Unit:
    """All units beyond lose_at, penalties counted; the last group where there are none."""
    compared = state.raw_totals if state.options.threshold_on == "raw" else state.totals
    lost = _seats(
        unit
        for unit in _units(state.options)
        if _is_lost(state.options, _twice_mean(compared, unit) + _penalties(state, unit))
    )
    return lost or ranking[-1]


def _ranking(options: Options, standing: Mapping[Unit, int], result: HandScored) -> tuple[Unit, ...]:
    """Groups of equal units from best to worst, after the tie-breaks of the event."""

    def last_hand(unit: Unit) -> int:
        return _twice_mean(result.final, unit)

    def registered(unit: Unit) -> int:
        return -min(options.registration.index(seat) for seat in unit)

    tie_breaks: tuple[Callable[[Unit], int], ...] = {
        "tournament": (last_hand, registered),
        "swiss": (registered,),
        "casual": (),
        "island": (),
    }[options.event]
    merit = {unit: (value, *(f(unit) for f in tie_breaks)) for unit, value in standing.items()}
    levels = sorted(set(merit.values()), reverse=True)
    return tuple(_seats(unit for unit in merit if merit[unit] == level) for level in levels)


def _next_shuffler(standing: Mapping[Unit, int], last: Hand) -> Seat:
    """The lowest seat; of several the last pig taker if among them, else the one of lowest number (gongzhu §9)."""
    lowest = _seats(unit for unit in standing if standing[unit] == min(standing.values()))
    taker = pig_taker(last)
    return taker if taker is not None and taker in lowest else lowest[0]


def _seats(units: Iterable[Unit]) -> Unit:
    return tuple(sorted(seat for unit in units for seat in unit))
