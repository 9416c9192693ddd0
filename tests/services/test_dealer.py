"""Who the dealer is, and when it does not deal."""

import pytest
from pydantic import SecretStr

from schemas.events import DealerCommitted, MatchOpened
from services.dealer.app import WrongSecret, turn
from services.games.decide import open_match
from services.games.match import Match, apply, begin
from services.runtime import keys
from services.runtime.settings import Settings, SettingsError

MATCH = "M" * 26


@pytest.fixture
def match() -> Match:
    """A match that was just opened."""
    wish = {"type": "open", "key": bytes(32), "game": "gongzhu", "options": {"preset": "standard"}, "seats": 4}
    [opened] = open_match(wish).events
    assert isinstance(opened, MatchOpened)
    return begin(MATCH, opened)


def test_the_dealer_does_not_deal_on_from_another_secret(match: Match) -> None:
    mine, other = (turn(Settings(secret=SecretStr(digits * 32))) for digits in ("5e", "5f"))
    [committed] = mine(match).events
    assert isinstance(committed, DealerCommitted)
    with pytest.raises(WrongSecret):
        other(apply(match, (committed,)))


def test_the_dealer_names_its_secret_without_telling_it(match: Match) -> None:
    [first], [second] = (turn(Settings(secret=SecretStr(d * 32)))(match).events for d in ("5e", "5f"))
    assert isinstance(first, DealerCommitted)
    assert isinstance(second, DealerCommitted)
    assert first.key_id != second.key_id
    assert first.key_id not in "5e" * 32


def test_a_role_without_a_secret_is_refused() -> None:
    with pytest.raises(SettingsError, match="FAIRDEAL_SECRET"):
        keys.required(Settings())
