"""Gongzhu (拱猪, chase the pig): four seats, one or two packs, tricks to avoid. Rules and section numbers: RULES.md.

Read it in this order: options, state, evolve, deal, exposing, plays, playing, claiming, rules, sides,
score, table, scenario.
"""

from schemas.gongzhu import Action
from services.games.game import Game
from services.games.gongzhu.deal import deal
from services.games.gongzhu.evolve import evolve
from services.games.gongzhu.options import PRESETS, SEAT_COUNTS, Options, open_
from services.games.gongzhu.rules import act, legal, seals, timeout
from services.games.gongzhu.scenario import SCENARIOS
from services.games.gongzhu.score import score
from services.games.gongzhu.state import State, begin, due, phase
from services.games.gongzhu.table import table

GAME: Game[Options, State] = Game(
    name="gongzhu",
    title=("Gongzhu", "拱猪"),
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
    seconds={"cut": 15, "first_expose": 20, "expose": 20, "claim": 30, "misdeal": 60},  # gongzhu §2
)
