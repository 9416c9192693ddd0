"""What holds for every match of Gongzhu, and for every event in every state."""

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from schemas import gongzhu
from schemas.cards import PACK, Cards
from schemas.codec import false_openings, from_log, to_log
from schemas.events import Event, Events, HandRevealed
from schemas.gongzhu import (
    Answer,
    Answered,
    Capture,
    Exposed,
    Exposure,
    HandDealt,
    HandPlayed,
    HandScored,
    HandVoided,
    MatchEnded,
    PenaltyGiven,
    PlayBegan,
    Played,
    TrickTaken,
)
from schemas.log import NO_CHAIN, Commit
from schemas.sealed import Sealed
from services.games.game import Refused
from services.games.gongzhu import GAME
from services.games.gongzhu.playing import is_point_card
from services.games.gongzhu.state import EXPOSABLE, Exposing, Playing, State, Unscored
from services.games.shuffle import Stream, shuffle
from tests.games.gongzhu.hands import decide

OPTIONS: list[Mapping[str, Any]] = [
    *({"preset": name} for name in GAME.presets),
    {"expose_order": "turns", "force_fourth": True, "discard_colour": "penalty", "self_capture": True},
    {"leader_rule": "opening_card", "opening_card": "Qs", "discard_colour": "strict", "early_end": True},
    {"leader_rule": "rotate", "expose": "all", "slam_exposed": "whole", "event": "tournament"},
    {"expose": "except_sheep", "threshold": "pass", "heart_values": "face", "event": "swiss"},
    {"expose": "none", "double_pig": True, "final_score": "zero_sum", "threshold_on": "final"},
    {"opening_must_play": False, "lose_at": None, "win_at": None, "hands_limit": 3, "first_dealer": 2},
]


class Position(Struct, frozen=True):
    """A state met in a random match, and the events that led to it from the state before."""

    state: State
    events: Events = ()


def random_match(options: Mapping[str, Any], seed: bytes) -> Iterator[Position]:
    """Every position of one random legal match."""
    numbers = Stream(seed)
    state = GAME.begin(GAME.open(options, 4), 4)
    yield Position(state)
    while (due := GAME.due(state)) != "none":
        match due:
            case "dealer":
                events = GAME.deal(state, lambda deck: shuffle(deck, numbers.below(2**32).to_bytes(4, "big")))
            case "scorer":
                events = GAME.score(state)
            case _:
                seat = int(due[numbers.below(len(due))])
                choices = GAME.legal(state, seat).choices
                events = decide(state, seat, choices[numbers.below(len(choices))])
        state = reduce(GAME.evolve, events, state)
        yield Position(state, events)


def all_answers(state: State) -> list[dict[str, Any]]:
    """Everything a player could try that has the right form."""
    plays: list[Cards] = [(card,) for card in PACK]
    exposures: list[Cards] = [cards for size in range(1, 5) for cards in combinations(EXPOSABLE, size)]
    return [
        {"type": "pass"},
        *({"type": "play", "cards": list(cards)} for cards in [*plays, ("2s", "3s"), ("2s", "2s")]),
        *({"type": "expose", "cards": list(cards)} for cards in [*exposures, ("2s",), ("Qs", "Qs")]),
    ]


def is_accepted(state: State, seat: int, action: Mapping[str, Any], *, auto: bool = False) -> bool:
    """Whether the referee accepts."""
    try:
        decide(state, seat, action, auto=auto)
    except Refused:
        return False
    return True


def card_of(action: Mapping[str, Any]) -> str:
    """A text to compare actions by."""
    return repr(sorted(action.items()))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_random_match_keeps_what_must_always_hold(options: Mapping[str, Any]) -> None:
    """act ⇔ legal for every seat, time-outs accepted, hands of one size, all point cards taken once, zero-sum."""
    finals: list[tuple[int, ...]] = []
    positions = list(random_match(options, repr(options).encode()))
    for number, position in enumerate(positions):
        if number % 7 == 0:
            check_legal(position.state)
        match position.state.phase:
            case Exposing(hand=hand):
                assert sorted(card for cards in hand.held for card in cards) == sorted(PACK)
            case Unscored(hand=hand):
                taken = [capture.card for capture in hand.captures]
                assert sorted(taken) == sorted(filter(is_point_card, PACK))
            case _:
                pass
        finals += [event.final for event in position.events if isinstance(event, HandScored)]
    last = positions[-1].state
    assert tuple(map(sum, zip(*finals, strict=True))) == last.totals
    if last.options.final_score == "zero_sum":
        assert [sum(final) for final in finals] == [0] * len(finals)


def check_legal(state: State) -> None:
    """Exactly the listed choices are accepted, of every seat, and what a time-out does is among them."""
    due = GAME.due(state)
    asked = due if isinstance(due, tuple) else ()
    for seat in range(4):
        listed = GAME.legal(state, seat).choices
        accepted = [action for action in all_answers(state) if is_accepted(state, seat, action)]
        assert sorted(map(card_of, listed)) == sorted(map(card_of, accepted))
        assert bool(listed) == (seat in asked)
    for seat in asked:
        timeout = GAME.timeout(state, seat)
        assert timeout in GAME.legal(state, seat).choices
        assert is_accepted(state, seat, timeout, auto=True)


# --- evolve is total ---------------------------------------------------------------------------------------------

seats = st.integers(-2, 17)
cards = st.sampled_from([*PACK, "Xr", "??", ""])
card_lists = st.lists(cards, max_size=14).map(tuple)
points = st.lists(st.integers(-5000, 5000), max_size=5).map(tuple)
modes = st.sampled_from(["first", "open", "dark", "forced"])
exposures = st.lists(st.builds(Exposure, cards, seats, modes), max_size=5).map(tuple)
captures = st.lists(st.builds(Capture, cards, seats, seats, st.none() | modes), max_size=5).map(tuple)
answers = st.builds(Answer, card_lists, st.booleans())


def sealed(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Sealed[Any]]:
    """A sealed value, open to the reader or not."""
    return st.builds(Sealed, st.just("slot"), values) | st.just(Sealed("slot"))


EVENTS: dict[type[Struct], st.SearchStrategy[Any]] = {
    HandDealt: st.builds(
        HandDealt,
        hand_no=st.integers(0, 9),
        dealer=seats,
        deck=sealed(card_lists),
        hands=st.lists(sealed(card_lists), max_size=5).map(tuple),
        asked=st.lists(seats, max_size=5).map(tuple),
        leader=st.none() | seats,
        sealed_leader=st.none() | sealed(seats),
        opening=st.none() | cards,
    ),
    HandVoided: st.builds(HandVoided, leader=st.none() | seats),
    Answered: st.builds(Answered, seat=seats, answer=sealed(answers)),
    Exposed: st.builds(Exposed, seat=seats, answer=answers, exposures=exposures, next=st.none() | seats),
    PlayBegan: st.builds(PlayBegan, leader=seats, exposures=exposures),
    Played: st.builds(
        Played, seat=seats, cards=card_lists, next=seats, breach=st.booleans(), managed=st.booleans()
    ),
    TrickTaken: st.builds(TrickTaken, winner=seats, suit=st.sampled_from([*"shdc", "", "x"]), captures=captures),
    HandPlayed: st.builds(HandPlayed),
    HandScored: st.builds(
        HandScored,
        hand_no=st.integers(0, 9),
        sides=st.none(),
        scores=points,
        side_scores=st.none() | points,
        final=points,
        raw_totals=points,
        totals=points,
        next_dealer=st.none() | seats,
        next_leader=st.none() | seats,
    ),
    MatchEnded: st.builds(
        MatchEnded, winners=points, pigs=points, ranking=st.lists(points).map(tuple), match_final=points,
        next_dealer=seats,
    ),
    PenaltyGiven: st.builds(PenaltyGiven, seat=seats, points=st.integers(-500, 500)),
}  # fmt: skip
any_event = st.one_of(*EVENTS.values())


def test_the_arbitrary_events_are_of_every_kind() -> None:
    assert set(EVENTS) == set(gongzhu.Event.__args__)


@pytest.fixture(scope="module")
def positions() -> list[State]:
    """States of every phase, met in random matches."""
    return [
        position.state
        for options in OPTIONS[:1] + OPTIONS[-6:]
        for number, position in enumerate(random_match(options, b"positions"))
        if number % 11 == 0 or not isinstance(position.state.phase, Playing)
    ]


@settings(max_examples=300)
@given(data=st.data(), events=st.lists(any_event, min_size=1, max_size=6))
def test_evolve_takes_any_event_in_any_state(positions: list[State], data: st.DataObject, events: list[Event]) -> None:
    state = data.draw(st.sampled_from(positions))
    for event in events:
        state = GAME.evolve(state, event)
        assert isinstance(GAME.phase(state), str)
        GAME.due(state)


def test_an_event_of_the_match_around_changes_nothing(positions: list[State]) -> None:
    for state in positions:
        assert GAME.evolve(state, HandRevealed(first=1, last=2)) is state


@pytest.mark.parametrize("options", OPTIONS[-6:], ids=str)
def test_every_event_comes_back_from_the_log_as_it_was(options: Mapping[str, Any]) -> None:
    for position in random_match(options, b"log"):
        commit = Commit(
            match="M" * 26, index=1, by="referee", at=0, cause=bytes(16), prev=NO_CHAIN, events=position.events
        )
        message = from_log(to_log(commit, b"key"))
        assert message.commit.events == position.events
        assert false_openings(message) == []


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=5)
def test_the_same_seed_gives_the_same_match(number: int) -> None:
    seed = number.to_bytes(4, "big")
    assert [p.events for p in random_match({}, seed)] == [p.events for p in random_match({}, seed)]
