"""Show hand (梭哈): five cards, bets up to what all can follow, no pot is split.

Rules: RULES.md, and for what the poker games share shared/poker/RULES.md.
Read it in this order: options, state, evolve, streets, deal, rules, score, table, scenario.
"""

from schemas import poker
from services.games.game import Game
from services.games.show_hand.deal import deal
from services.games.show_hand.evolve import evolve
from services.games.show_hand.options import PRESETS, SEAT_COUNTS, Options, open_
from services.games.show_hand.rules import act, legal, seals, timeout
from services.games.show_hand.scenario import SCENARIOS
from services.games.show_hand.score import score
from services.games.show_hand.state import State, begin, due, phase
from services.games.show_hand.table import table

GAME: Game[Options, State] = Game(
    name="show_hand",
    title=("Show hand", "梭哈"),
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
