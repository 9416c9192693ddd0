"""A recorded hand played again by our rules, as the log of a match of one hand whose deal is given."""

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from replay.archive import Archive
from replay.formats.phh.cards import Dealt, dealt
from replay.formats.phh.hand import Recorded, Words, recorded, seat_of
from schemas.actions import Action, Open, as_action
from schemas.cards import Cards, Seat
from schemas.codec import Message, from_log, to_log
from schemas.digest import digest
from schemas.events import MatchOpened
from schemas.refusals import Code
from schemas.views import Legal
from services.games import GAMES
from services.games.decide import Draft, act, cause_of, commit_of, match_id, open_match, score
from services.games.fold import Fold
from services.games.game import Game, Refused, Shuffle
from services.games.match import Match, due
from services.games.shared.poker.betting import cost
from services.games.shared.poker.state import Betting, Between, State
from services.games.shared.state import Ended

ATTEMPTS = 1000
"""How many ways to fill in unknown cards are tried until the recorded winners win."""

HOUSE_RULES: Mapping[Code, dict[str, Any]] = {
    Code.FOLD_NOT_NEEDED: {"free_fold": True},
    Code.RAISE_CAP: {"max_raises": 100},
    Code.AMOUNT_TOO_LARGE: {"open_pair_big_bet": True},
    Code.NOT_YOUR_TURN: {"board_tie": "position"},
}
"""What a hand that our defaults refuse with this code was played by."""


class _Step(Struct, frozen=True):
    seat: Seat
    action: Action


class _Course(Struct, frozen=True):
    """How a hand went with one deck."""

    steps: tuple[_Step, ...]
    state: State[Any]


def archive_of_hand(fields: Mapping[str, Any], salt_key: bytes) -> Archive:
    """The log of a hand from a PHH file's fields; the same hand and key give the same log.

    Raises Refused: unsupported_variant, bad_message, bad_deal, bad_option, or what our rules refuse an action with.
    """
    hand = recorded(fields)
    cards = dealt(hand)
    hand, course, deck = _matching(hand, cards)
    key = digest("fairdeal/phh", msgspec.msgpack.encode([hand.options, hand.actions, deck]))
    wish = Open(key=key, game=hand.game, options=hand.options, seats=hand.seats)
    return _Log(salt_key, wish).written(course, deck)


def _matching(hand: Recorded, cards: Dealt) -> tuple[Recorded, _Course, Cards]:
    """The hand with the house rules it shows, and a deck with which it ends as recorded."""
    try:
        for attempt in range(ATTEMPTS if cards.unknown else 1):
            deck = cards.filled(attempt)
            course = _played(hand, deck)
            if _ends_as_recorded(hand, cards, course.state):
                return hand, course, deck
    except Refused as refused:
        changes = {k: v for k, v in HOUSE_RULES.get(refused.code, {}).items() if hand.options.get(k) != v}
        if not changes or not changes.keys() <= {*GAMES[hand.game].options.__struct_fields__}:
            raise
        return _matching(replace(hand, options=hand.options | changes), cards)
    raise Refused(Code.UNSUPPORTED_VARIANT, "it ends with other stacks than recorded")


def _played(hand: Recorded, deck: Cards) -> _Course:
    """The hand by our rules. Raises Refused."""
    game: Game[Any, State[Any]] = GAMES[hand.game]
    state = game.begin(game.open(hand.options, hand.seats), hand.seats)
    state = reduce(game.evolve, game.deal(state, _given(deck)), state)
    steps: list[_Step] = []
    for words in hand.actions:
        if (step := _step(game, hand, state, words)) is not None:
            state = reduce(game.evolve, game.act(state, step.seat, step.action, False), state)  # noqa: FBT003  # as Game has it
            steps.append(step)
    if game.due(state) == "scorer":
        state = reduce(game.evolve, game.score(state), state)
    return _Course(tuple(steps), state)


def _given(deck: Cards) -> Shuffle:
    return lambda _: deck


def _step(game: Game[Any, State[Any]], hand: Recorded, state: State[Any], words: Words) -> _Step | None:
    """What the words say in our terms; None for cards, and for a call where our rules ask for nothing."""
    match words:
        case ("d", *_) | (_, "sm", *_):
            return None
        case (player, "f"):
            return _Step(seat_of(player), {"type": "fold"})
        case (player, "pb"):
            return _Step(seat_of(player), {"type": "bring_in"})
        case (player, "cc"):
            return _called(game, state, seat_of(player))
        case (player, "cbr", amount):
            seat = seat_of(player)
            return _Step(seat, _wager(game, state, seat, hand.amount(amount)))
        case _:
            raise Refused(Code.BAD_MESSAGE, f"{' '.join(words)} is no action of this game")


def _called(game: Game[Any, State[Any]], state: State[Any], seat: Seat) -> _Step | None:
    match state.phase:
        case Betting(hand=hand, round=betting) if seat in hand.live:
            owed = cost(hand.live, state.stacks, betting.bets, betting.to_match, seat)
            if game.due(state) != (seat,) and not owed:
                return None
            return _Step(seat, {"type": "call" if owed else "check"})
        case Betting():
            raise Refused(Code.NOT_YOUR_TURN)
        case _:
            return None


def _wager(game: Game[Any, State[Any]], state: State[Any], seat: Seat, amount: int) -> Action:
    """A bet, raise or completion to this amount, or all chips where only they come to it."""
    listed = {choice["type"]: (choice, facts) for choice, facts in _listed(game.legal(state, seat))}
    verb = next((verb for verb in ("bet", "raise", "complete") if verb in listed), "raise")
    reaches = "all_in" in listed and listed["all_in"][1]["amount"] == amount
    if reaches and (verb not in listed or amount > listed[verb][0]["amount"]["max"]):
        return {"type": "all_in"}
    return {"type": verb, "amount": amount}


def _listed(legal: Legal) -> Iterator[tuple[Action, Action]]:
    return zip(legal.choices, legal.facts, strict=False)


def _ends_as_recorded(hand: Recorded, cards: Dealt, state: State[Any]) -> bool:
    """Whether the recorded stacks come out; where none are, whether no seat wins that did not show its cards."""
    if not isinstance(state.phase, (Between, Ended)) or state.phase.result is None:
        return True
    pots = state.phase.result.pots
    if hand.finishing is not None:
        split = sum(len(pot.winners) - 1 for pot in pots)  # the odd chip may be broken, or go elsewhere
        differences = [abs(ours - theirs) for ours, theirs in zip(state.stacks, hand.finishing, strict=False)]
        return len(hand.finishing) == hand.seats and all(difference <= split for difference in differences)
    live = state.phase.last.live if state.phase.last else ()
    if {*live} <= cards.unknown:
        return True
    return not any(cards.unknown & {*pot.winners} for pot in pots if {*pot.eligible} - cards.unknown)


class _Log:
    """A log that is written commit by commit, without a service."""

    def __init__(self, salt_key: bytes, wish: Open) -> None:
        self._salt_key = salt_key
        self._wish = wish
        self._fold = Fold(match_id(wish.key, "open"))
        self._messages: list[Message] = []

    def written(self, course: _Course, deck: Cards) -> Archive:
        """The whole log of the hand."""
        opened = open_match(as_action(self._wish))
        events = tuple(replace(e, deal="given") if isinstance(e, MatchOpened) else e for e in opened.events)
        self._append(replace(opened, events=events), cause_of(self._wish.key, "open"))
        match = self._match()
        dealt = match.game.deal(match.play, _given(deck))
        self._append(Draft(by="dealer", events=dealt), cause_of("dealer", match.index))
        for step in course.steps:
            match = self._match()
            self._append(act(match, step.seat, step.action), cause_of(self._wish.key, str(match.index)))
        match = self._match()
        if due(match) == "scorer":
            self._append(score(match), cause_of("scorer", match.index))
        return Archive("auditor", tuple(self._messages))

    def _match(self) -> Match:
        if self._fold.state is None:
            raise ValueError("the match was not opened yet")
        return self._fold.state

    def _append(self, draft: Draft, cause: bytes) -> None:
        fold = self._fold
        commit = commit_of(draft, match=fold.match, index=fold.index + 1, at=0, cause=cause, prev=fold.head)
        message = from_log(to_log(commit, self._salt_key))
        fold.advance(message, fold.check(message.commit))
        self._messages.append(message)
