"""A betting round: whose turn it is, what he may do, and what it does (poker §3, §4)."""

from bisect import bisect

from msgspec import Struct
from msgspec.structs import replace

from schemas.actions import Action
from schemas.cards import Seat
from schemas.poker import Acted, AllIn, Bet, BringIn, Call, Check, Chips, Complete, Fold, Raise, Round, Verb
from schemas.poker import Action as Move
from schemas.refusals import Code
from schemas.views import Legal
from services.games.game import Refused
from services.games.shared.poker.sizes import Sizes
from services.games.shared.total import put

Live = tuple[Seat, ...]


class Turn(Struct, frozen=True, kw_only=True):
    """The position of the seat that is to act.

    Attributes:
        live: the seats in.
        cost: what it must pay to stay in.
        reach: its total in the round if it puts in everything.
        barred: why it may not bet or raise; None where it may.
        free_fold: it may fold though it has nothing to pay.
        must_bet: it may not check.
    """

    seat: Seat
    live: Live
    stacks: Chips
    round: Round
    sizes: Sizes
    cost: int
    reach: int
    barred: Code | None
    free_fold: bool
    must_bet: bool

    @property
    def top(self) -> int:
        """The largest amount of a wager, whatever its least."""
        most = self.sizes.most
        top = self.reach if most is None else min(most, self.reach)
        step = self.sizes.step
        return top - (top - self.sizes.least) % step if step else top

    @property
    def calls_all_in(self) -> bool:
        """Whether the whole stack is no more than a call."""
        return 0 < self.cost == self.stacks[self.seat] and not self.sizes.is_table_limit


def turn_of(
    live: Live,
    stacks: Chips,
    betting: Round,
    sizes: Sizes,
    *,
    max_raises: int | None,
    free_fold: bool,
    must_bet: bool = False,
) -> Turn:
    """The position of the seat to act in a round that is on."""
    seat = betting.waiting[0]
    bet = betting.bets[seat]
    return Turn(
        seat=seat,
        live=live,
        stacks=stacks,
        round=betting,
        sizes=sizes,
        cost=cost(live, stacks, betting.bets, betting.to_match, seat),
        reach=bet + stacks[seat],
        barred=_barred(live, stacks, betting, sizes, max_raises),
        free_fold=free_fold,
        must_bet=must_bet and betting.to_match == 0,
    )


def left_of(seat: Seat, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Seats, given from the lowest up, in order of play from the one left of `seat`; this one, if there, is last."""
    first = bisect(seats, seat)
    return seats[first:] + seats[:first]


def with_chips(seats: tuple[Seat, ...], stacks: Chips) -> tuple[Seat, ...]:
    """Those of the seats that have chips, in their order."""
    return tuple([seat for seat in seats if stacks[seat]])


def cost(live: Live, stacks: Chips, bets: Chips, to_match: int, seat: Seat) -> int:
    """What a seat must pay to stay in: never more than some opponent can match (poker §4)."""
    owed = to_match - bets[seat]
    if owed <= 0:
        return 0
    most = 0
    for other in live:
        if other != seat and bets[other] + stacks[other] > most:
            most = bets[other] + stacks[other]
            if most >= to_match:
                break
    return max(0, min(stacks[seat], owed, most - bets[seat]))


def asked(live: Live, stacks: Chips, bets: Chips, to_match: int, waiting: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Of the seats still to act those who have something to decide, from the next turn on (poker §4, who acts)."""
    if len(live) < 2:
        return ()
    while waiting and not _can_decide(live, stacks, bets, to_match, waiting[0]):
        waiting = waiting[1:]
    return waiting


def _can_decide(live: Live, stacks: Chips, bets: Chips, to_match: int, seat: Seat) -> bool:
    """Whether another seat in has chips, or this one has something to pay."""
    for other in live:
        if other != seat and stacks[other]:
            return True
    return cost(live, stacks, bets, to_match, seat) > 0


def _barred(live: Live, stacks: Chips, betting: Round, sizes: Sizes, max_raises: int | None) -> Code | None:
    """Why the seat to act may not bet, raise or complete (poker §4, right to bet or raise)."""
    seat, to_match, bets = betting.waiting[0], betting.to_match, betting.bets
    if max_raises is not None and betting.raises >= max_raises and sizes.is_raise:
        return Code.RAISE_CAP
    if betting.closed or (seat in betting.acted and to_match - bets[seat] < sizes.reopens):
        return Code.RAISING_CLOSED
    for other in live:
        if other != seat and stacks[other] and bets[other] + stacks[other] > to_match:
            return None
    return Code.NO_ONE_TO_CALL


# --- what may be done --------------------------------------------------------------------------------------------


def legal(turn: Turn) -> Legal:
    """What the seat to act may do: actions as they are sent, with ranges of amounts, and what each comes to."""
    choices: list[Action] = []
    facts: list[Action] = []

    def offer(action: Action, **told: int) -> None:
        choices.append(action)
        facts.append(told)

    stack = turn.stacks[turn.seat]
    if turn.round.bring_in:
        offer({"type": "bring_in"}, amount=min(stack, turn.round.bring_in))
    else:
        if turn.cost or turn.free_fold:
            offer({"type": "fold"})
        if turn.cost:
            offer({"type": "call"}, cost=turn.cost)
        elif not turn.must_bet:
            offer({"type": "check"})
    may_wager = turn.barred is None and (not turn.round.bring_in or turn.round.completing)
    if may_wager and turn.sizes.least <= (top := turn.top):
        offer({"type": _wager(turn.round), "amount": _range(turn.sizes, top)})
    if turn.calls_all_in and not turn.round.bring_in:
        offer({"type": "all_in"}, amount=turn.reach)
    elif may_wager and turn.sizes.all_in is not None and turn.sizes.all_in > turn.round.bring_in:
        offer({"type": "all_in"}, amount=turn.sizes.all_in)
    return Legal(choices=tuple(choices), facts=tuple(facts))


def _wager(betting: Round) -> Verb:
    """The verb of the next wager."""
    if betting.completing:
        return "complete"
    return "raise" if betting.to_match else "bet"


def _range(sizes: Sizes, top: int) -> dict[str, int]:
    least, step = sizes.least, sizes.step
    return {"min": least, "max": top, "step": step} if step and top > least else {"min": least, "max": top}


def timeout(turn: Turn) -> Action:
    """What stands in for an answer that does not come (poker §10)."""
    if turn.round.bring_in:
        return {"type": "bring_in"}
    if turn.must_bet:
        return {"type": "bet", "amount": turn.sizes.least}
    return {"type": "fold"} if turn.cost else {"type": "check"}


# --- what it does ------------------------------------------------------------------------------------------------


def act(turn: Turn, move: Move) -> Acted:
    """What an action of the seat to act does. Raises Refused in the order of poker §11."""
    _check_bring_in(turn, move)
    match move:
        case Fold():
            if not (turn.cost or turn.free_fold):
                raise Refused(Code.FOLD_NOT_NEEDED)
            return _passed(turn, "fold", 0)
        case Check():
            if turn.cost:
                raise Refused(Code.CANNOT_CHECK)
            if turn.must_bet:
                raise Refused(Code.MUST_BET)
            return _passed(turn, "check", 0)
        case Call():
            if not turn.cost:
                raise Refused(Code.NOTHING_TO_CALL)
            return _passed(turn, "call", turn.cost)
        case BringIn():
            return _brought_in(turn)
        case AllIn():
            return _all_in(turn)
        case Bet() | Raise() | Complete():
            _check_wager(turn, move)
            return _wagered(turn, _wager(turn.round), move.amount)


def _check_bring_in(turn: Turn, move: Move) -> None:
    owed, completing = turn.round.bring_in, turn.round.completing
    if not (owed or completing):
        if type(move) in (BringIn, Complete):
            raise Refused(Code.NOT_AVAILABLE)
        return
    match move:
        case BringIn() if not owed:
            raise Refused(Code.NOT_AVAILABLE)
        case Complete() if not completing:
            raise Refused(Code.NOT_AVAILABLE)
        case Bet() | Raise():
            raise Refused(Code.NOT_AVAILABLE)
        case AllIn() if owed and (turn.reach <= owed or (turn.sizes.most is None and not completing)):
            raise Refused(Code.NOT_AVAILABLE)
        case Fold() | Check() | Call() if owed:
            raise Refused(Code.BRING_IN_REQUIRED)
        case _:
            pass


def _check_wager(turn: Turn, move: Bet | Raise | Complete) -> None:
    sizes, amount = turn.sizes, move.amount
    if isinstance(move, Bet) and turn.round.to_match:
        raise Refused(Code.MUST_RAISE)
    if isinstance(move, Raise) and not turn.round.to_match:
        raise Refused(Code.NOTHING_TO_RAISE)
    if turn.barred is not None:
        raise Refused(turn.barred)
    if sizes.least > turn.top:
        raise Refused(Code.LIMIT_REACHED if sizes.is_table_limit else Code.STACK_TOO_SMALL)
    if amount < sizes.least:
        raise Refused(Code.AMOUNT_TOO_SMALL)
    if amount > turn.top:
        raise Refused(Code.AMOUNT_TOO_LARGE)
    if sizes.step and (amount - sizes.least) % sizes.step:
        raise Refused(Code.AMOUNT_NOT_ALLOWED)


def _all_in(turn: Turn) -> Acted:
    if turn.calls_all_in:
        return _passed(turn, "all_in", turn.cost)
    amount = turn.sizes.all_in
    if amount is None and turn.sizes.is_table_limit:
        raise Refused(Code.ALL_IN_NOT_ALLOWED)  # show_hand, Betting: too early comes first
    if turn.barred is not None:
        raise Refused(turn.barred)
    if amount is None:
        raise Refused(Code.ALL_IN_NOT_ALLOWED)
    return _wagered(turn, "all_in", amount)


def _passed(turn: Turn, verb: Verb, paid: int) -> Acted:
    """A fold, check or call: the round goes on to the next seat."""
    seat, betting = turn.seat, turn.round
    stacks = _less(turn, paid) if paid else turn.stacks
    if verb == "fold":
        live = tuple([other for other in turn.live if other != seat])
        bets, acted = betting.bets, betting.acted
    else:
        live = turn.live
        bets, acted = put(betting.bets, seat, betting.bets[seat] + paid), _with(betting.acted, seat)
    waiting = asked(live, stacks, bets, betting.to_match, betting.waiting[1:])
    return Acted(
        seat=seat,
        verb=verb,
        round=replace(betting, waiting=waiting, bets=bets, acted=acted),
        paid=paid,
        to=bets[seat],
        all_in=stacks[seat] == 0,
    )


def _brought_in(turn: Turn) -> Acted:
    """The bring-in is owed in full by the others, whatever its seat could pay (seven_card_stud, Bring-in)."""
    seat, betting = turn.seat, turn.round
    owed = betting.bring_in
    to = min(turn.stacks[seat], owed)
    stacks, bets = _less(turn, to), put(betting.bets, seat, to)
    after = replace(
        betting,
        waiting=asked(turn.live, stacks, bets, owed, betting.waiting[1:]),
        bets=bets,
        to_match=owed,
        base=0 if betting.completing else owed,
        acted=(seat,),
        bring_in=0,
    )
    return Acted(seat=seat, verb="bring_in", round=after, paid=to, to=to, all_in=stacks[seat] == 0)


def _wagered(turn: Turn, verb: Verb, to: int) -> Acted:
    """A bet, raise or completion, full or short: everybody else with chips gets a turn again (poker §4)."""
    seat, betting, sizes = turn.seat, turn.round, turn.sizes
    paid = to - betting.bets[seat]
    stacks, bets = _less(turn, paid), put(betting.bets, seat, to)
    others = tuple([other for other in left_of(seat, turn.live) if other != seat and stacks[other]])
    full = to >= sizes.full
    bigger = betting.bigger and to - betting.base >= betting.bigger
    after = replace(
        betting,
        waiting=asked(turn.live, stacks, bets, to, others),
        bets=bets,
        to_match=to,
        size=betting.bigger if bigger else betting.size,
        bigger=0 if bigger else betting.bigger,
        step=max(betting.size, to - betting.to_match) if full else betting.step,
        base=to if full else betting.base,
        raises=betting.raises + (full and sizes.is_raise),
        acted=(seat,) if full else _with(betting.acted, seat),
        aggressor=seat,
        bring_in=0,
        completing=betting.completing and not full,
        closed=sizes.is_table_limit and to == sizes.all_in,
    )
    all_in = stacks[seat] == 0
    return Acted(seat=seat, verb=verb, round=after, paid=paid, to=to, all_in=all_in, level=after.raises)


def _with(acted: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return acted if seat in acted else (*acted, seat)


def _less(turn: Turn, paid: int) -> Chips:
    return put(turn.stacks, turn.seat, turn.stacks[turn.seat] - paid)
