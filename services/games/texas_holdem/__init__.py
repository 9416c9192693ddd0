"""Texas hold'em (德克萨斯扑克): blinds, two hole cards and a board of five.

Rules: RULES.md, and for what the poker games share shared/poker/RULES.md.
Read it in this order: options, state, evolve, streets, deal, rules, score, table, scenario.
"""

from schemas import poker
from services.games.game import Game
from services.games.texas_holdem.deal import deal
from services.games.texas_holdem.evolve import evolve
from services.games.texas_holdem.options import PRESETS, SEAT_COUNTS, Options, open_
from services.games.texas_holdem.rules import act, legal, seals, timeout
from services.games.texas_holdem.scenario import SCENARIOS
from services.games.texas_holdem.score import score
from services.games.texas_holdem.state import State, begin, due, phase
from services.games.texas_holdem.table import table

GAME: Game[Options, State] = Game(
    name="texas_holdem",
    title=("Texas hold'em", "德克萨斯扑克"),
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
