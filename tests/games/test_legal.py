"""`act` accepts exactly what `legal` covers, and a refusal changes nothing; at positions of whole matches."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.actions import Action
from schemas.cards import JOKERS, PACK, Seat
from schemas.refusals import Code
from services.games.decide import Draft, act
from services.games.game import Refused
from services.games.match import Match, apply, asked, due
from services.games.view import legal, readings
from tests.house import SETTINGS, SOME, Played, played
from tests.templates import covers, ends, fillings
from tests.values import values_of

MATCHES = range(2 * len(SETTINGS))
"""One of each setting, and a wild one of each."""

STRANGERS = (None, -1, 15)
"""Not seats of any game here: the house, and places where nobody sits."""

BAD_ACTIONS: tuple[Any, ...] = (
    None,
    7,
    "play",
    [],
    {},
    {"type": None},
    {"type": 1},
    {"type": "no such verb"},
    {"cards": []},
)


@pytest.fixture(scope="module", params=MATCHES)
def match(request: pytest.FixtureRequest) -> Played:
    """One of the matches."""
    return played(request.param)


def sampled(match: Played) -> list[Match]:
    """Positions from all phases: every seventh, and the first ones."""
    return [*match.states[:16], *match.states[16::7]]


def snapshot(match: Match) -> bytes:
    """All that a match holds, as bytes."""
    fields = [getattr(match, name) for name in match.__struct_fields__ if name != "game"]
    return msgspec.msgpack.encode(fields)


def try_to_act(match: Match, seat: Seat | None, action: Any) -> Draft | Refused:
    """What the action does, or the refusal; neither changes the match."""
    before = snapshot(match)
    try:
        outcome: Draft | Refused = act(match, seat, action)
    except Refused as refused:
        outcome = refused
    assert snapshot(match) == before
    if isinstance(outcome, Refused):
        assert outcome.code in Code
    return outcome


def effect(draft: Draft) -> object:
    """The events of a decision, values opened and cards in order: choices are listed with cards in canonical order."""
    return _ordered(msgspec.to_builtins(draft.events, enc_hook=lambda sealed: sealed.value))


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _ordered(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        members = [_ordered(member) for member in value]
        return sorted(members) if members and all(member in (*PACK, *JOKERS) for member in members) else members
    return value


def sample(choices: Sequence[Action]) -> Sequence[Action]:
    """All choices, or of very many a part from everywhere."""
    return choices[:: len(choices) // SOME + 1]


def is_listed(match: Match, seat: Seat, action: Action) -> bool:
    """Whether an accepted action is one of the choices, or scenarios write what it is read as like one of them."""
    listed = legal(match, seat)
    if any(covers(choice, action) for choice in listed.choices):
        return True
    write = match.game.scenarios.listed
    written = write(listed)
    return any(entry in written for entry in write(readings(match, seat, action)))


def test_every_listed_choice_is_accepted_and_leaves_one_to_be_due(match: Played) -> None:
    for state in sampled(match):
        for seat in range(match.setting.seats):
            for choice in sample(legal(state, seat).choices):
                for action in ends(choice):
                    draft = try_to_act(state, seat, action)
                    assert isinstance(draft, Draft), (action, draft)
                    assert due(apply(state, draft.events)) is not None


def test_a_choice_is_refused_where_it_is_not_listed(match: Played) -> None:
    """All that was ever listed to anybody in the match is tried by everybody."""
    for state in sampled(match):
        for seat in range(match.setting.seats):
            choices = legal(state, seat).choices
            for action in match.vocabulary:
                if isinstance(try_to_act(state, seat, action), Draft):
                    assert is_listed(state, seat, action), (seat, action)
                else:
                    assert not any(covers(choice, action) for choice in choices), (seat, action)


def test_who_is_not_waited_for_is_listed_nothing_and_who_is_something(match: Played) -> None:
    for state in match.states:
        for seat in range(match.setting.seats):
            listed = legal(state, seat)
            if seat in asked(state):
                assert listed.choices or listed.count or listed.also
            elif due(state) != "house":  # who may still object then is listed that, though nobody waits for it
                assert (listed.choices, listed.count, listed.kinds) == ((), None, {})


def test_strangers_may_do_nothing_that_is_a_seats_to_do(match: Played) -> None:
    for state in sampled(match):
        for stranger in STRANGERS:
            for action in [*match.vocabulary, *legal(state, 0).also]:
                assert isinstance(try_to_act(state, stranger, action), Refused)


def test_what_is_no_action_is_refused(match: Played) -> None:
    for state in sampled(match):
        for seat in (0, *STRANGERS):
            for action in BAD_ACTIONS:
                assert isinstance(try_to_act(state, seat, action), Refused)


@settings(max_examples=300)
@given(st.data())
def test_all_that_a_template_stands_for_is_accepted(data: st.DataObject) -> None:
    """Of what only the sender knows, what he has told."""
    match = played(data.draw(st.sampled_from(MATCHES)))
    state = match.states[data.draw(st.integers(0, len(match.states) - 1))]
    seat = data.draw(st.integers(0, match.setting.seats - 1))
    templates = legal(state, seat).also
    if not templates:
        return
    template = data.draw(st.sampled_from(templates))
    own = [
        action for player in match.house.guests for action in (player.show(), player.commit()) if player.seat == seat
    ]
    if template["type"] in {action["type"] for action in own}:
        assert any(isinstance(try_to_act(state, seat, action), Draft) for action in own if covers(template, action))
    else:
        assert isinstance(try_to_act(state, seat, data.draw(fillings(template))), Draft)


def as_sent(action: Any) -> dict[str, Any]:
    """An action as the map that is sent."""
    return dict(msgspec.to_builtins(action))


WAYS: tuple[Callable[[Any], Any], ...] = (lambda value: [value], lambda value: None, lambda value: 7)
WAYS_OF_LISTS = (*WAYS, lambda v: v[::-1], lambda v: v * 2, lambda v: v[:-1], lambda v: [*v, PACK[0]])
"""How a field of an action is bent, and one that is a text or a list."""


@st.composite
def bent(draw: st.DrawFn, action: Action) -> Action:
    """An action of which one field is changed, is missing, or is too many."""
    name = draw(st.sampled_from(sorted(action)))
    others = {field: value for field, value in action.items() if field != name}
    way = draw(st.sampled_from(WAYS_OF_LISTS if isinstance(action[name], str | list) else WAYS))
    return draw(st.sampled_from([others, {**action, "stray": 1}, {**others, name: way(action[name])}]))


@settings(max_examples=500)
@given(st.data())
def test_whatever_else_is_sent_is_refused_or_is_a_choice_in_other_words(data: st.DataObject) -> None:
    """Any action of any verb of the game, and bent choices, at any position, by any seat."""
    match = played(data.draw(st.sampled_from(MATCHES)))
    state = match.states[data.draw(st.integers(0, len(match.states) - 1))]
    seat = data.draw(st.sampled_from(asked(state) or range(match.setting.seats)))
    choices = [action for choice in legal(state, seat).choices for action in ends(choice)] or match.vocabulary
    anything = values_of(state.game.actions).map(as_sent)
    action = data.draw(anything | st.sampled_from(choices).flatmap(bent))
    outcome = try_to_act(state, seat, action)
    listed = legal(state, seat)
    if isinstance(outcome, Draft) and not any(covers(template, action) for template in listed.also):
        if is_listed(state, seat, action):
            return
        listed_drafts = [try_to_act(state, seat, action) for choice in listed.choices for action in ends(choice)]
        assert effect(outcome) in [effect(draft) for draft in listed_drafts if isinstance(draft, Draft)]


@settings(max_examples=300)
@given(st.data())
def test_the_house_may_not_move_a_match_on_that_does_not_wait_for_it(data: st.DataObject) -> None:
    """It may add a penalty at any time; who is due then stays as it was."""
    match = played(data.draw(st.sampled_from(MATCHES)))
    state = match.states[data.draw(st.integers(0, len(match.states) - 1))]
    action = as_sent(data.draw(values_of(state.game.actions)))
    outcome = try_to_act(state, None, action)
    if isinstance(outcome, Draft) and due(state) != "house":
        assert due(apply(state, outcome.events)) == due(state)
