"""How scenario files of show hand map onto its state (poker §13)."""

from services.games.shared.poker.scenario import scenarios
from services.games.show_hand.options import pack
from services.games.show_hand.score import ranking
from services.games.show_hand.state import begin, phase

SCENARIOS = scenarios(begin, pack, ranking, phase)
