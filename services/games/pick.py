"""A random legal action, and what stands in a list of legal actions: how bots without judgement and simulations play."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from schemas.actions import Action
from schemas.views import Legal
from services.games.shuffle import Stream

Range = Mapping[str, int]
"""In place of a number: one of `min`, `min` + `step` … `max`; the step is 1 where none is given."""


def pick(legal: Legal, stream: Stream) -> Action | None:
    """One of the listed choices, each as likely as the others, and of a range any number; None where none is listed."""
    if not legal.choices:
        return None
    return fill(legal.choices[stream.below(len(legal.choices))], stream)


def fill(choice: Action, stream: Stream) -> Action:
    """A choice as it is sent: any number in place of a range."""
    if not any(map(is_range, choice.values())):
        return choice
    return {name: _any_of(value, stream) if is_range(value) else value for name, value in choice.items()}


def ends(choice: Action) -> Iterator[Action]:
    """The choice as it is sent with the least and with the largest numbers."""
    if not any(map(is_range, choice.values())):
        yield choice
        return
    for end in ("min", "max"):
        yield {name: value[end] if is_range(value) else value for name, value in choice.items()}


def covers(choice: Action, action: Action) -> bool:
    """Whether the action is this choice as it may be sent."""
    return choice.keys() == action.keys() and all(_covers(value, action[name]) for name, value in choice.items())


def told(legal: Legal) -> list[Action]:
    """The choices with what each comes to, as a seat is told and scenarios list them."""
    facts = legal.facts or ({},) * len(legal.choices)
    return [{**choice, **more} for choice, more in zip(legal.choices, facts, strict=True)]


def is_range(value: object) -> bool:
    """Whether a field of a choice is a range."""
    return isinstance(value, dict) and "min" in value


def _covers(value: Any, sent: object) -> bool:
    if not is_range(value):
        return bool(value == sent)
    span = cast(Range, value)
    whole = isinstance(sent, int) and not isinstance(sent, bool)
    return whole and span["min"] <= sent <= span["max"] and (sent - span["min"]) % span.get("step", 1) == 0


def _any_of(span: Range, stream: Stream) -> int:
    step = span.get("step", 1)
    return span["min"] + step * stream.below((span["max"] - span["min"]) // step + 1)
