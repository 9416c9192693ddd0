"""Bluff (个人的胆量, 吹牛): 4 to 8 seats play cards face down and say what they are. Rules: RULES.md.

Read it in this order: options, state, evolve, deal, rules, score, table, scenario.
"""

from schemas.bluff import Action
from services.games.bluff.deal import deal
from services.games.bluff.evolve import evolve
from services.games.bluff.options import PRESETS, SEAT_COUNTS, Options, open_
from services.games.bluff.rules import act, legal, seals, timeout
from services.games.bluff.scenario import SCENARIOS
from services.games.bluff.score import score
from services.games.bluff.state import State, begin, due, phase
from services.games.bluff.table import table
from services.games.game import Game

GAME: Game[Options, State] = Game(
    name="bluff",
    title=("Bluff", "吹牛"),
    version=1,
    seats=SEAT_COUNTS,
    actions=Action,
    options=Options,
    presets=PRESETS,
    reveal="match",
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
