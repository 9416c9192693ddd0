"""A log as a text to read: one line a commit, with what a viewer could read when it happened."""

from collections.abc import Callable, Iterator
from typing import Any, cast

import msgspec

from replay.archive import Archive, viewer_text
from schemas.codec import Viewer, may_open, sealed_in
from schemas.events import Event, HandRevealed
from schemas.log import Commit
from schemas.sealed import Sealed

Readable = Callable[[Sealed[Any]], bool]


class _Shown:
    """A sealed value as the reader sees it; wrapped, so that it is not taken for an open one."""

    def __init__(self, text: str) -> None:
        self.text = text


def story(archive: Archive, *, viewer: Viewer | None = None, to: int | None = None) -> Iterator[str]:
    """The lines of the commits up to `to`, as `viewer` could read them at the time; None: all that the archive holds.

    What a hand's end reveals is listed below the line of that commit. Raises ValueError where the archive cannot tell
    what this viewer may see.
    """
    if viewer is None:
        viewer = archive.viewer
    if archive.viewer not in (viewer, "auditor"):
        raise ValueError(f"a file of {viewer_text(archive.viewer)} cannot tell what {viewer_text(viewer)} may see")
    as_held = viewer == archive.viewer
    shut: list[tuple[int, Sealed[Any]]] = []

    def readable(sealed: Sealed[Any]) -> bool:
        return sealed.is_open and (as_held or may_open(sealed.audience, viewer))

    for message in archive.messages:
        commit = message.commit
        if to is not None and commit.index > to:
            break
        yield _line(commit, readable, [_phrase(event, commit, readable) for event in commit.events])
        if message.slots and not as_held:
            shut += [(commit.index, sealed) for sealed in sealed_in(commit) if not readable(sealed)]
        for event in commit.events:
            if isinstance(event, HandRevealed) and not as_held:
                within = range(event.first, event.last + 1)
                yield from (
                    f"{'':6}{index} {sealed.slot}: {_open(sealed)}" for index, sealed in shut if index in within
                )
                shut = [(index, sealed) for index, sealed in shut if index not in within]


def _line(commit: Commit, readable: Readable, phrases: list[str]) -> str:
    who = _who(commit, readable)
    return f"{commit.index:>4}  {who}{' auto' if commit.auto else '':<{8 - len(who)}}  {'; '.join(phrases)}".rstrip()


def _who(commit: Commit, readable: Readable) -> str:
    if commit.sealed_seat is not None:
        return f"seat [{commit.sealed_seat.value}]" if readable(commit.sealed_seat) else "a seat"
    return commit.by if commit.seat is None else f"seat {commit.seat}"


def _phrase(event: Event, commit: Commit, readable: Readable) -> str:
    """An event in words: its name, then its fields by name; who acted is not said twice."""

    def show(value: object) -> _Shown:
        sealed = cast(Sealed[Any], value)
        if readable(sealed):
            return _Shown(f"[{_open(sealed)}]")
        return _Shown("sealed" if sealed.n is None else f"{sealed.n} sealed")

    facts = cast(dict[str, object], msgspec.to_builtins(event, builtin_types=(bytes, _Shown), enc_hook=show))
    name = str(facts.pop("type")).rpartition(".")[2]
    if commit.seat is not None and facts.get("seat") == commit.seat:
        del facts["seat"]
    said = [f"{_words(key)} {_text(value)}" for key, value in facts.items() if value not in (None, (), [], {}, "")]
    return f"{_words(name)}: {', '.join(said)}" if said else _words(name)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _open(sealed: Sealed[Any]) -> str:
    return _text(msgspec.to_builtins(sealed.value, builtin_types=(bytes,)))


def _text(value: object) -> str:
    match value:
        case _Shown(text=text):
            return text
        case bool():
            return "yes" if value else "no"
        case bytes():
            return value.hex()[:8]
        case dict():
            members = cast(dict[str, object], value).items()
            return "(" + ", ".join(f"{_words(key)} {_text(member)}" for key, member in members) + ")"
        case list() | tuple():
            items = cast(list[object], value)
            apart = ", " if any(isinstance(item, list | tuple | _Shown) for item in items) else " "
            return apart.join(map(_text, items)) or "none"
        case None:
            return "none"
        case _:
            return str(value)
