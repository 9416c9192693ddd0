"""Poker tables as players tell of them, for tests that read Given, When, Then."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from schemas.cards import PACK, Cards, Seat
from schemas.events import Events
from schemas.poker import Acted, HandScored, Round
from schemas.refusals import Code
from services.games import GAMES
from services.games.game import Game, Refused, Shuffle
from services.games.pick import told
from services.games.shared.poker.state import Betting, Hand, State, hand_of
from services.games.show_hand.options import STRIPPED


def action_of(text: str) -> dict[str, Any]:
    """`call`, `raise 300` or `all_in` as a player sends it."""
    verb, *amount = text.split()
    return {"type": verb, "amount": int(amount[0])} if amount else {"type": verb}


def given(deck: Cards) -> Shuffle:
    """A deal in this order."""
    return lambda _: deck


def stacked(cards: str, pack: Cards = PACK) -> Cards:
    """A whole deck with these cards on top; `.` for any other card."""
    named = cards.split()
    rest = iter([card for card in pack if card not in named])
    top = tuple(next(rest) if card == "." else card for card in named)
    return (*top, *rest)


class PokerTable:
    """A match in play, dealt from the decks it is given, each in dealing order."""

    def __init__(self, game: str, seats: int, decks: Sequence[Cards], options: Mapping[str, Any]) -> None:
        self.game: Game[Any, State[Any]] = GAMES[game]
        self.state = self.game.begin(self.game.open(options, seats), seats)
        self._decks = list(decks)
        self.events: list[Any] = []
        self._go_on()

    @property
    def hand(self) -> Hand:
        """The hand in play, or the last one."""
        hand = hand_of(self.state)
        assert hand is not None
        return hand

    @property
    def round(self) -> Round:
        """The betting round that is on."""
        assert isinstance(self.state.phase, Betting)
        return self.state.phase.round

    @property
    def turn(self) -> Seat | None:
        """The seat that is waited for."""
        due = self.game.due(self.state)
        return due[0] if isinstance(due, tuple) else None

    def acts(self, seat: Seat, text: str) -> Acted:
        """Let a seat act; scorer and dealer then do what they are due to do."""
        acted, *_ = self._take(self.game.act(self.state, seat, action_of(text), False))  # noqa: FBT003  # as Game has it
        assert isinstance(acted, Acted)
        self._go_on()
        return acted

    def act(self, *texts: str) -> None:
        """Let the seats whose turn it is act, one after the other."""
        for text in texts:
            assert self.turn is not None
            self.acts(self.turn, text)

    def times_out(self) -> None:
        """Let the time of the seat to act run out."""
        assert self.turn is not None
        action = self.game.timeout(self.state, self.turn)
        self._take(self.game.act(self.state, self.turn, action, True))  # noqa: FBT003  # as Game has it
        self._go_on()

    def refuses(self, seat: Seat | None, action: Any) -> Code:
        """The code by which an action is refused; it changes nothing."""
        sent = action_of(action) if isinstance(action, str) else action
        try:
            self.game.act(self.state, seat, sent, False)  # noqa: FBT003  # as Game has it
        except Refused as refused:
            return refused.code
        raise AssertionError(f"accepted: {action}")

    def legal(self) -> dict[str, Any]:
        """What the seat to act may do: each verb with its amounts or what it comes to."""
        assert self.turn is not None
        listed = told(self.game.legal(self.state, self.turn))
        return {a["type"]: _amount(a) for a in listed}

    def fact(self, name: str) -> Any:
        """A fact by its scenario key."""
        return self.game.scenarios.facts[name](self.state)

    def pots(self) -> list[tuple[int, list[Seat]]]:
        """Amount and winners of each pot of the last hand."""
        return [(pot["amount"], list(pot["winners"])) for pot in self.fact("pots")]

    def scored(self) -> HandScored:
        """The result of the last hand."""
        return next(event for event in reversed(self.events) if isinstance(event, HandScored))

    def _take(self, events: Events) -> Events:
        self.events += events
        self.state = reduce(self.game.evolve, events, self.state)
        return events

    def _go_on(self) -> None:
        while (due := self.game.due(self.state)) in ("dealer", "scorer"):
            if due == "scorer":
                self._take(self.game.score(self.state))
            elif self._decks:
                deck = self._decks.pop(0)
                self._take(self.game.deal(self.state, given(deck)))
            else:
                return


def _amount(action: Mapping[str, Any]) -> Any:
    amount = action.get("amount", action.get("cost"))
    return tuple(amount.values()) if isinstance(amount, dict) else amount


def holdem(seats: int, *decks: str, **options: Any) -> PokerTable:
    """Texas hold'em from these decks, or from one in canonical order."""
    return PokerTable("texas_holdem", seats, [stacked(deck) for deck in decks or ("",)], options)


def stud(seats: int, *decks: str, **options: Any) -> PokerTable:
    """Seven-card stud from these decks."""
    return PokerTable("seven_card_stud", seats, [stacked(deck) for deck in decks or ("",)], options)


def show_hand(seats: int, *decks: str, **options: Any) -> PokerTable:
    """Show hand from these decks."""
    pack = STRIPPED if options.get("deck") == "stripped" else PACK
    return PokerTable("show_hand", seats, [stacked(deck, pack) for deck in decks or ("",)], options)
