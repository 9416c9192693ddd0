"""Claims: a seat says who gets the outstanding point cards, the others answer, the house may rule (gongzhu §6.1)."""

from msgspec import UNSET
from msgspec.structs import replace

from schemas.cards import Card, Cards, Seat
from schemas.events import Events
from schemas.gongzhu import (
    Capture,
    Claim,
    ClaimAccepted,
    ClaimChallenged,
    Claimed,
    ClaimRuled,
    HandPlayed,
    PlayResumed,
    Rule,
)
from schemas.refusals import Code
from services.games.game import Refused
from services.games.gongzhu.options import SEATS, Options
from services.games.gongzhu.playing import captures_of, dark_of
from services.games.gongzhu.state import ALL_SEATS, POINT_CARDS, Claiming, Disputed, Grace, Hand, Playing
from services.games.shared.cards import in_order
from services.games.shared.total import without

Awards = tuple[tuple[Card, Seat], ...]
"""Who gets each outstanding point card."""


def outstanding(options: Options, hand: Hand) -> Cards:
    """The point cards that nobody has taken yet, in canonical order; between tricks they are all in the hands."""
    if options.decks > 1:
        return without(in_order(POINT_CARDS * options.decks), tuple(capture.card for capture in hand.captures))
    taken = {capture.card for capture in hand.captures}
    return tuple([card for card in POINT_CARDS if card not in taken])


def may_claim(options: Options, hand: Hand, seat: Seat) -> bool:
    """Whether the seat may claim between tricks."""
    return options.claim and seat not in hand.claimed


def claim(options: Options, playing: Playing, seat: Seat, wish: Claim) -> Events:
    """A seat claims, and shows its hand. Raises Refused: claim_off, trick_in_progress, claim_used, bad_claim."""
    if not options.claim:
        raise Refused(Code.CLAIM_OFF)
    if playing.trick:
        raise Refused(Code.TRICK_IN_PROGRESS)
    if seat in playing.hand.claimed:
        raise Refused(Code.CLAIM_USED)
    event = Claimed(
        seat=seat,
        hand=playing.hand.held[seat],
        awards=_awards(options, playing.hand, wish),
        asked=tuple(other for other in ALL_SEATS if other != seat),
        line="" if wish.line is UNSET else wish.line,
    )
    return (event,)


def _awards(options: Options, hand: Hand, wish: Claim | Rule) -> Awards:
    """Who gets what. Raises Refused: bad_claim."""
    cards = outstanding(options, hand)
    match wish.assign, wish.to:
        case tuple() as assign, to if to is UNSET and options.decks == 1:
            given = tuple(card for card, _ in assign)
            if in_order(given) != cards or not all(0 <= seat < SEATS for _, seat in assign):
                raise Refused(Code.BAD_CLAIM)
            takers = dict(assign)
            return tuple((card, takers[card]) for card in cards)
        case assign, int() as to if assign is UNSET and 0 <= to < SEATS:
            return tuple((card, to) for card in cards)
        case _:
            raise Refused(Code.BAD_CLAIM)


# --- answers -----------------------------------------------------------------------------------------------------


def accept(options: Options, claiming: Claiming, seat: Seat) -> Events:
    """A seat accepts the claim. Raises Refused: own_claim, already_decided."""
    _check_answer(claiming, seat)
    if len(claiming.asked) > 1:
        return (ClaimAccepted(seat=seat),)
    if options.claim_grace:
        return (ClaimAccepted(seat=seat, grace=True),)
    return ClaimAccepted(seat=seat), _settled(claiming.hand, claiming.claim.awards)


def challenge(options: Options, claiming: Claiming | Grace, seat: Seat) -> Events:
    """A seat challenges the claim. Raises Refused: own_claim, already_decided."""
    _check_answer(claiming, seat)
    event = ClaimChallenged(seat=seat)
    return (event, PlayResumed()) if options.claim_dispute == "play_on" else (event,)


def _check_answer(claiming: Claiming | Grace, seat: Seat) -> None:
    if seat == claiming.claim.seat:
        raise Refused(Code.OWN_CLAIM)
    if isinstance(claiming, Claiming) and seat not in claiming.asked:
        raise Refused(Code.ALREADY_DECIDED)


def close(grace: Grace) -> HandPlayed:
    """The period of grace is over: the hand is scored as claimed."""
    return _settled(grace.hand, grace.claim.awards)


def rule(options: Options, disputed: Disputed, ruling: Rule) -> Events:
    """The house rules on a claim. Raises Refused: bad_claim."""
    hand, event = disputed.hand, ClaimRuled(ruling=ruling.ruling)
    match ruling.ruling:
        case "uphold":
            return event, _settled(hand, disputed.claim.awards)
        case "reject":
            return event, PlayResumed()
        case "adjust":
            return event, _settled(hand, _awards(options, hand, ruling))


def _settled(hand: Hand, awards: Awards) -> HandPlayed:
    """The hand ends, and each outstanding point card goes where it is given, with the exposure of its copy."""
    takers = dict(awards)
    captures: list[Capture] = []
    for seat, held in enumerate(hand.held):
        own = captures_of(held, tuple(e for e in hand.unplayed if e.seat == seat), seat, seat)
        captures += (replace(capture, taker=takers[capture.card]) for capture in own)
    return HandPlayed(captures=tuple(captures), exposures=dark_of(hand.unplayed))
