"""Choices as `legal` lists them: a random one, and whether an action is one of them.

In a choice a map stands for many values: `{"min": 1, "max": 9}`, perhaps with a `step`, for any such number,
`{"of": […]}` for any one of these values, and `{"some": […], "counts": [1, 2]}` for so many of these in any order.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, cast

from schemas.actions import Action
from schemas.views import Legal
from services.games.shuffle import Stream


def pick(legal: Legal, stream: Stream) -> Action | None:
    """One of the listed choices, each as likely as the others, with any of its values; None where nothing is listed."""
    if not legal.choices:
        return None
    return fill(legal.choices[stream.below(len(legal.choices))], stream)


def pick_place(legal: Legal, stream: Stream) -> tuple[str, int]:
    """Of a list too long to carry, the kind of one choice, each as likely as the others, and its number among them."""
    number = stream.below(sum(legal.kinds.values()))
    for kind, count in legal.kinds.items():
        if number < count:
            return kind, number
        number -= count
    raise AssertionError("the kinds count all choices")


def fill(choice: Action, stream: Stream) -> Action:
    """A choice as it may be sent."""
    if not _is_template(choice):
        return choice
    return {name: _any_of(value, stream) for name, value in choice.items()}


def ends(choice: Action) -> Iterator[Action]:
    """A choice as it may be sent, with the first and with the last of its values."""
    if not _is_template(choice):
        yield choice
        return
    for last in (False, True):
        yield {name: _end_of(value, last=last) for name, value in choice.items()}


def covers(choice: Action, action: Action) -> bool:
    """Whether the action is this choice."""
    return choice.keys() == action.keys() and all(_covers(value, action[name]) for name, value in choice.items())


def _is_template(choice: Action) -> bool:
    return any(isinstance(value, Mapping) for value in choice.values())


def _any_of(value: Any, stream: Stream) -> object:
    match value:
        case {"min": int() as least, "max": int() as most}:
            step = value.get("step", 1)
            return least + step * stream.below((most - least) // step + 1)
        case {"of": values}:
            return values[stream.below(len(values))]
        case {"some": members, "counts": counts}:
            left = list(members)
            return [left.pop(stream.below(len(left))) for _ in range(counts[stream.below(len(counts))])]
        case _:
            return value


def _end_of(value: Any, *, last: bool) -> object:
    match value:
        case {"min": least, "max": most}:
            return most if last else least
        case {"of": values}:
            return values[-last]
        case {"some": members, "counts": counts}:
            return list(members[: counts[-last]])
        case _:
            return value


def _covers(value: Any, sent: Any) -> bool:
    match value:
        case {"min": least, "max": most}:
            whole = isinstance(sent, int) and not isinstance(sent, bool)
            return whole and least <= sent <= most and (sent - least) % value.get("step", 1) == 0
        case {"of": values}:
            return sent in values
        case {"some": members, "counts": counts}:
            if not isinstance(sent, list | tuple):
                return False
            chosen = cast(list[object], sent)
            return len(chosen) in counts and not Counter(chosen) - Counter(members)
        case _:
            return bool(value == sent)
