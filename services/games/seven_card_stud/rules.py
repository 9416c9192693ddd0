"""The referee's part of seven-card stud: what may be done, and what it does (poker §3, §4, §10, §11)."""

from functools import partial

from services.games.seven_card_stud.streets import RULES
from services.games.shared.poker import play

legal = partial(play.legal, RULES)
timeout = partial(play.timeout, RULES)
seals = play.seals
act = partial(play.act, RULES)
