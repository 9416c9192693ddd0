"""How scenario files of seven-card stud map onto its state (poker §13)."""

from collections.abc import Mapping
from typing import Any

from schemas.cards import Cards
from services.games.game import Scenarios
from services.games.seven_card_stud.options import Options, pack
from services.games.seven_card_stud.score import ranking
from services.games.seven_card_stud.state import State, begin, phase
from services.games.shared.poker.scenario import UNORDERED, decks_of, facts


def start(options: Options, scenario: Mapping[str, Any]) -> State:
    """The state a scenario starts from: before its first deal."""
    return begin(options, scenario["seats"])


def decks(options: Options, scenario: Mapping[str, Any]) -> tuple[Cards, ...]:
    """The decks of its hands. Raises Refused: bad_deal."""
    return decks_of(pack(options), scenario)


SCENARIOS = Scenarios(begin=start, decks=decks, facts=facts(ranking, phase), unordered=UNORDERED)
