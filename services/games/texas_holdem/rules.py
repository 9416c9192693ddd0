"""The referee's part of Texas hold'em: what may be done, and what it does (poker §3, §4, §10, §11)."""

from functools import partial

from services.games.shared.poker import play
from services.games.texas_holdem.streets import RULES

legal = partial(play.legal, RULES)
timeout = partial(play.timeout, RULES)
seals = play.seals
act = partial(play.act, RULES)
