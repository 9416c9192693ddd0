"""Seven-card stud (七张牌梭哈): bring-in, five streets, the best five of seven cards.

Rules: RULES.md, and for what the poker games share shared/poker/RULES.md.
Read it in this order: options, state, evolve, streets, deal, rules, score, table, scenario.
"""

from schemas import poker
from services.games.game import Game
from services.games.seven_card_stud.deal import deal
from services.games.seven_card_stud.evolve import evolve
from services.games.seven_card_stud.options import PRESETS, SEAT_COUNTS, Options, open_
from services.games.seven_card_stud.rules import act, legal, seals, timeout
from services.games.seven_card_stud.scenario import SCENARIOS
from services.games.seven_card_stud.score import score
from services.games.seven_card_stud.state import State, begin, due, phase
from services.games.seven_card_stud.table import table

GAME: Game[Options, State] = Game(
    name="seven_card_stud",
    title=("Seven-card stud", "七张牌梭哈"),
    version=1,
    seats=SEAT_COUNTS,
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
