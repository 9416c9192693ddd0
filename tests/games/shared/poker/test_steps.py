"""Every event of the poker games has a step onto the state."""

from typing import get_args

from schemas import poker
from services.games.shared.poker.evolve import STEPS


def test_no_event_is_without_a_step() -> None:
    """An event without one would change nothing."""
    assert STEPS.keys() == {*get_args(poker.Event)}
