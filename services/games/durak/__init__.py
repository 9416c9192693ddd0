"""Durak (杜洛克): 3 to 6 seats, get rid of your cards; who is left with some is the durak. Rules: RULES.md.

Read it in this order: options, state, evolve, deal, battle, rules, score, table, scenario.
"""

from schemas.durak import Action
from services.games.durak.deal import deal
from services.games.durak.evolve import evolve
from services.games.durak.options import PRESETS, SEAT_COUNTS, Options, open_
from services.games.durak.rules import act, legal, seals, timeout
from services.games.durak.scenario import SCENARIOS
from services.games.durak.score import score
from services.games.durak.state import State, begin, due, phase, veils
from services.games.durak.table import table
from services.games.game import Game

GAME: Game[Options, State] = Game(
    name="durak",
    title=("Durak", "杜洛克"),
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
    veils=veils,
    table=table,
    scenarios=SCENARIOS,
)
