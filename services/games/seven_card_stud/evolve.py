"""How events change the state of seven-card stud: as in every poker game."""

from services.games.shared.poker.evolve import evolve

__all__ = ["evolve"]
