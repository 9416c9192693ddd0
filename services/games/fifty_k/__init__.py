"""Fifty-K (五十K): two sides of two shed combinations and capture points on 5, T and K. Rules: RULES.md.

Read it in this order: options, state, evolve, deal, combos, listing, rules, score, table, scenario.
"""

from schemas.fifty_k import Action
from services.games.fifty_k.deal import deal
from services.games.fifty_k.evolve import evolve
from services.games.fifty_k.options import PRESETS, SEAT_COUNTS, Options, open_
from services.games.fifty_k.rules import act, legal, seals, timeout
from services.games.fifty_k.scenario import SCENARIOS
from services.games.fifty_k.score import score
from services.games.fifty_k.state import State, begin, due, phase
from services.games.fifty_k.table import table
from services.games.game import Game

GAME: Game[Options, State] = Game(
    name="fifty_k",
    title=("Fifty-K", "五十K"),
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
