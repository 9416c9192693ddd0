"""The deal: shuffling, cutting, mending a misdeal, and who leads (gongzhu §3, §5.1)."""

from msgspec.structs import replace

from schemas.cards import Card, Cards, Seat
from schemas.events import Events
from schemas.gongzhu import (
    Consented,
    DealStood,
    DeckCut,
    DeckShuffled,
    DrawBack,
    DrawnBack,
    HandDealt,
    HandVoided,
    MisdealFound,
)
from schemas.refusals import Code
from schemas.sealed import NOBODY, Sealed
from services.games.game import Refused, Shuffle
from services.games.gongzhu.exposing import after_deal, leader_is_secret
from services.games.gongzhu.options import SEATS, Options, pack
from services.games.gongzhu.state import ALL_SEATS, Between, Cut, Cutting, Deal, Misdealt, State, bare
from services.games.shared.deal import for_nobody, for_seats, one_by_one
from services.games.shared.rules import check_held
from services.games.shared.total import without


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand, or deal the deck that was cut. Raises ValueError where none is to be dealt."""
    options = state.options
    match state.phase:
        case Between() as between:
            return shuffled(options, between, shuffle(pack(options)))
        case Cut() as cut:
            return dealt(options, cut.deal, cut.deck)
        case _:
            raise ValueError("no hand is to be dealt")


def shuffled(options: Options, between: Between, deck: Cards) -> Events:
    """What follows from this order of the deck: it is dealt, or first cut (gongzhu §3.1)."""
    next_deal = deal_of(options, between)
    if options.cut == "none":
        return dealt(options, next_deal, deck)
    dealer = next_deal.dealer
    sealed = for_nobody("deck", deck)
    return (DeckShuffled(hand_no=between.hand_no, dealer=dealer, deck=sealed, cutter=(dealer + 1) % SEATS),)


def deal_of(options: Options, between: Between) -> Deal:
    """The deal that is to come; who deals it, only a scenario can leave open."""
    dealer = options.first_dealer if between.dealer is None else between.dealer
    return Deal(hand_no=between.hand_no, dealer=dealer, leader=between.leader)


def cut(cutting: Cutting, seat: Seat, at: int) -> Events:
    """A seat cuts the deck. Raises Refused: not_your_turn, bad_cut."""
    if seat != cutting.cutter:
        raise Refused(Code.NOT_YOUR_TURN)
    if not 1 <= at < len(cutting.deck):
        raise Refused(Code.BAD_CUT)
    return (DeckCut(seat=seat, at=at),)


def dealt(options: Options, to_deal: Deal, deck: Cards, hands: tuple[Cards, ...] | None = None) -> Events:
    """What follows from dealing this deck, or from these hands of it."""
    hands = one_by_one(deck, first=to_deal.dealer, seats=SEATS) if hands is None else hands
    event = HandDealt(
        hand_no=to_deal.hand_no,
        dealer=to_deal.dealer,
        deck=for_nobody("deck", deck),
        hands=_sealed(options, hands),
    )
    right = len(deck) // SEATS
    if all(len(hand) == right for hand in hands):
        return event, *_stood(options, replace(to_deal, hands=hands), hands)
    if options.misdeal == "redeal":
        return event, HandVoided(leader=to_deal.leader)  # gongzhu §3.3
    return event, MisdealFound(asked=tuple(seat for seat in ALL_SEATS if len(hands[seat]) >= right))


def _sealed(options: Options, hands: tuple[Cards, ...]) -> tuple[Sealed[Cards], ...]:
    """The hands as their seats see them, or do not see them while first exposing is to come (gongzhu §11)."""
    if options.first_expose:
        return tuple(for_nobody(f"hand.{seat}", hand) for seat, hand in enumerate(hands))
    return for_seats(hands)


# --- misdeals (gongzhu §3.3) -------------------------------------------------------------------------------------


def consent(misdealt: Misdealt, seat: Seat, *, accept: bool) -> Events:
    """A seat agrees, or not, to mend the misdeal. Raises Refused: not_your_turn, already_decided."""
    if len(misdealt.deal.hands[seat]) < _right_count(misdealt.deal):
        raise Refused(Code.NOT_YOUR_TURN, "short seats are not asked")
    if seat not in misdealt.asked:
        raise Refused(Code.ALREADY_DECIDED)
    event = Consented(seat=seat, accept=accept)
    return (event,) if accept else (event, HandVoided(leader=misdealt.deal.leader))


def draw_back(options: Options, misdealt: Misdealt, mend: DrawBack) -> Events:
    """The house moves cards to the short seats, and the hand goes on. Raises Refused: not_in_hand, bad_draw_back."""
    before, right = misdealt.deal.hands, _right_count(misdealt.deal)
    for seat in ALL_SEATS:
        gone = tuple(move.card for move in mend.moves if move.source == seat)
        check_held(before[seat], gone)
    if any(len(before[m.source]) <= right or len(before[m.target]) >= right for m in mend.moves):
        raise Refused(Code.BAD_DRAW_BACK)
    hands = tuple(
        without(before[seat], tuple(m.card for m in mend.moves if m.source == seat))
        + tuple(m.card for m in mend.moves if m.target == seat)
        for seat in ALL_SEATS
    )
    if any(len(hand) != right for hand in hands):
        raise Refused(Code.BAD_DRAW_BACK)
    return DrawnBack(hands=_sealed(options, hands)), *_stood(options, misdealt.deal, hands)


def _right_count(misdealt: Deal) -> int:
    return sum(map(len, misdealt.hands)) // SEATS


# --- who leads (gongzhu §3.2, §5.1) ------------------------------------------------------------------------------


def _stood(options: Options, first: Deal, hands: tuple[Cards, ...]) -> Events:
    """The deal stands with these hands, mended or as first dealt: who leads is settled, exposing or play begins."""
    deal = replace(first, hands=hands)
    hand = bare(deal)
    if deal.leader is not None:
        hand = replace(hand, leader=deal.leader)
    else:
        hand = replace(hand, leader=_holder(options.opening_card, first, hands), opening=_opening(options, deal))
    secret = leader_is_secret(options, hand)
    seen_by = NOBODY if options.first_expose else (hand.leader,)
    stood = DealStood(
        leader=None if secret else hand.leader,
        sealed_leader=Sealed("leader", hand.leader, audience=seen_by) if secret else None,
        opening=hand.opening,
    )
    return stood, *after_deal(options, hand)


def _holder(card: Card, first: Deal, hands: tuple[Cards, ...]) -> Seat:
    """Who has the card; with two decks, the copy that was dealt earlier, before any card was drawn back."""

    def place(seat: Seat) -> tuple[int, int]:
        cards = (*first.hands[seat], *hands[seat])  # a card drawn back comes after all that were dealt
        return cards.index(card), (seat - first.dealer) % SEATS

    return min((seat for seat in ALL_SEATS if card in hands[seat]), key=place)


def _opening(options: Options, deal: Deal) -> Card | None:
    binds = options.leader_rule == "opening_card" or deal.hand_no == 1
    return options.opening_card if options.opening_must_play and binds else None
