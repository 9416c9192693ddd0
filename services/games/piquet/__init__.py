"""Piquet (皮克牌): two seats, 32 cards; exchange, declare, play twelve tricks. Rules and section numbers: RULES.md.

Read it in this order: options, state, evolve, deal, exchange, declaring, playing, rules, score, table, scenario.
"""

from schemas.piquet import Action
from services.games.game import Game
from services.games.piquet.deal import deal
from services.games.piquet.evolve import evolve
from services.games.piquet.options import PRESETS, SEAT_COUNTS, Options, open_
from services.games.piquet.rules import act, legal, seals, timeout
from services.games.piquet.scenario import SCENARIOS
from services.games.piquet.score import score
from services.games.piquet.state import State, begin, due, phase
from services.games.piquet.table import table

GAME: Game[Options, State] = Game(
    name="piquet",
    title=("Piquet", "皮克牌"),
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
