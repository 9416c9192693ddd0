"""How scenario files of seven-card stud map onto its state (poker §13)."""

from services.games.seven_card_stud.options import pack
from services.games.seven_card_stud.score import ranking
from services.games.seven_card_stud.state import begin, phase
from services.games.shared.poker.scenario import scenarios

SCENARIOS = scenarios(begin, pack, ranking, phase)
