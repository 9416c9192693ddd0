"""The deal: who is dealt what, who leads, which cards are exposed by force (gongzhu §3.1 to §5.1)."""

from schemas.cards import PACK, Card, Cards, Seat
from schemas.events import Events
from schemas.gongzhu import Exposure, HandDealt, HandVoided, PlayBegan
from schemas.sealed import Sealed
from services.games.game import Shuffle
from services.games.gongzhu.options import SEATS, Options
from services.games.gongzhu.state import EXPOSABLE, HEART_ACE, PIG, TRANSFORMER, Between, State

_ALL_SEATS = tuple(range(SEATS))


def deal(state: State, shuffle: Shuffle) -> Events:
    """Shuffle and deal the next hand. Raises ValueError where none is to be dealt."""
    match state.phase:
        case Between() as between:
            deck = shuffle(PACK)
            return dealt(state.options, between, deck, hands_of(deck, dealer_of(state.options, between)))
        case _:
            raise ValueError("no hand is to be dealt")


def hands_of(deck: Cards, dealer: Seat) -> tuple[Cards, ...]:
    """The cards of each seat, dealt one at a time from the dealer on."""
    return tuple(deck[(seat - dealer) % SEATS :: SEATS] for seat in _ALL_SEATS)  # gongzhu §3.1


def dealer_of(options: Options, between: Between) -> Seat:
    """Who deals the next hand; only a scenario can leave that open."""
    return options.first_dealer if between.dealer is None else between.dealer


def dealt(options: Options, between: Between, deck: Cards, hands: tuple[Cards, ...]) -> Events:
    """What follows from these hands being dealt: exposing, play at once, or a void hand."""
    found = between.leader is None
    leader = _holder(options.opening_card, hands) if between.leader is None else between.leader  # gongzhu §5.1
    void = any(len(hand) * SEATS != len(deck) for hand in hands)
    asks = options.expose == "optional" and not void
    sealed = asks and options.expose_order == "sealed"
    secret = found and sealed  # gongzhu §11
    event = HandDealt(
        hand_no=between.hand_no,
        dealer=dealer_of(options, between),
        deck=Sealed("deck", deck, n=len(deck)),
        hands=tuple(Sealed(f"hand.{seat}", hands[seat], audience=(seat,), n=len(hands[seat])) for seat in _ALL_SEATS),
        asked=() if not asks else _ALL_SEATS if sealed else (leader,),
        leader=None if secret or void else leader,
        sealed_leader=Sealed("leader", leader, audience=(leader,)) if secret else None,
        opening=_opening(options, between) if found else None,
    )
    if void:
        return event, HandVoided(leader=between.leader)  # gongzhu §3.3
    if asks:
        return (event,)
    return event, PlayBegan(leader=leader, exposures=_at_the_deal(options, hands))


def _holder(card: Card, hands: tuple[Cards, ...]) -> Seat:
    return next(seat for seat in _ALL_SEATS if card in hands[seat])


def _opening(options: Options, between: Between) -> Card | None:
    binds = options.leader_rule == "opening_card" or between.hand_no == 1  # gongzhu §5.1
    return options.opening_card if options.opening_must_play and binds else None


def _at_the_deal(options: Options, hands: tuple[Cards, ...]) -> tuple[Exposure, ...]:
    """The exposures of `expose` all and except_sheep (gongzhu §4)."""
    match options.expose:
        case "all":
            return forced(EXPOSABLE, hands)
        case "except_sheep":
            return forced((PIG, HEART_ACE, TRANSFORMER), hands)
        case "none" | "optional":
            return ()


def forced(cards: Cards, hands: tuple[Cards, ...]) -> tuple[Exposure, ...]:
    """These cards exposed by force, wherever they are."""
    return tuple(Exposure(card, seat, "forced") for card in cards for seat in _ALL_SEATS if card in hands[seat])
