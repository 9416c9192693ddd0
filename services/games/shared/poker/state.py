"""The state of a match of a poker game, and how events change it: what was decided stands in the event."""

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar, assert_never

from msgspec import Struct
from msgspec.structs import replace

from schemas import poker
from schemas.cards import Cards, Seat
from schemas.events import Event
from schemas.log import Due
from schemas.poker import (
    Acted,
    AntesPosted,
    BlindPosted,
    Bust,
    Chips,
    HandDealt,
    HandPlayed,
    HandScored,
    HandsMucked,
    HandsShown,
    MatchEnded,
    Positions,
    Round,
    RoundOpened,
    StreetDealt,
    UncalledReturned,
)
from services.games.game import DONE
from services.games.shared.total import opened, put


class PokerOptions(Protocol):
    """The options that all poker games have (poker §12)."""

    @property
    def starting_stack(self) -> int:
        """Every seat's chips, where `stacks` says nothing."""
        ...

    @property
    def stacks(self) -> tuple[int, ...] | None:
        """Each seat's chips at the start of the match."""
        ...

    @property
    def dealer(self) -> Seat | None:
        """The first dealer."""
        ...

    @property
    def max_hands(self) -> int | None:
        """The number of hands in a match; None for no limit."""
        ...


O = TypeVar("O", bound=PokerOptions)  # noqa: E741  # as Opt in game.py, where every letter would do


class Hand(Struct, frozen=True, kw_only=True):
    """One hand.

    Attributes:
        seats: those dealt in, from left of the dealer.
        live: the seats in: dealt in and not folded; in seat order.
        start: all stacks before the hand.
        stock: what is left of the deck, in dealing order.
        down: face-down cards of each seat of the match.
        up: face-up cards of each seat.
        board: cards that belong to everybody.
        street: how many rounds of cards were dealt after the first.
        put: chips of each seat in this hand, antes included.
        dead: chips in the main pot that count for no seat.
        returned: chips that nobody matched.
        opener: of the last betting round; None before the first.
        aggressor: who bet or raised last in it.
        faces: the face-down cards that each seat has turned up.
        shown: the seats that showed their hands, in this order.
        mucked: those that kept them closed.
    """

    hand_no: int
    positions: Positions
    seats: tuple[Seat, ...]
    live: tuple[Seat, ...]
    start: Chips
    stock: Cards
    down: tuple[Cards, ...]
    up: tuple[Cards, ...]
    put: Chips
    returned: Chips
    faces: tuple[Cards, ...]
    board: Cards = ()
    street: int = 0
    dead: int = 0
    opener: Seat | None = None
    aggressor: Seat | None = None
    shown: tuple[Seat, ...] = ()
    mucked: tuple[Seat, ...] = ()


class Between(Struct, frozen=True, kw_only=True):
    """No hand is in play, and the next one is to be dealt; `last` and `result` tell of the one before."""

    hand_no: int
    positions: Positions
    last: Hand | None = None
    result: HandScored | None = None


class Dealing(Struct, frozen=True, kw_only=True):
    """Cards are being dealt; no commit ends here."""

    hand: Hand


class Betting(Struct, frozen=True, kw_only=True):
    """A betting round is on: the first seat of `round.waiting` is to act."""

    hand: Hand
    round: Round


class Unscored(Struct, frozen=True, kw_only=True):
    """The hand has been played and is to be scored."""

    hand: Hand


class Ended(Struct, frozen=True, kw_only=True):
    """The match is over, after this last hand."""

    last: Hand
    result: HandScored
    outcome: MatchEnded


Phase = Between | Dealing | Betting | Unscored | Ended


class State(Struct, Generic[O], frozen=True, kw_only=True):
    """A match of a poker game.

    Attributes:
        stacks: the chips before each seat, without those in the pot.
        start: the stacks at the start of the match.
        busts: the seats that can play no more, the first to leave first.
        hand_scores: of each hand scored.
    """

    options: O
    phase: Phase
    stacks: Chips
    start: Chips
    busts: tuple[Bust, ...] = ()
    hand_scores: tuple[Chips, ...] = ()


def begin(options: O, stacks: Chips, positions: Positions) -> State[O]:
    """The match before its first hand."""
    return State(options=options, phase=Between(hand_no=1, positions=positions), stacks=stacks, start=stacks)


def phase(state: State[O], streets: Sequence[str]) -> str:
    """The name of the street that is bet on; `done` where no hand is in play."""
    match state.phase:
        case Betting(hand=hand) | Dealing(hand=hand):
            return streets[hand.street] if 0 <= hand.street < len(streets) else streets[-1]
        case Between() | Unscored() | Ended():
            return DONE
        case _:
            assert_never(state.phase)


def due(state: State[O]) -> Due:
    """Who must decide next."""
    match state.phase:
        case Betting(round=betting):
            return betting.waiting[:1]
        case Between() | Dealing():
            return "dealer"
        case Unscored():
            return "scorer"
        case Ended():
            return "none"
        case _:
            assert_never(state.phase)


def hand_of(state: State[O]) -> Hand | None:
    """The hand in play, or else the last one dealt; None before the first."""
    match state.phase:
        case Between() | Ended():
            return state.phase.last
        case Betting() | Dealing() | Unscored():
            return state.phase.hand
        case _:
            assert_never(state.phase)


def cards_of(hand: Hand, seat: Seat) -> Cards:
    """All cards that a seat makes its hand of."""
    return hand.down[seat] + hand.up[seat] + hand.board


# --- evolve ------------------------------------------------------------------------------------------------------


def evolve(state: State[O], event: Event) -> State[O]:
    """An event onto the state; one that is not poker's, or that does not fit the phase, changes nothing."""
    return _evolve(state, event) if isinstance(event, poker.Event) else state


def _evolve(state: State[O], event: poker.Event) -> State[O]:
    match event:
        case Acted():
            return _acted(state, event)
        case RoundOpened():
            return _round_opened(state, event)
        case StreetDealt():
            return _street_dealt(state, event)
        case UncalledReturned():
            return _moved(state, event.seat, -event.amount, returned=event.amount)
        case HandDealt():
            return _dealt(state, event)
        case AntesPosted():
            return _antes_posted(state, event)
        case BlindPosted():
            return _blind_posted(state, event)
        case HandsShown():
            return _shown(state, event)
        case HandsMucked():
            return _mucked(state, event)
        case HandPlayed():
            return _hand_played(state)
        case HandScored():
            return _hand_scored(state, event)
        case MatchEnded():
            return _match_ended(state, event)
        case _:
            assert_never(event)


def _dealt(state: State[O], event: HandDealt) -> State[O]:
    if not isinstance(state.phase, Between):
        return state
    count = len(state.stacks)
    nothing: tuple[Cards, ...] = ((),) * count
    down: list[Cards] = list(nothing)
    up: list[Cards] = list(nothing)
    for seat, hidden in zip(event.seats, event.down, strict=False):
        if 0 <= seat < count:
            down[seat] = opened(hidden, ())
    for seat, shown in zip(event.seats, event.up, strict=False):
        if 0 <= seat < count:
            up[seat] = shown
    gone = sum(map(len, down)) + sum(map(len, up))
    hand = Hand(
        hand_no=event.hand_no,
        positions=event.positions,
        seats=event.seats,
        live=tuple(seat for seat in range(count) if seat in event.seats),
        start=state.stacks,
        stock=opened(event.deck, ())[gone:],
        down=tuple(down),
        up=tuple(up),
        put=(0,) * count,
        returned=(0,) * count,
        faces=nothing,
    )
    return replace(state, phase=Dealing(hand=hand))


def _antes_posted(state: State[O], event: AntesPosted) -> State[O]:
    for seat, amount in enumerate(event.amounts):
        state = _moved(state, seat, amount)
    return state


def _blind_posted(state: State[O], event: BlindPosted) -> State[O]:
    return _moved(state, event.seat, event.amount, dead=event.kind == "ante")


def _moved(state: State[O], seat: Seat, amount: int, *, dead: bool = False, returned: int = 0) -> State[O]:
    """Chips go from a seat's stack into the pot."""
    match state.phase:
        case Dealing(hand=hand) if 0 <= seat < len(state.stacks):
            if dead:
                hand = replace(hand, dead=hand.dead + amount)
            else:
                hand = replace(hand, put=put(hand.put, seat, hand.put[seat] + amount))
            if returned:
                hand = replace(hand, returned=put(hand.returned, seat, hand.returned[seat] + returned))
            stacks = put(state.stacks, seat, state.stacks[seat] - amount)
            return replace(state, phase=Dealing(hand=hand), stacks=stacks)
        case _:
            return state


def _round_opened(state: State[O], event: RoundOpened) -> State[O]:
    match state.phase:
        case Dealing(hand=hand):
            hand = replace(hand, opener=event.round.opener, aggressor=None)
            return replace(state, phase=_bet_on(hand, event.round))
        case _:
            return state


def _bet_on(hand: Hand, betting: Round) -> Phase:
    return Betting(hand=hand, round=betting) if betting.waiting else Dealing(hand=hand)


def _acted(state: State[O], event: Acted) -> State[O]:
    seat = event.seat
    match state.phase:
        case Betting(hand=hand) if 0 <= seat < len(state.stacks):
            if event.verb == "fold":
                live = tuple([other for other in hand.live if other != seat])
                return replace(state, phase=_bet_on(replace(hand, live=live), event.round))
            paid = event.paid
            after = replace(hand, put=put(hand.put, seat, hand.put[seat] + paid), aggressor=event.round.aggressor)
            return replace(
                state, phase=_bet_on(after, event.round), stacks=put(state.stacks, seat, state.stacks[seat] - paid)
            )
        case _:
            return state


def _street_dealt(state: State[O], event: StreetDealt) -> State[O]:
    match state.phase:
        case Dealing(hand=hand):
            down, up = hand.down, hand.up
            for place, seat in enumerate(event.seats):
                if 0 <= seat < len(up) and place < len(event.up):
                    up = put(up, seat, (*up[seat], event.up[place]))
                if 0 <= seat < len(down) and place < len(event.down):
                    down = put(down, seat, down[seat] + opened(event.down[place], ()))
            gone = max(0, event.burned) + len(event.board) + len(event.seats)
            hand = replace(
                hand,
                street=event.street,
                stock=hand.stock[gone:],
                board=hand.board + event.board,
                down=down,
                up=up,
            )
            return replace(state, phase=Dealing(hand=hand))
        case _:
            return state


def _shown(state: State[O], event: HandsShown) -> State[O]:
    match state.phase:
        case Dealing(hand=hand) | Unscored(hand=hand):
            faces = hand.faces
            for shown in event.hands:
                faces = put(faces, shown.seat, shown.cards)
            anew = tuple(shown.seat for shown in event.hands if shown.seat not in hand.shown)
            hand = replace(hand, faces=faces, shown=hand.shown + anew)
            return replace(state, phase=replace(state.phase, hand=hand))
        case _:
            return state


def _mucked(state: State[O], event: HandsMucked) -> State[O]:
    match state.phase:
        case Unscored(hand=hand):
            return replace(state, phase=Unscored(hand=replace(hand, mucked=event.seats)))
        case _:
            return state


def _hand_played(state: State[O]) -> State[O]:
    match state.phase:
        case Dealing(hand=hand):
            return replace(state, phase=Unscored(hand=hand))
        case _:
            return state


def _hand_scored(state: State[O], event: HandScored) -> State[O]:
    match state.phase:
        case Unscored(hand=hand) if len(event.stacks) == len(state.stacks):
            positions = hand.positions if event.next is None else event.next
            return replace(
                state,
                phase=Between(hand_no=hand.hand_no + 1, positions=positions, last=hand, result=event),
                stacks=event.stacks,
                busts=state.busts + event.busts,
                hand_scores=(*state.hand_scores, event.scores),
            )
        case _:
            return state


def _match_ended(state: State[O], event: MatchEnded) -> State[O]:
    match state.phase:
        case Between(last=Hand() as last, result=HandScored() as result):
            return replace(state, phase=Ended(last=last, result=result, outcome=event))
        case _:
            return state
