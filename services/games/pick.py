"""Reading a list of legal actions, and a random one of them: how bots without judgement and simulations play."""

from collections.abc import Iterator, Mapping, Sequence
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
    if not any(isinstance(value, Mapping) for value in choice.values()):
        yield choice
        return
    for end in (0, -1):
        yield {name: _end(value, end) for name, value in choice.items()}


def covers(template: Action, action: Action) -> bool:
    """Whether the template, or listed choice, stands for the action."""
    needed = {name for name, value in template.items() if not _is_optional(value)}
    if not needed <= action.keys() <= template.keys():
        return False
    return all(_covers(template[name], value) for name, value in action.items())


def told(legal: Legal) -> list[Action]:
    """The choices with what each comes to, as a seat is told and scenarios list them."""
    if not legal.facts:
        return list(legal.choices)
    return [{**choice, **facts} for choice, facts in zip(legal.choices, legal.facts, strict=True)]


def _is_own(template: Action) -> bool:
    return any(isinstance(value, Mapping) and "bytes" in value for value in template.values())


def _is_optional(value: object) -> bool:
    return isinstance(value, Mapping) and "maybe" in value


def _fill(value: Any, stream: Stream) -> object:
    """A value that the template stands for; see schemas.views.Legal."""
    match value:
        case {"min": int(least), "max": int(most)}:
            step = int(value.get("step", 1))
            return least + step * stream.below((most - least) // step + 1)
        case {"each": [*members], "of": [*values]}:
            return [[member, values[stream.below(len(values))]] for member in members]
        case {"some": [*members], "counts": [*counts]}:
            return _some(members, counts[stream.below(len(counts))], stream) + list(value.get("with", ()))
        case {"of": [*values]}:
            return values[stream.below(len(values))]
        case {"text": _}:
            return "…"
        case {"maybe": inner}:
            return _fill(inner, stream)
        case _:
            return value


def _some(members: list[Any], count: int, stream: Stream) -> list[Any]:
    """So many of the members, by the dice."""
    left, taken = list(members), list[Any]()
    while len(taken) < count:
        taken.append(left.pop(stream.below(len(left))))
    return taken


def _end(value: Any, end: int) -> object:
    """The first or the last of what a value stands for; of a list, as few or as many as there may be."""
    match value:
        case {"min": int(least), "max": int(most)}:
            return most if end else least
        case {"some": [*members], "counts": [*counts]}:
            return members[: counts[end]] + list(value.get("with", ()))
        case {"of": [*values]}:
            return values[end]
        case _:
            return value


def _covers(value: Any, sent: Any) -> bool:
    match value:
        case {"min": int(least), "max": int(most)}:
            return type(sent) is int and least <= sent <= most and (sent - least) % value.get("step", 1) == 0
        case {"some": [*members], "counts": [*counts]}:
            return isinstance(sent, list) and _covers_some(members, counts, value.get("with", ()), sent)
        case {"each": [*members], "of": [*values]}:
            pairs: list[Any] = list(sent) if isinstance(sent, list) else []
            first = sorted(str(pair[0]) for pair in pairs)
            return first == sorted(members) and all(_is_among(pair[1], values) for pair in pairs)
        case {"of": [*values]}:
            return _is_among(sent, values)
        case {"text": _}:
            return isinstance(sent, str)
        case {"bytes": int(size)}:
            return isinstance(sent, bytes) and len(sent) == size
        case {"maybe": inner}:
            return _covers(inner, sent)
        case _:
            return type(value) is type(sent) and bool(value == sent)


def _covers_some(members: list[Any], counts: list[int], more: Sequence[Any], sent: list[Any]) -> bool:
    """Whether these are all of `more`, and besides them so many different ones of the members."""
    left = [*members]
    for value in sent:
        if value in left:
            left.remove(value)
        elif value not in more or sent.count(value) > 1:
            return False
    return len(members) - len(left) in counts and all(value in sent for value in more)


def _is_among(sent: Any, values: list[Any]) -> bool:
    """Whether it is one of them and of its type: true is not 1."""
    return any(type(sent) is type(value) and sent == value for value in values)
