"""Reading a list of legal actions, and a random one of them: how bots without judgement and simulations play."""

from collections.abc import Iterator, Mapping
from typing import Any

from schemas.actions import Action
from schemas.views import Legal
from services.games.shuffle import Stream

RARELY = 32
"""One time in so many, what is not listed is chosen where something is."""


def pick(legal: Legal, stream: Stream) -> Action | None:
    """One of the listed choices, each as likely as the others, or rarely what is allowed beside them.

    None where nothing is listed and there is nothing else, or only what needs the sender's own secrets.
    """
    templates = [template for template in legal.also if not _is_own(template)]
    if templates and (not legal.choices or stream.below(RARELY) == 0):
        return fill(templates[stream.below(len(templates))], stream)
    if not legal.choices:
        return None
    return fill(legal.choices[stream.below(len(legal.choices))], stream)


def fill(template: Action, stream: Stream) -> Action:
    """An action that the template stands for."""
    if dict not in map(type, template.values()):
        return template
    given = {key: value for key, value in template.items() if not _is_optional(value) or stream.below(2) == 0}
    return {key: _fill(value, stream) for key, value in given.items()}


def ends(choice: Action) -> Iterator[Action]:
    """The listed choice as it may be sent: of ranges, with the least and with the largest numbers."""
    if not any(map(_is_range, choice.values())):
        yield choice
        return
    for end in ("min", "max"):
        yield {name: value[end] if _is_range(value) else value for name, value in choice.items()}


def covers(choice: Action, action: Action) -> bool:
    """Whether the action is this listed choice as it may be sent."""
    return choice.keys() == action.keys() and all(_covers(value, action[name]) for name, value in choice.items())


def told(legal: Legal) -> list[Action]:
    """The choices with what each comes to, as a seat is told and scenarios list them."""
    if not legal.facts:
        return list(legal.choices)
    return [{**choice, **facts} for choice, facts in zip(legal.choices, legal.facts, strict=True)]


def _is_own(template: Action) -> bool:
    return any(isinstance(value, Mapping) and "bytes" in value for value in template.values())


def _is_optional(value: object) -> bool:
    return isinstance(value, Mapping) and "maybe" in value


def _is_range(value: object) -> bool:
    return isinstance(value, Mapping) and "min" in value


def _fill(value: Any, stream: Stream) -> object:
    """A value that the template stands for; see schemas.views.Legal."""
    match value:
        case {"min": int(least), "max": int(most)}:
            step = int(value.get("step", 1))
            return least + step * stream.below((most - least) // step + 1)
        case {"each": [*members], "of": [*values]}:
            return [[member, values[stream.below(len(values))]] for member in members]
        case {"of": [*values]}:
            return values[stream.below(len(values))]
        case {"text": _}:
            return "…"
        case {"maybe": inner}:
            return _fill(inner, stream)
        case _:
            return value


def _covers(value: Any, sent: object) -> bool:
    if not _is_range(value):
        return bool(value == sent)
    if not isinstance(sent, int) or isinstance(sent, bool):
        return False
    least, most, step = value["min"], value["max"], value.get("step", 1)
    return bool(least <= sent <= most and (sent - least) % step == 0)
