"""How scenario files of Texas hold'em map onto its state (poker §13)."""

from services.games.shared.poker.scenario import scenarios
from services.games.texas_holdem.options import pack
from services.games.texas_holdem.score import ranking
from services.games.texas_holdem.state import begin, phase

SCENARIOS = scenarios(begin, pack, ranking, phase)
