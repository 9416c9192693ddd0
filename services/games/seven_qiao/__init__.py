"""Seven-qiao (七巧): two to seven seats; draw towards few exact hands, and keep one's word. Rules: RULES.md.

Read it in this order: options, state, evolve, deal, drawing, rules, score, table, scenario.
"""

from schemas.seven_qiao import Action
from services.games.game import Game
from services.games.seven_qiao.deal import deal
from services.games.seven_qiao.evolve import evolve
from services.games.seven_qiao.options import PRESETS, SEAT_COUNTS, Options, open_
from services.games.seven_qiao.rules import act, legal, seals, timeout
from services.games.seven_qiao.scenario import SCENARIOS
from services.games.seven_qiao.score import score
from services.games.seven_qiao.state import State, begin, due, phase
from services.games.seven_qiao.table import table

GAME: Game[Options, State] = Game(
    name="seven_qiao",
    title=("Seven-qiao", "七巧"),
    version=1,
    seats=SEAT_COUNTS,
    actions=Action,
    options=Options,
    presets=PRESETS,
    reveal="hand",
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
