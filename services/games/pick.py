"""A random legal action: how bots without judgement and simulations play."""

from schemas.actions import Action
from schemas.views import Legal
from services.games.shuffle import Stream


def pick(legal: Legal, stream: Stream) -> Action | None:
    """One of the listed choices, each as likely as the others; None where nothing is listed."""
    if not legal.choices:
        return None
    return legal.choices[stream.below(len(legal.choices))]
