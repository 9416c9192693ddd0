"""The referee's part of Bluff: what may be done, and what it does (bluff §3 to §5, §8, §9)."""

from collections.abc import Callable
from functools import reduce
from typing import assert_never

from msgspec import UNSET

from schemas import bluff
from schemas.actions import Action
from schemas.bluff import Challenge, Challenged, HandPlayed, Pass, Passed, Play, Played, Rank, RoundEnded, WentOut
from schemas.cards import SUITS, Card, Cards, Seat
from schemas.events import Events
from schemas.refusals import Code
from schemas.views import Legal
from services.games.bluff.evolve import evolve
from services.games.bluff.options import Options, most_led
from services.games.bluff.state import Hand, Playing, State, hand_of
from services.games.game import Refused
from services.games.shared.deal import for_seat
from services.games.shared.rules import NOTHING, check_held, reader
from services.games.shared.seats import in_turn, next_in

CLAIMS = "A23456789TJQK"
"""The ranks that may be claimed, in their order (bluff §3)."""

JOKER = "X"

_CHALLENGE: Action = {"type": "challenge"}
_PASS: Action = {"type": "pass"}
_OF_ONE_RANK = 1

_read: Callable[[Action], bluff.Action] = reader(bluff.Action)


# --- what may be done --------------------------------------------------------------------------------------------


def legal(state: State, seat: Seat | None) -> Legal:
    """What the seat may do, of all plays one template; it depends on numbers of cards alone."""
    match state.phase:
        case Playing(hand=hand, turn=turn) if seat == turn:
            return Legal(choices=_choices(state.options, hand, turn))
        case _:
            return NOTHING


def _choices(options: Options, hand: Hand, seat: Seat) -> tuple[Action, ...]:
    held = hand.held[seat]
    answers = () if not hand.pile else (_CHALLENGE, _PASS) if options.allow_pass else (_CHALLENGE,)
    counts = [count for count in _counts(options, hand) if count <= len(held)]
    if not counts:
        return answers
    play: dict[str, object] = {"type": "play", "cards": {"some": held, "counts": counts}}
    if options.claim != "of_a_kind":
        play["rank"] = {"of": list(required(options, hand) or claimable(options))}
    return (play, *answers)


def _counts(options: Options, hand: Hand) -> range:
    """How many cards may be played: any number up to the most, or as many as were led (bluff §3)."""
    if hand.pile:
        led = len(hand.pile[0].cards)
        return range(led, led + 1)
    return range(1, most_led(options) + 1)


def claimable(options: Options) -> str:
    """The ranks that may ever be claimed."""
    return CLAIMS + JOKER if options.jokers == "own_rank" else CLAIMS


def required(options: Options, hand: Hand) -> Rank | None:
    """The one rank that must be claimed now; None where there is a choice (bluff §3)."""
    match options.claim:
        case "leader_rank":
            return hand.pile[0].rank if hand.pile else None
        case "sequence":
            return CLAIMS[hand.plays % len(CLAIMS)]
        case "free_rank" | "of_a_kind":
            return None


def timeout(state: State, seat: Seat | None) -> Action:
    """What stands in for the answer of a seat that is waited for (bluff §8). Raises Refused: wrong_phase."""
    match state.phase:
        case Playing(hand=hand, turn=turn) if seat is not None:
            if hand.pile:
                return _PASS if state.options.allow_pass else _CHALLENGE
            return _lead(state.options, hand, min(hand.held[turn], key=_place))
        case _:
            raise Refused(Code.WRONG_PHASE)


def _place(card: Card) -> tuple[int, int]:
    if card[0] == JOKER:
        return len(CLAIMS), "br".index(card[1])
    return CLAIMS.index(card[0]), SUITS.index(card[1])


def _lead(options: Options, hand: Hand, card: Card) -> Action:
    if options.claim == "of_a_kind":
        return {"type": "play", "cards": [card]}
    own = card[0] if card[0] in claimable(options) else CLAIMS[0]
    return {"type": "play", "cards": [card], "rank": required(options, hand) or own}


def seals(_state: State, _seat: Seat | None, action: Action) -> bool:
    """A play lies face down."""
    return action.get("type") == "play"


# --- what it does ------------------------------------------------------------------------------------------------


def act(state: State, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: ARG001, FBT001  # as Game has it
    """What an action does. Raises Refused in the order of bluff §9."""
    move = _read(action)
    match state.phase:
        case Playing(hand=hand, turn=turn):
            if seat != turn:
                raise Refused(Code.NOT_YOUR_TURN)
        case _:
            raise Refused(Code.HAND_OVER)
    match move:
        case Challenge():
            events = _challenge(state.options, hand, turn)
        case Pass():
            events = _pass(state.options, hand, turn)
        case Play():
            events = _play(hand, turn, move.cards, _checked(state.options, hand, turn, move))
        case _:
            assert_never(move)
    return _stopped(state, events)


def _checked(options: Options, hand: Hand, seat: Seat, move: Play) -> Rank | None:
    """The rank that a play claims. Raises Refused (bluff §9)."""
    if len(move.cards) not in _counts(options, hand):
        raise Refused(Code.WRONG_COUNT if hand.pile else Code.BAD_COUNT)
    check_held(hand.held[seat], move.cards)
    rank = None if move.rank is UNSET else move.rank
    if options.claim == "of_a_kind":
        if rank is not None:
            raise Refused(Code.BAD_RANK, "no rank is named here")
        return None
    if not isinstance(rank, str) or len(rank) != _OF_ONE_RANK or rank not in claimable(options):
        raise Refused(Code.BAD_RANK)
    if rank != (required(options, hand) or rank):
        raise Refused(Code.WRONG_RANK)
    return rank


def _play(hand: Hand, seat: Seat, cards: Cards, rank: Rank | None) -> Events:
    """A play, by which the one before is accepted (bluff §3, §5)."""
    events = _accepted(hand)
    out = (*hand.out, *(event.seat for event in events if isinstance(event, WentOut)))
    if len(out) == len(hand.held) - 1:
        return *events, HandPlayed(finish_order=(*out, seat))  # bluff §5: the play is not carried out
    sealed = for_seat(seat, "cards", cards)
    return *events, Played(seat=seat, cards=sealed, rank=rank, next=_next(hand, out, seat))


def _accepted(hand: Hand) -> Events:
    """Who has played his last cards is out where they stand."""
    if hand.pile and not hand.held[hand.pile[-1].seat]:
        return (WentOut(seat=hand.pile[-1].seat),)
    return ()


def _next(hand: Hand, out: tuple[Seat, ...], seat: Seat) -> Seat:
    """The next seat after this one that is not out."""
    return next_in(seat + 1, out, seats=len(hand.held))


def is_true(options: Options, cards: Cards, rank: Rank | None) -> bool:
    """Whether a play is what it claims (bluff §3)."""
    ranks = "".join(card[0] for card in cards if card[0] != JOKER or options.jokers != "wild")
    return not ranks or ranks == (ranks[0] if rank is None else rank) * len(ranks)


def _challenge(options: Options, hand: Hand, by: Seat) -> Events:
    if not hand.pile:
        raise Refused(Code.NOTHING_TO_CHALLENGE)
    last = hand.pile[-1]
    true = is_true(options, last.cards, last.rank)
    pile = tuple(card for laid in hand.pile for card in laid.cards)
    taken = last.cards if not true and options.liar_takes == "own" else pile
    taker = by if true else last.seat
    challenged = Challenged(
        seat=last.seat,
        by=by,
        cards=last.cards,
        rank=last.rank,
        true=true,
        taker=taker,
        taken=for_seat(taker, "taken", taken),
        removed=len(pile) - len(taken),
    )
    if true:
        return challenged, *_led_by(hand, last.seat, removed=0)
    return challenged, RoundEnded(removed=0, leader=by)


def _led_by(hand: Hand, seat: Seat, *, removed: int) -> Events:
    """The seat, whose play stands, leads the next round; without cards it is out, and the next one leads (bluff §4)."""
    out = (*hand.out, seat)
    if hand.held[seat]:
        return (RoundEnded(removed=removed, leader=seat),)
    leader = _next(hand, out, seat)
    ended = RoundEnded(removed=removed, leader=leader)
    if len(out) == len(hand.held) - 1:
        return WentOut(seat=seat), ended, HandPlayed(finish_order=(*out, leader))
    return WentOut(seat=seat), ended


def _pass(options: Options, hand: Hand, seat: Seat) -> Events:
    if not options.allow_pass or not hand.pile:
        raise Refused(Code.CANNOT_PASS)
    last = hand.pile[-1].seat
    following = _next(hand, hand.out, seat)
    if following != last:
        return (Passed(seat=seat, next=following),)
    removed = sum(len(laid.cards) for laid in hand.pile)
    return Passed(seat=seat, next=None), *_led_by(hand, last, removed=removed)


def _stopped(state: State, events: Events) -> Events:
    """The events, with the end of the hand where its last action has been used up (bluff §5)."""
    if not state.options.turn_limit or isinstance(events[-1], HandPlayed):
        return events
    hand = hand_of(reduce(evolve, events, state))
    if hand is None or hand.actions < state.options.turn_limit:
        return events
    left = [seat for seat in in_turn(hand.head, seats=len(hand.held)) if seat not in hand.out]
    ranked = sorted(left, key=lambda seat: len(hand.held[seat]))
    return *events, HandPlayed(finish_order=(*hand.out, *ranked))
