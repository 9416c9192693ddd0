"""A random legal action: how bots without judgement and simulations play; and legal actions as a seat is told them."""

from collections.abc import Sequence
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
    return _action(legal.choices[stream.below(len(legal.choices))], stream)


def pick_place(legal: Legal, stream: Stream) -> tuple[str, int]:
    """Of a list too long to carry, the kind of one choice, each as likely as the others, and its number among them."""
    number = stream.below(sum(legal.kinds.values()))
    for kind, count in legal.kinds.items():
        if number < count:
            return kind, number
        number -= count
    raise AssertionError("the kinds count all choices")


def told(legal: Legal) -> list[Action]:
    """The choices with what each comes to, as a seat is told and scenarios list them."""
    if not legal.facts:
        return list(legal.choices)
    return [{**choice, **facts} for choice, facts in zip(legal.choices, legal.facts, strict=True)]


def _is_own(template: Action) -> bool:
    return any("bytes" in value for value in template.values() if isinstance(value, dict))


def _action(template: Action, stream: Stream) -> Action:
    if dict not in map(type, template.values()):
        return template
    given = {key: value for key, value in template.items() if not _is_optional(value) or stream.below(2) == 0}
    return {key: _fill(value, stream) for key, value in given.items()}


def _is_optional(value: object) -> bool:
    return isinstance(value, dict) and "maybe" in value


def _fill(value: object, stream: Stream) -> Any:
    """A value that the template stands for; see schemas.views.Legal."""
    if not isinstance(value, dict):
        return value
    pattern = cast(dict[str, Any], value)
    if "maybe" in pattern:
        return _fill(pattern["maybe"], stream)
    if "min" in pattern:
        step = pattern.get("step", 1)
        return pattern["min"] + step * stream.below((pattern["max"] - pattern["min"]) // step + 1)
    if "each" in pattern:
        return [[member, _one_of(pattern["of"], stream)] for member in pattern["each"]]
    if "some" in pattern:
        return [*_some(pattern["some"], _one_of(pattern["counts"], stream), stream), *pattern.get("with", ())]
    return _one_of(pattern["of"], stream) if "of" in pattern else "…"


def _one_of(values: Sequence[Any], stream: Stream) -> Any:
    return values[stream.below(len(values))]


def _some(members: Sequence[Any], count: int, stream: Stream) -> list[Any]:
    """So many of the members, by the dice."""
    left, taken = list(members), list[Any]()
    while len(taken) < count:
        taken.append(left.pop(stream.below(len(left))))
    return taken
