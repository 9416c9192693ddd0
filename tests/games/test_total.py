"""The fold stands whatever it is given: `evolve` never raises, and who is due can be said of every state."""

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.events import Event, Events
from schemas.log import Commit, role_due
from services.games.match import Match, asked, due, evolve
from tests.house import SETTINGS, played
from tests.values import values_of

EVENTS: st.SearchStrategy[Events] = st.lists(values_of(Event), min_size=1, max_size=6).map(tuple)


@st.composite
def positions(draw: st.DrawFn) -> Match:
    """A position of one of the matches, one of each setting and one more, wild, of each."""
    states = played(draw(st.integers(0, 2 * len(SETTINGS) - 1))).states
    return states[draw(st.integers(0, len(states) - 1))]


def commit(match: Match, events: Events, seat: int | None) -> Commit:
    """A commit with these events, as the next one of the match."""
    return Commit(
        match=match.id,
        index=match.index + 1,
        by="referee",
        at=0,
        cause=bytes(16),
        prev=bytes(32),
        events=events,
        seat=seat,
    )


@settings(max_examples=200)
@given(positions(), EVENTS, st.none() | st.integers(0, 15))
def test_any_events_onto_any_position_make_a_state_of_which_is_known_who_is_due(
    match: Match, events: Events, seat: int | None
) -> None:
    after = evolve(match, commit(match, events, seat))
    assert after.index == match.index + 1
    assert role_due(due(after)) in ("dealer", "referee", "scorer", None)
    assert all(isinstance(seat, int) for seat in asked(after))
