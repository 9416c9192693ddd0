"""The fishing game (捡牌): two to four seats; a card takes what adds up to it, builds are taken later. Rules: RULES.md.

Read it in this order: options, state, evolve, deal, groups, taking, turns, rules, score, table, scenario.
"""

from schemas.cassino import Action
from services.games.cassino.deal import deal
from services.games.cassino.evolve import evolve
from services.games.cassino.options import PRESETS, SEAT_COUNTS, Options, open_
from services.games.cassino.rules import act, legal, seals, timeout
from services.games.cassino.scenario import SCENARIOS
from services.games.cassino.score import score
from services.games.cassino.state import State, begin, due, phase
from services.games.cassino.table import table
from services.games.game import Game

GAME: Game[Options, State] = Game(
    name="cassino",
    title=("Fishing game", "捡牌"),
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
