"""A battle: what beats what, who is asked, and what follows from an attack, a defence, a pick-up (durak §4 to §8)."""

from collections.abc import Iterator
from functools import reduce
from typing import Literal, cast

from schemas.cards import Card, Cards, Seat
from schemas.durak import Attacked, BattleEnded, Beaten, Declined, Drew, HandPlayed, PickedUp, WentOut
from schemas.events import Events
from services.games.durak.evolve import evolve
from services.games.durak.options import Options, refill_size
from services.games.durak.state import Battle, Hand, State, cards_of
from services.games.shared.cards import RANK_OF
from services.games.shared.deal import for_seat
from services.games.shared.seats import in_turn, next_in

OUTS = {3: 2, 4: 3, 5: 4, 6: 4}
"""By the number of seats, how many are out when the hand ends (durak §6)."""

IDLE_LIMIT = 400
"""A hand with a stock that nobody draws from ends after so many pick-ups in a row, whatever the stall_limit: it counts
those without a stock alone (durak §8), and a match in which nobody answers would not end."""

_JOKER = "X"

Answer = Literal["beats", "barred", "low"]


# --- what may be played ------------------------------------------------------------------------------------------


def answer(options: Options, hand: Hand, card: Card) -> Answer:
    """Whether the defender's card beats the last attack card, or would if he held no higher one of its suit."""
    attack = hand.table[-1].attack
    if is_seal(hand, card):
        free = options.trump_when == "free" or attack[0] == _JOKER or not _holds_higher(hand, attack)
        return "beats" if free else "barred"  # durak §5.2
    same = card[1] == attack[1] and _JOKER not in (card[0], attack[0])
    return "beats" if same and RANK_OF[card[0]] > RANK_OF[attack[0]] else "low"  # durak §5.1


def is_seal(hand: Hand, card: Card) -> bool:
    """Whether the card covers the last attack card (durak §5.2)."""
    attack = hand.table[-1].attack
    if attack[0] == _JOKER:
        return attack == "Xb" and card == "Xr"
    return card[0] == _JOKER or (card[1] == hand.trump != attack[1])


def _holds_higher(hand: Hand, attack: Card) -> bool:
    rank = RANK_OF[attack[0]]
    return any(c[1] == attack[1] and c[0] != _JOKER and RANK_OF[c[0]] > rank for c in hand.held[hand.defender])


def defences(options: Options, hand: Hand) -> Cards:
    """The defender's cards that beat the last attack card."""
    return tuple([card for card in hand.held[hand.defender] if answer(options, hand, card) == "beats"])


def throw_ins(hand: Hand, seat: Seat) -> Cards:
    """The seat's cards whose rank lies on the table (durak §4)."""
    ranks = ranks_on(hand)
    return tuple([card for card in hand.held[seat] if card[0] in ranks])


def ranks_on(hand: Hand) -> str:
    """The ranks of all cards on the table."""
    return "".join([card[0] for card in cards_of(hand.table)])


def can_exchange(options: Options, hand: Hand, seat: Seat) -> bool:
    """Whether the seat may swap the trump 2 for the turn-up at its turn (durak §3)."""
    return options.exchange == "own_turn" and bool(hand.stock) and "2" + hand.trump in hand.held[seat]


# --- who is asked ------------------------------------------------------------------------------------------------


def asked_after(options: Options, hand: Hand, seat: Seat | None) -> Seat | None:
    """Who is asked to throw in after `seat` (None: first); None where nobody is left (durak §4)."""
    order = _askable(options, hand)
    if seat is None:
        return next(order, None)
    for other in order:
        if other == seat:
            break
    return next(order, None)


def _askable(options: Options, hand: Hand) -> Iterator[Seat]:
    if hand.held[hand.main] and hand.main != hand.defender:
        yield hand.main
    others = [seat for seat in _from(hand, hand.defender + 1) if hand.held[seat] and seat != hand.defender]
    match options.throw_in:
        case "all":
            yield from (seat for seat in others if seat != hand.main)
        case "neighbours":
            yield from (seat for seat in others[:1] if seat != hand.main)
        case "main_only":
            pass


def _from(hand: Hand, first: Seat) -> tuple[Seat, ...]:
    return in_turn(first, seats=len(hand.held))


def _still_in(hand: Hand, first: Seat) -> Seat:
    return next_in(first, hand.out, seats=len(hand.held))


# --- what follows ------------------------------------------------------------------------------------------------


def attack(options: Options, hand: Hand, seat: Seat, card: Card) -> Events:
    """A seat attacks, opening the battle or throwing in."""
    if len(hand.held[seat]) > 1:
        return (Attacked(seat=seat, card=card),)
    played = Attacked(seat=seat, card=card, closes=options.stop_on_empty)
    return played, *_emptied(options, hand, seat)


def _emptied(options: Options, hand: Hand, seat: Seat) -> Events:
    """The seat's last card has left its hand (durak §6)."""
    if hand.stock:
        return (_draw(hand, seat, refill_size(options), slot="draw", attacks_next=options.stop_on_empty),)
    out = (*hand.out, seat)
    if len(out) < OUTS[len(hand.held)]:
        return (WentOut(seat=seat),)
    left = tuple(other for other in range(len(hand.held)) if other not in out)
    return WentOut(seat=seat), HandPlayed(finish_order=out, duraks=left)


def _draw(hand: Hand, seat: Seat, count: int, *, slot: str, attacks_next: bool = False) -> Drew:
    cards = hand.stock[:count]
    return Drew(seat=seat, cards=for_seat(seat, slot, cards), attacks_next=attacks_next)


def defend(state: State, hand: Hand, card: Card) -> Events:
    """The defender beats the last attack card."""
    options, seat = state.options, hand.defender
    empties = len(hand.held[seat]) == 1
    out = empties and not hand.stock
    over = (
        out
        or hand.closed
        or (empties and options.stop_on_empty)
        or (options.seal_ends and is_seal(hand, card))
        or len(hand.table) == options.max_attacks
    )
    asked = None if over else asked_after(options, hand, None)
    beaten = Beaten(seat=seat, card=card, asked=asked)
    events: Events = (beaten, *_emptied(options, hand, seat)) if empties else (beaten,)
    if asked is not None or isinstance(events[-1], HandPlayed):
        return events
    return _with_end(state, events, won=True)


def decline(state: State, hand: Hand, seat: Seat) -> Events:
    """A seat throws nothing in; where it was the last one asked, the defender has won."""
    asked = asked_after(state.options, hand, seat)
    declined = Declined(seat=seat, asked=asked)
    return (declined,) if asked is not None else _with_end(state, (declined,), won=True)


def pick_up(state: State, hand: Hand) -> Events:
    """The defender takes the table."""
    return _with_end(state, (PickedUp(seat=hand.defender),), won=False)


def _with_end(state: State, events: Events, *, won: bool) -> Events:
    """The events, with the end of the battle after them (durak §7)."""
    state = reduce(evolve, events, state)
    options, hand = state.options, cast(Battle, state.phase).hand
    chosen = hand.defender + (0 if won or options.taker_attacks else 1)
    main = _still_in(hand, chosen if hand.heir is None else hand.heir)
    had_stock = bool(hand.stock)
    for seat in _drawing(options, hand, main):
        missing = refill_size(options) - len(hand.held[seat])
        if hand.stock and missing > 0 and seat not in hand.out:
            events = (*events, _draw(hand, seat, missing, slot=f"refill.{seat}"))
            state = evolve(state, events[-1])
            hand = cast(Battle, state.phase).hand
    stays = not won and len(hand.out) == hand.out_before
    ended = BattleEnded(
        discarded=len(cards_of(hand.table)),
        main=main,
        defender=_still_in(hand, main + 1),
        pick_ups=hand.pick_ups + 1 if stays and not had_stock else 0,
        idle=hand.idle + 1 if stays and len(hand.stock) == hand.stock_before else 0,
    )
    if ended.pick_ups >= options.stall_limit or ended.idle >= IDLE_LIMIT:
        return *events, ended, _stalled(hand, main)
    return *events, ended


def _drawing(options: Options, hand: Hand, main: Seat) -> tuple[Seat, ...]:
    """In which order the seats draw (durak §7)."""
    match options.refill_order:
        case "next_attacker":
            return _from(hand, main)
        case "attacker_first":
            return (*(seat for seat in _from(hand, hand.main) if seat != hand.defender), hand.defender)


def _stalled(hand: Hand, main: Seat) -> HandPlayed:
    """Who is left is ranked by number of cards (durak §8)."""
    left = [seat for seat in _from(hand, main) if seat not in hand.out]
    ranked = sorted(left, key=lambda seat: len(hand.held[seat]))
    places = OUTS[len(hand.held)] - len(hand.out)
    return HandPlayed(finish_order=(*hand.out, *ranked[:places]), duraks=tuple(sorted(ranked[places:])), stalled=True)
