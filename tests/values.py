"""Values of any of our types for Hypothesis: whatever the wire lets through, be it sense or nonsense."""

from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NewType, Union, cast, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.sealed import Sealed

Values = st.SearchStrategy[Any]

NUMBERS = st.integers(-2, 60) | st.integers(-(2**53) + 1, 2**53 - 1)
TEXTS = st.text(max_size=3)
PLAIN: dict[object, Values] = {
    bool: st.booleans(),
    int: NUMBERS,
    str: TEXTS,
    bytes: st.binary(max_size=40),
    NoneType: st.none(),
    UnsetType: st.just(UNSET),
    Any: st.none() | st.booleans() | NUMBERS | TEXTS,
}


@cache
def values_of(kind: Any) -> Values:
    """Values of an annotation that is met in a Struct."""
    if kind in PLAIN:
        return PLAIN[kind]
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _structs(kind)
    if isinstance(kind, NewType):
        return values_of(kind.__supertype__)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _bounded(args[0], next(meta for meta in args[1:] if isinstance(meta, Meta)))
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (Union, UnionType):
        return st.one_of([values_of(arg) for arg in args])
    if origin is tuple and args[1:] == (...,):
        return _lists(args[0]).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values_of, args))
    if origin is dict:
        return st.dictionaries(values_of(args[0]), values_of(args[1]), max_size=3)
    if origin is Sealed:
        value = values_of(args[0])
        return st.builds(Sealed[Any], TEXTS, value, n=st.none() | st.integers(0, 52)) | st.builds(Sealed[Any], TEXTS)
    raise TypeError(f"no values of {kind}")


def _structs(kind: type[Struct]) -> Values:
    hints = get_type_hints(kind, include_extras=True)
    return st.builds(kind, **{name: values_of(hints[name]) for name in kind.__struct_fields__})


def _lists(item: Any, least: int = 0) -> st.SearchStrategy[list[Any]]:
    return st.lists(values_of(item), min_size=least, max_size=6)


def _bounded(kind: Any, meta: Meta) -> Values:
    match kind:
        case _ if kind is int:
            least = meta.ge if meta.ge is not None else None if meta.gt is None else meta.gt + 1
            most = meta.le if meta.le is not None else None if meta.lt is None else meta.lt - 1
            return st.integers(cast(int | None, least), cast(int | None, most))
        case _ if kind is bytes:
            return st.binary(min_size=meta.min_length or 0, max_size=meta.max_length)
        case _ if kind is str and meta.pattern:
            return st.from_regex(meta.pattern.removesuffix("$") + r"\Z", fullmatch=True)
        case _ if kind is str:
            return st.text(min_size=meta.min_length or 0, max_size=3)
        case _:
            return _lists(get_args(kind)[0], meta.min_length or 0).map(tuple)
