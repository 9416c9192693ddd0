"""What holds for every match of Gongzhu with any options, and for every event in every state."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import gongzhu
from schemas.cards import PACK, Cards
from schemas.codec import false_openings, from_log, to_log
from schemas.events import HandRevealed
from schemas.gongzhu import HandScored, MatchEnded
from schemas.log import NO_CHAIN, Commit
from services.games.game import Refused
from services.games.gongzhu import GAME
from services.games.gongzhu.claiming import outstanding
from services.games.gongzhu.state import EXPOSABLE, POINT_CARDS, Playing, State, hand_of
from services.games.shared.state import Unscored
from services.games.shuffle import Stream
from tests.games.gongzhu.hands import decide
from tests.games.gongzhu.matches import Position, misdealt_match, random_match, random_options
from tests.templates import covers
from tests.values import values_of

DICE = Stream(b"options")
SETS: dict[str, Mapping[str, Any]] = {
    **{name: {"preset": name, "hands_limit": 2} for name in GAME.presets},
    **{f"drawn-{number}": random_options(DICE) for number in range(60)},
}
OPTIONS = list(SETS.values())
PHASES = {"cut", "misdeal", "misdeal_fix", "first_expose", "expose", "play", "claim", "claim_grace", "referee", "done"}


def matches(options: Mapping[str, Any]) -> Iterator[list[Position]]:
    """A match with these options, and one that begins with a misdeal."""
    seed = repr(options).encode()
    yield list(random_match(options, seed))
    opened = GAME.open(options, 4)
    if opened.cut == "none" and opened.misdeal == "consent":
        yield list(misdealt_match({**options, "decks": opened.decks}, seed))


# --- every position ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS, ids=SETS)
def test_a_random_match_keeps_what_must_always_hold(options: Mapping[str, Any]) -> None:
    """act ⇔ legal for every seat and the house, time-outs accepted, no card lost, finals add up, zero-sum is 0."""
    for positions in matches(options):
        for number, position in enumerate(positions):
            check_cards(position.state)
            if number % 9 == 0 or not isinstance(position.state.phase, Playing):
                check_legal(position.state)
        check_points(positions)


def check_cards(state: State) -> None:
    """The pack is whole before play; every point card is taken once at the end of a hand; hands are of one size."""
    hand, decks = hand_of(state), state.options.decks
    match state.phase:
        case Playing(trick=()):
            assert hand is not None
            assert len(set(map(len, hand.held))) == 1
            held = [card for cards in hand.held for card in cards if card in POINT_CARDS]
            assert Counter(held) == Counter(outstanding(state.options, hand))
        case Unscored(hand=ended):
            assert Counter(capture.card for capture in ended.captures) == Counter(POINT_CARDS * decks)
            assert all(capture.mode in modes_of(state, capture.card) for capture in ended.captures)
            assert ended.unplayed == ()
        case _ if GAME.phase(state) in ("misdeal", "misdeal_fix", "first_expose", "expose"):
            assert hand is not None
            assert Counter(card for cards in hand.held for card in cards) == Counter(PACK * decks)
        case _:
            pass


def modes_of(state: State, card: str) -> list[str | None]:
    """How the copies of a card are exposed."""
    hand = hand_of(state)
    assert hand is not None
    modes: list[str | None] = [e.mode for e in hand.exposed if e.card == card]
    return [*modes, None] if len(modes) < state.options.decks else modes


def check_points(positions: list[Position]) -> None:
    """Totals are the sums of finals, and these of a hand are 0 where they are to be."""
    events = [event for position in positions for event in position.events]
    finals = [event.final for event in events if isinstance(event, HandScored)]
    last = positions[-1].state
    assert tuple(map(sum, zip(*finals, strict=True))) == last.totals
    if last.options.final_score == "zero_sum":
        assert [sum(final) for final in finals] == [0] * len(finals)
    ends = [event for event in events if isinstance(event, MatchEnded)]
    assert len(ends) == 1
    assert sorted(seat for seats in ends[0].ranking for seat in seats) == [0, 1, 2, 3]


def check_legal(state: State) -> None:
    """Exactly what `legal` covers is accepted, of every seat and of the house, and what a time-out does is too."""
    due = GAME.due(state)
    asked = due if isinstance(due, tuple) else ()
    for seat in range(4):
        listed = GAME.legal(state, seat)
        choices = {repr(choice) for choice in listed.choices}
        assert len(choices) == len(listed.choices)
        for action in attempts(state, seat):
            legal = repr(action) in choices or any(covers(template, action) for template in listed.also)
            assert is_accepted(state, seat, action) == legal, (seat, action)
        tried = {repr(action) for action in attempts(state, seat)}
        assert choices <= tried
        assert bool(listed.choices) == (seat in asked and GAME.phase(state) != "cut") or due == "house"
    for seat in asked:
        assert is_accepted(state, seat, GAME.timeout(state, seat), auto=True)
    rulings = GAME.legal(state, None).also
    for action in rulings_of(state):
        assert is_accepted(state, None, action) == any(covers(template, action) for template in rulings)


def is_accepted(state: State, seat: int | None, action: Mapping[str, Any], *, auto: bool = False) -> bool:
    """Whether the referee accepts."""
    try:
        decide(state, seat, action, auto=auto)
    except Refused:
        return False
    return True


def attempts(state: State, seat: int) -> list[dict[str, Any]]:
    """What a player could try that has the right form, cards in canonical order."""
    hand, decks = hand_of(state), state.options.decks
    held: Cards = () if hand is None else hand.held[seat]
    plays = [*((card,) for card in PACK), *((card, card) for card in PACK), *dict.fromkeys(combinations(held, 2))]
    plays = list(dict.fromkeys([*plays, ("2s", "3s"), held[:3] or ("2s", "3s", "4s")]))
    exposures = [
        cards
        for size in range(1, 4 * decks + 1)
        for cards in combinations_with_replacement(EXPOSABLE, size)
        if max(Counter(cards).values()) <= decks
    ]
    return [
        *({"type": verb} for verb in ("pass", "accept", "challenge")),
        *({"type": "consent", "accept": accept} for accept in (False, True)),
        *({"type": "cut", "at": at} for at in (-1, 0, 1, 51, 52, 103, 104)),
        *({"type": "play", "cards": list(cards)} for cards in plays),
        *({"type": "expose", "cards": list(cards)} for cards in [*exposures, ("2s",), ("Qs", "Qs", "Qs")]),
        *({"type": "expose", "cards": list(cards), "dark": True} for cards in [*exposures, ("2s",)]),
        *({"type": "claim", **way} for way in ways(state)),
        {"type": "claim", "to": 2, "line": "spades from the top"},
    ]


def rulings_of(state: State) -> list[dict[str, Any]]:
    """What the house could rule."""
    simple = [{"type": "rule", "ruling": ruling} for ruling in ("uphold", "reject", "adjust", "void")]
    return [*simple, *({"type": "rule", "ruling": "adjust", **way} for way in ways(state))]


def ways(state: State) -> list[dict[str, Any]]:
    """Ways to give the outstanding point cards, right ones and wrong ones."""
    hand = hand_of(state)
    cards = POINT_CARDS if hand is None else outstanding(state.options, hand)
    assign = [[card, place % 4] for place, card in enumerate(cards)]
    return [
        *({"to": seat} for seat in (-1, 0, 3, 4)),
        {"assign": assign},
        {"assign": assign[::-1]},
        {"assign": assign[1:]},
        {"assign": [*assign, ["Qs", 0]]},
        {"assign": [*assign[:-1], ["Qs", 4]]},
        {"assign": assign, "to": 0},
        {},
    ]


def test_the_random_matches_go_through_every_phase() -> None:
    seen = {
        GAME.phase(position.state) for options in OPTIONS for positions in matches(options) for position in positions
    }
    assert seen == PHASES


# --- evolve, and the log -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    """Positions of every phase, met in random matches."""
    return [
        position
        for options in OPTIONS
        for match in matches(options)
        for number, position in enumerate(match)
        if number % 11 == 0 or not isinstance(position.state.phase, Playing)
    ]


@settings(max_examples=150)
@given(data=st.data(), events=st.lists(values_of(gongzhu.Event), min_size=1, max_size=6))
def test_evolve_takes_any_event_in_any_state(
    positions: list[Position], data: st.DataObject, events: list[gongzhu.Event]
) -> None:
    state = data.draw(st.sampled_from(positions)).state
    for event in events:
        state = GAME.evolve(state, event)
        assert GAME.phase(state) in PHASES
        GAME.due(state)


def test_the_random_matches_tell_every_kind_of_event() -> None:
    """But for a misdeal being found, which is told where they begin, and penalties."""
    told = {type(event) for options in OPTIONS for match in matches(options) for p in match for event in p.events}
    assert {kind.__name__ for kind in set(gongzhu.Event.__args__) - told} == {"MisdealFound", "PenaltyGiven"}


def test_an_event_of_the_match_around_changes_nothing(positions: list[Position]) -> None:
    for position in positions:
        assert GAME.evolve(position.state, HandRevealed(first=1, last=2)) is position.state


def test_every_event_comes_back_from_the_log_as_it_was(positions: list[Position]) -> None:
    for position in positions:
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
    options = random_options(Stream(seed))
    assert [p.events for p in random_match(options, seed)] == [p.events for p in random_match(options, seed)]
