"""How events change the state: what was decided stands in the event, and is only stored here."""

from msgspec.structs import replace

from schemas.cards import Cards, Seat
from schemas.events import Event
from schemas.gongzhu import (
    Answer,
    Answered,
    ClaimAccepted,
    ClaimChallenged,
    Claimed,
    ClaimRuled,
    Consented,
    DealStood,
    DeckCut,
    DeckShuffled,
    DrawnBack,
    Exposed,
    ExposingBegan,
    Exposure,
    FirstCardsShown,
    FirstExposed,
    HandDealt,
    HandPlayed,
    HandScored,
    HandVoided,
    MatchEnded,
    MisdealFound,
    PenaltyGiven,
    PlayBegan,
    Played,
    PlayResumed,
    SidesShown,
    TrickTaken,
)
from schemas.sealed import Sealed
from services.games.gongzhu.options import SEATS
from services.games.gongzhu.state import (
    Between,
    Claiming,
    Cut,
    Cutting,
    Deal,
    Dealt,
    Disputed,
    Exposing,
    FirstExposing,
    Grace,
    Hand,
    Misdealt,
    Phase,
    Playing,
    State,
    bare,
)
from services.games.shared.state import Ended, Unscored
from services.games.shared.total import opened, opened_hands, put, without, without_cards


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not Gongzhu's, or that does not fit the phase, changes nothing."""
    match event:
        case Played() | TrickTaken() | HandPlayed() | SidesShown():
            phase = _play(state.phase, event)
        case DeckShuffled() | DeckCut() | HandDealt() | MisdealFound() | Consented() | DrawnBack() | HandVoided():
            phase = _deal(state.phase, event)
        case DealStood() | FirstCardsShown() | Answered() | FirstExposed() | ExposingBegan() | Exposed() | PlayBegan():
            phase = _expose(state.phase, event)
        case Claimed() | ClaimAccepted() | ClaimChallenged() | ClaimRuled() | PlayResumed():
            phase = _claim(state.phase, event)
        case HandScored() | MatchEnded() | PenaltyGiven():
            return _score(state, event)
        case _:
            return state
    return state if phase is state.phase else replace(state, phase=phase)


# --- dealing -----------------------------------------------------------------------------------------------------

Dealing = DeckShuffled | DeckCut | HandDealt | MisdealFound | Consented | DrawnBack | HandVoided


def _deal(phase: Phase, event: Dealing) -> Phase:
    match phase, event:
        case Between(), DeckShuffled():
            deal = Deal(hand_no=event.hand_no, dealer=event.dealer, leader=phase.leader)
            return Cutting(deal=deal, deck=opened(event.deck, ()), cutter=event.cutter)
        case Cutting(), DeckCut():
            return Cut(deal=phase.deal, deck=(*phase.deck[event.at :], *phase.deck[: event.at]))
        case Between() | Cut(), HandDealt():
            leader = phase.leader if isinstance(phase, Between) else phase.deal.leader
            hands = opened_hands(event.hands, seats=SEATS)
            return Dealt(deal=Deal(hand_no=event.hand_no, dealer=event.dealer, leader=leader, hands=hands))
        case Dealt(), MisdealFound():
            return Misdealt(deal=phase.deal, asked=event.asked)
        case Misdealt(), Consented():
            return Misdealt(deal=phase.deal, asked=_less(phase.asked, event.seat))
        case Misdealt(), DrawnBack():
            return Dealt(deal=replace(phase.deal, hands=opened_hands(event.hands, seats=SEATS)))
        case (Dealt() | Misdealt(), HandVoided()):
            deal, last = phase.deal, bare(phase.deal)
            return Between(hand_no=deal.hand_no, dealer=deal.dealer, leader=event.leader, last=last, void=True)
        case _:
            return phase


def _less(seats: tuple[Seat, ...], gone: Seat) -> tuple[Seat, ...]:
    return tuple(seat for seat in seats if seat != gone)


# --- exposing ----------------------------------------------------------------------------------------------------

Exposes = DealStood | FirstCardsShown | Answered | FirstExposed | ExposingBegan | Exposed | PlayBegan


def _expose(phase: Phase, event: Exposes) -> Phase:
    match phase, event:
        case Dealt(), DealStood():
            return Exposing(hand=_stood(phase.deal, event), asked=())
        case Exposing(), FirstCardsShown():
            return FirstExposing(hand=phase.hand, asked=event.asked)
        case FirstExposing() | Exposing(), Answered():
            answers = put(phase.answers, event.seat, opened(event.answer, Answer()))
            return replace(phase, answers=answers, asked=_less(phase.asked, event.seat))
        case FirstExposing(), FirstExposed():
            return Exposing(hand=_exposing(phase.hand, event.exposures), asked=())
        case Exposing(), ExposingBegan():
            return replace(phase, asked=event.asked)
        case Exposing(), Exposed():
            dark = () if event.dark is None else _dark(event.seat, event.dark)
            return Exposing(
                hand=_exposing(phase.hand, (*phase.hand.exposed, *event.exposures, *dark)),
                asked=() if event.next is None else (event.next,),
                answers=put(phase.answers, event.seat, Answer()),
            )
        case Exposing(), PlayBegan():
            dark = tuple(e for seat, cards in enumerate(event.dark) for e in _dark(seat, cards))
            hand = _exposing(phase.hand, (*event.exposures, *dark))
            return Playing(hand=replace(hand, leader=event.leader), turn=event.leader)
        case _:
            return phase


def _stood(deal: Deal, event: DealStood) -> Hand:
    leader = event.leader
    if leader is None:
        leader = deal.dealer if event.sealed_leader is None else opened(event.sealed_leader, deal.dealer)
    return replace(bare(deal), leader=leader, opening=event.opening)


def _exposing(hand: Hand, exposures: tuple[Exposure, ...]) -> Hand:
    return replace(hand, exposed=exposures, unplayed=exposures)


def _dark(seat: Seat, cards: Sealed[Cards]) -> tuple[Exposure, ...]:
    return tuple(Exposure(card, seat, "dark") for card in opened(cards, ()))


# --- playing -----------------------------------------------------------------------------------------------------


InPlay = Playing | Claiming | Grace | Disputed


def _play(phase: Phase, event: Played | TrickTaken | HandPlayed | SidesShown) -> Phase:
    match event:
        case Played() if isinstance(phase, Playing):
            return Playing(hand=_played(phase.hand, event), turn=event.next, trick=(*phase.trick, event))
        case TrickTaken() if isinstance(phase, Playing):
            return Playing(hand=_taken(phase.hand, event), turn=phase.turn)
        case SidesShown() if isinstance(phase, Playing):
            return replace(phase, hand=replace(phase.hand, sides=event.sides))
        case HandPlayed() if isinstance(phase, InPlay):
            captures = (*phase.hand.captures, *event.captures)
            return Unscored(hand=replace(phase.hand, captures=captures, unplayed=()))
        case _:
            return phase


def _played(hand: Hand, event: Played) -> Hand:
    seat = event.seat
    if not 0 <= seat < len(hand.held):
        return hand
    held = without_cards(hand.held, seat, event.cards)
    if not (event.breach or event.managed or event.exposures):
        return replace(hand, held=held)
    return replace(
        hand,
        held=held,
        unplayed=without(hand.unplayed, event.exposures),
        breaches=(*hand.breaches, (len(hand.winners) + 1, seat)) if event.breach else hand.breaches,
        managed=put(hand.managed, seat, value=True) if event.managed else hand.managed,
    )


def _taken(hand: Hand, event: TrickTaken) -> Hand:
    return replace(
        hand,
        unopened=hand.unopened.replace(event.suit, ""),
        captures=(*hand.captures, *event.captures),
        winners=(*hand.winners, event.winner),
    )


# --- claiming ----------------------------------------------------------------------------------------------------


def _claim(phase: Phase, event: Claimed | ClaimAccepted | ClaimChallenged | ClaimRuled | PlayResumed) -> Phase:
    match phase, event:
        case Playing(), Claimed():
            hand = replace(phase.hand, claimed=(*phase.hand.claimed, event.seat))
            return Claiming(hand=hand, turn=phase.turn, claim=event, asked=event.asked)
        case Claiming(), ClaimAccepted():
            if event.grace:
                return Grace(hand=phase.hand, turn=phase.turn, claim=phase.claim)
            return replace(phase, asked=_less(phase.asked, event.seat))
        case (Claiming() | Grace(), ClaimChallenged()):
            return Disputed(hand=phase.hand, turn=phase.turn, claim=phase.claim)
        case Disputed(), PlayResumed():
            return Playing(hand=phase.hand, turn=phase.turn)
        case _:
            return phase


# --- scoring -----------------------------------------------------------------------------------------------------


def _score(state: State, event: HandScored | MatchEnded | PenaltyGiven) -> State:
    match state.phase, event:
        case Unscored(hand=hand), HandScored():
            between = Between(
                hand_no=hand.deal.hand_no + 1,
                dealer=event.next_dealer,
                leader=event.next_leader,
                last=hand,
                result=event,
            )
            return replace(state, phase=between, raw_totals=event.raw_totals, totals=event.totals)
        case Between(last=Hand() as last, result=HandScored() as result), MatchEnded():
            return replace(state, phase=Ended(last=last, result=result, outcome=event))
        case Ended() as ended, MatchEnded():
            return replace(state, phase=replace(ended, outcome=event))
        case _, PenaltyGiven():
            return _penalised(state, event)
        case _:
            return state


def _penalised(state: State, event: PenaltyGiven) -> State:
    if not 0 <= event.seat < len(state.penalties):
        return state
    return replace(state, penalties=put(state.penalties, event.seat, state.penalties[event.seat] + event.points))
