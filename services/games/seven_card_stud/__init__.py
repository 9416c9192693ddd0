"""Seven-card stud (七张牌梭哈): bring-in, five streets, the best five of seven cards.

Rules: RULES.md, and for what the poker games share shared/poker/RULES.md.
Read it in this order: options, state, streets, deal, rules, score, table, scenario.
"""

from schemas import poker
from services.games.game import Game
from services.games.seven_card_stud.deal import deal
from services.games.seven_card_stud.options import PRESETS, SEATS, Options, open_
from services.games.seven_card_stud.rules import act, legal, seals, timeout
from services.games.seven_card_stud.scenario import SCENARIOS
from services.games.seven_card_stud.score import score
from services.games.seven_card_stud.state import State, begin, phase
from services.games.seven_card_stud.table import table
from services.games.shared.poker.evolve import evolve
from services.games.shared.poker.state import due

GAME: Game[Options, State] = Game(
    name="seven_card_stud",
    title=("Seven-card stud", "七张牌梭哈"),
    version=1,
    seats=tuple(SEATS),
    actions=poker.Action,
    options=Options,
    presets=PRESETS,
    reveal="never",
    open=open_,
    begin=begin,
    evolve=evolve,
    phase=phase,
    due=due,
    deal=deal,
    legal=legal,
    act=act,
    timeout=timeout,
    score=score,
    seals=seals,
    table=table,
    scenarios=SCENARIOS,
)
