"""How events change the state: what was decided stands in the event, and is only stored here."""

from msgspec.structs import replace

from schemas.cards import Cards, Seat
from schemas.cassino import (
    BuildMissed,
    Built,
    Drew,
    HandDealt,
    HandFilled,
    HandPlayed,
    HandScored,
    MatchEnded,
    Misplayed,
    Passed,
    TableFilled,
    Taken,
    Trailed,
    TurnBegan,
)
from schemas.events import Event
from services.games.cassino.state import Between, Build, Ended, Hand, Penalties, Playing, State, Unscored, build_of
from services.games.shared.total import opened, put, without


def evolve(state: State, event: Event) -> State:
    """An event onto the state; one that is not of this game, or that does not fit the phase, changes nothing."""
    match state.phase, event:
        case (
            Playing() as playing,
            Taken()
            | Built()
            | Misplayed()
            | Drew()
            | Passed()
            | Trailed()
            | BuildMissed()
            | TableFilled()
            | HandFilled(),
        ):
            hand = on_hand(playing.hand, event)
            return replace(state, phase=Playing(hand=hand, turn=playing.turn, trails=isinstance(event, Drew)))
        case Playing(hand=hand), TurnBegan():
            return replace(state, phase=Playing(hand=_stuck(hand, event.stuck), turn=event.seat))
        case Playing(hand=hand), HandPlayed(taker=taker):
            return replace(state, phase=Unscored(hand=hand if taker is None else _swept(hand, taker)))
        case Between(), HandDealt():
            return replace(state, phase=Playing(hand=_dealt(state, event), turn=event.dealer))
        case Unscored(hand=hand), HandScored():
            last = replace(hand, penalties=_left(hand.penalties, event.leftovers))
            between = Between(hand_no=hand.hand_no + 1, dealer=event.next_dealer, last=last, result=event)
            return replace(state, phase=between, totals=event.totals)
        case Between(last=Hand() as last, result=HandScored() as result), MatchEnded():
            return replace(state, phase=Ended(last=last, result=result, outcome=event))
        case _:
            return state


InTurn = Taken | Built | Misplayed | Drew | Passed | Trailed | BuildMissed | TableFilled | HandFilled


def on_hand(hand: Hand, event: InTurn) -> Hand:
    """What an event of a turn changes in a hand."""
    match event:
        case TableFilled(cards=cards):
            return replace(hand, table=(*hand.table, *cards), stock=hand.stock[len(cards) :])
        case _ if not 0 <= event.seat < len(hand.held):
            return hand
        case Taken(seat=seat):
            return replace(
                hand,
                held=_played(hand, seat, event.card),
                table=without(hand.table, event.cards),
                builds=_others(hand, seat) if event.build else hand.builds,
                piles=put(hand.piles, seat, (*hand.piles[seat], event.card, *event.cards)),
                last_taker=seat,
            )
        case HandFilled(seat=seat, cards=cards):
            return _drawn(hand, seat, opened(cards, ()), cards.n or 0)
        case Drew(seat=seat, card=card):
            return _drawn(hand, seat, opened(card, ()), 1)
        case Trailed(seat=seat, card=trailed):
            return replace(hand, held=_played(hand, seat, trailed), table=(*hand.table, trailed))
        case Built(seat=seat):
            build = Build(seat, event.value, event.card, event.cards)
            return replace(
                hand,
                held=_played(hand, seat, event.card),
                table=without(hand.table, event.cards),
                builds=(*_others(hand, seat), build),
            )
        case BuildMissed(seat=seat):
            missed = replace(hand, penalties=_fined(hand, seat, build=2))
            build_missed = build_of(hand, seat)
            if build_missed is None or not event.released:
                return missed
            return replace(missed, table=(*hand.table, *build_missed.cards), builds=_others(hand, seat))
        case Misplayed(seat=seat):
            return replace(hand, penalties=_fined(hand, seat, misplay=1))
        case Passed():
            return hand


def _dealt(state: State, event: HandDealt) -> Hand:
    seats = len(state.totals)
    hands = tuple(opened(cards, ()) for cards in event.hands[:seats])
    return Hand(
        hand_no=event.hand_no,
        dealer=event.dealer,
        held=hands + ((),) * (seats - len(hands)),
        table=event.table,
        stock=opened(event.stock, ()),
        piles=((),) * seats,
        penalties=(Penalties(),) * seats,
    )


def _stuck(hand: Hand, stuck: int) -> Hand:
    return hand if hand.stuck == stuck else replace(hand, stuck=stuck)


def _played(hand: Hand, seat: Seat, card: str) -> tuple[Cards, ...]:
    return put(hand.held, seat, without(hand.held[seat], (card,)))


def _drawn(hand: Hand, seat: Seat, cards: Cards, number: int) -> Hand:
    return replace(hand, held=put(hand.held, seat, (*hand.held[seat], *cards)), stock=hand.stock[number:])


def _others(hand: Hand, seat: Seat) -> tuple[Build, ...]:
    return tuple([build for build in hand.builds if build.seat != seat])


def _fined(hand: Hand, seat: Seat, *, build: int = 0, misplay: int = 0) -> tuple[Penalties, ...]:
    had = hand.penalties[seat]
    return put(hand.penalties, seat, replace(had, build=had.build + build, misplay=had.misplay + misplay))


def _swept(hand: Hand, taker: Seat) -> Hand:
    """The table goes to a seat, builds too."""
    if not 0 <= taker < len(hand.piles):
        return hand
    built = tuple(card for build in hand.builds for card in build.cards)
    pile = (*hand.piles[taker], *hand.table, *built)
    return replace(hand, table=(), builds=(), piles=put(hand.piles, taker, pile))


def _left(penalties: tuple[Penalties, ...], leftovers: tuple[int, ...]) -> tuple[Penalties, ...]:
    """The penalties with those for cards left in hand; of seats that the event does not name, as they were."""
    known = zip(penalties, leftovers, strict=False)
    named = tuple(replace(had, leftover=leftover) for had, leftover in known)
    return named + penalties[len(named) :]
