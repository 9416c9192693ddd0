"""A random legal action: how bots without judgement and simulations play."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from schemas.actions import Action
from schemas.views import Legal
from services.games.shuffle import Stream

RARELY = 32
"""One time in so many, what is not listed is chosen where something is."""


def pick(legal: Legal, stream: Stream) -> Action | None:
    """One of the listed choices, each as likely as the others, or rarely what is allowed beside them.

    None where nothing is listed and there is nothing else, or only leaving, or what needs the sender's own secrets.
    """
    templates = [template for template in legal.also if template["type"] != "leave" and not _is_own(template)]
    if templates and (not legal.choices or stream.below(RARELY) == 0):
        return _action(templates[stream.below(len(templates))], stream)
    if not legal.choices:
        return None
    return legal.choices[stream.below(len(legal.choices))]


def _is_own(template: Action) -> bool:
    return any(isinstance(value, Mapping) and "bytes" in value for value in template.values())


def _action(template: Action, stream: Stream) -> Action:
    given = {key: value for key, value in template.items() if not _is_optional(value) or stream.below(2) == 0}
    return {key: _fill(value, stream) for key, value in given.items()}


def _is_optional(value: object) -> bool:
    return isinstance(value, Mapping) and "maybe" in value


def _fill(value: object, stream: Stream) -> Any:
    """A value that the template stands for; see schemas.views.Legal."""
    if not isinstance(value, Mapping):
        return value
    pattern = cast(Mapping[str, Any], value)
    if "maybe" in pattern:
        return _fill(pattern["maybe"], stream)
    if "min" in pattern:
        return pattern["min"] + stream.below(pattern["max"] - pattern["min"] + 1)
    if "each" in pattern:
        return [[member, _one_of(pattern["of"], stream)] for member in pattern["each"]]
    return _one_of(pattern["of"], stream) if "of" in pattern else "…"


def _one_of(values: Sequence[Any], stream: Stream) -> Any:
    return values[stream.below(len(values))]
