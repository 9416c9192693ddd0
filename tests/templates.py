"""The little language of templates (schemas.views.Legal) read by the tests: what a template stands for."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

from schemas.actions import Action


def covers(template: Action, action: Action) -> bool:
    """Whether the template stands for the action."""
    needed = {name for name, pattern in template.items() if not (isinstance(pattern, Mapping) and "maybe" in pattern)}
    return needed <= {*action} <= {*template} and all(_stands_for(template[name], action[name]) for name in action)


def ends(template: Action) -> Iterator[dict[str, Any]]:
    """What a listed choice stands for: of ranges, with the least and with the largest number; of lists as well."""
    for end in (0, -1) if any(isinstance(pattern, Mapping) for pattern in template.values()) else (0,):
        yield {name: _end(pattern, end) for name, pattern in template.items()}


def _end(pattern: Any, end: int) -> Any:
    match pattern:
        case {"min": least, "max": most}:
            return most if end else least
        case {"some": [*members], "counts": [*counts]}:
            return [*members[: counts[end]], *pattern.get("with", ())]
        case {"of": [*values]}:
            return values[end]
        case _:
            return pattern


def _stands_for(pattern: Any, value: Any) -> bool:
    match pattern:
        case {"maybe": inner}:
            return _stands_for(inner, value)
        case {"min": least, "max": most}:
            return type(value) is int and least <= value <= most and (value - least) % pattern.get("step", 1) == 0
        case {"some": [*members], "counts": [*counts]}:
            return isinstance(value, list | tuple) and _are_some(members, counts, pattern.get("with", ()), list(value))
        case {"each": [*members], "of": [*values]}:
            pairs: list[list[Any]] = [list(pair) for pair in value] if isinstance(value, list | tuple) else [[None]]
            chosen = sorted(str(pair[0]) for pair in pairs)
            return chosen == sorted(members) and all(len(p) == 2 and _is_among(p[1], values) for p in pairs)
        case {"of": [*values]}:
            return _is_among(value, values)
        case {"text": _}:
            return isinstance(value, str)
        case {"bytes": count}:
            return isinstance(value, bytes) and len(value) == count
        case _:
            return type(pattern) is type(value) and bool(pattern == value)


def _are_some(members: list[Any], counts: list[int], more: Any, value: list[Any]) -> bool:
    """Whether these are all of `more`, and besides them so many of the members, each once."""
    others = [each for each in value if each not in more]
    counted = Counter(map(repr, others)) <= Counter(map(repr, members))
    return counted and len(others) in counts and len(value) - len(others) == len(more) and all(m in value for m in more)


def _is_among(value: Any, values: list[Any]) -> bool:
    """Whether it is one of them, of the same type: true is not 1."""
    return any(type(value) is type(other) and value == other for other in values)


def fillings(template: Action) -> st.SearchStrategy[dict[str, Any]]:
    """Actions that the template stands for."""
    fields = {name: _fillings(pattern) for name, pattern in template.items()}
    optional = {name for name, pattern in template.items() if isinstance(pattern, Mapping) and "maybe" in pattern}
    return st.fixed_dictionaries(
        {name: values for name, values in fields.items() if name not in optional},
        optional={name: values for name, values in fields.items() if name in optional},
    )


def _fillings(pattern: Any) -> st.SearchStrategy[Any]:
    match pattern:
        case {"maybe": inner}:
            return _fillings(inner)
        case {"min": least, "max": most}:
            step = pattern.get("step", 1)
            return st.integers(0, (most - least) // step).map(lambda steps: least + step * steps)
        case {"some": [*members], "counts": [*counts]}:
            more = list(pattern.get("with", ()))
            orders, sizes = st.permutations(members), st.sampled_from(counts)
            return st.builds(lambda order, size: order[:size] + more, orders, sizes).flatmap(st.permutations)
        case {"each": [*members], "of": [*values]}:
            return st.permutations(members).flatmap(
                lambda order: st.tuples(*(st.tuples(st.just(m), st.sampled_from(values)).map(list) for m in order)).map(
                    list
                )
            )
        case {"of": [*values]}:
            return st.sampled_from(values)
        case {"text": _}:
            return st.text(max_size=8)
        case {"bytes": count}:
            return st.binary(min_size=count, max_size=count)
        case _:
            return st.just(pattern)
