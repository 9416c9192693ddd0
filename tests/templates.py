"""The little language of templates (schemas.views.Legal) read by the tests: what a template stands for."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from schemas.actions import Action


def covers(template: Action, action: Action) -> bool:
    """Whether the template stands for the action."""
    needed = {name for name, pattern in template.items() if not (isinstance(pattern, Mapping) and "maybe" in pattern)}
    return needed <= {*action} <= {*template} and all(_stands_for(template[name], action[name]) for name in action)


def _stands_for(pattern: Any, value: Any) -> bool:
    match pattern:
        case {"maybe": inner}:
            return _stands_for(inner, value)
        case {"min": least, "max": most}:
            return type(value) is int and least <= value <= most
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
            return st.integers(least, most)
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
