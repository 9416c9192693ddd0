"""A log as a text to read: one line a commit, with what a viewer could read when it happened; and as data."""

from collections.abc import Callable, Iterator
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from replay.archive import Archive, viewer_text
from schemas.cards import Seat
from schemas.codec import Viewer, may_open, sealed_in
from schemas.events import Event, HandRevealed, MatchOpened
from schemas.log import Commit, Role, acting
from schemas.sealed import Sealed
from services.games import GAMES

Readable = Callable[[Sealed[Any]], bool]
Show = Callable[[Sealed[Any]], str]


class Told(Struct, frozen=True, kw_only=True):
    """A commit as a viewer could read it when it happened.

    Attributes:
        by: the role that wrote it.
        at: the service's clock in milliseconds since 1970.
        seat: who acted; None for the house and for roles, and where the viewer may not know.
        events: maps with the event's tag as `type` and all its fields; bytes are in hex, and what the viewer may not
            read is `{"sealed": n}`, n the number of its cards where that is open.
        text: the same for people.
    """

    index: int
    by: Role
    at: int
    seat: Seat | None
    auto: bool
    events: list[dict[str, Any]]
    text: str


class Opened(Struct, frozen=True, kw_only=True):
    """A secret of commit `index` that the commit told before this has opened."""

    index: int
    slot: str
    value: Any
    text: str


def story(archive: Archive, *, viewer: Viewer | None = None, to: int | None = None) -> Iterator[str]:
    """The lines of `telling`. Raises as it does."""
    return (told.text for told in telling(archive, viewer=viewer, to=to))


def telling(archive: Archive, *, viewer: Viewer | None = None, to: int | None = None) -> Iterator[Told | Opened]:
    """The commits up to `to`, as `viewer` could read them at the time; None: all that the archive holds.

    What a hand's end reveals follows that commit. Raises ValueError where the archive cannot tell
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
        yield _told(commit, readable)
        if message.slots and not as_held:
            shut += [(commit.index, sealed) for sealed in sealed_in(commit) if not readable(sealed)]
        for event in commit.events:
            if isinstance(event, HandRevealed) and not as_held:
                within = range(event.first, event.last + 1)
                yield from (_opened(index, sealed) for index, sealed in shut if index in within)
                shut = [(index, sealed) for index, sealed in shut if index not in within]


def _told(commit: Commit, readable: Readable) -> Told:
    known = commit.sealed_actor is None or readable(commit.sealed_actor)
    seat, auto = acting(commit) if known else (None, False)
    return Told(
        index=commit.index,
        by=commit.by,
        at=commit.at,
        seat=seat,
        auto=auto,
        events=[{"type": _tag(event), **_plain(event, readable)} for event in commit.events],
        text=_line(commit, readable),
    )


def _opened(index: int, sealed: Sealed[Any]) -> Opened:
    value = _plain(sealed.value, lambda _: True)
    return Opened(index=index, slot=sealed.slot, value=value, text=f"{'':6}{index} {sealed.slot}: {_open(sealed)}")


def _plain(value: object, readable: Readable) -> Any:
    """A value as JSON has it."""
    match value:
        case Sealed():
            sealed: Sealed[Any] = cast(Any, value)
            return _plain(sealed.value, readable) if readable(sealed) else {"sealed": sealed.n}
        case Struct():
            return {field.encode_name: _plain(getattr(value, field.name), readable) for field in fields(value)}
        case bytes():
            return value.hex()
        case dict():
            return {key: _plain(member, readable) for key, member in cast(dict[str, object], value).items()}
        case list() | tuple():
            return [_plain(item, readable) for item in cast(list[object], value)]
        case _:
            return value


def _line(commit: Commit, readable: Readable) -> str:
    who, phrases = _who(commit, readable), [_phrase(event, commit, readable) for event in commit.events]
    return f"{commit.index:>4}  {who}{' auto' if commit.auto else '':<{8 - len(who)}}  {'; '.join(phrases)}".rstrip()


def _who(commit: Commit, readable: Readable) -> str:
    if commit.sealed_actor is not None:
        return f"seat [{commit.sealed_actor.value.seat}]" if readable(commit.sealed_actor) else "a seat"
    return commit.by if commit.seat is None else f"seat {commit.seat}"


def _phrase(event: Event, commit: Commit, readable: Readable) -> str:
    """An event in words: its name, then its fields by name; who acted is not said twice."""

    def show(sealed: Sealed[Any]) -> str:
        if readable(sealed):
            return f"[{_text(sealed.value, show)}]"
        return "sealed" if sealed.n is None else f"{sealed.n} sealed"

    name = _words(_tag(event).rpartition(".")[2])
    said = [
        f"{_words(field)} {_text(value, show)}"
        for field, value in _members(event).items()
        if value not in ((), [], {}, "") and (field, value) != ("seat", commit.seat)
    ]
    return f"{name}: {', '.join(said)}" if said else name


def _tag(event: Event) -> str:
    return str(event.__struct_config__.tag)


def _members(value: Struct) -> dict[str, object]:
    """The fields that say something."""
    told = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, MatchOpened):
        told["options"] = _chosen(value)
    defaults = {field.name: field.default for field in fields(value)} if value.__struct_config__.omit_defaults else {}
    return {name: member for name, member in told.items() if member not in (None, defaults.get(name))}


def _chosen(opened: MatchOpened) -> dict[str, object]:
    """The options that are not the game's defaults."""
    if opened.game not in GAMES:
        return opened.options
    usual = msgspec.msgpack.decode(msgspec.msgpack.encode(GAMES[opened.game].options()))
    return {name: value for name, value in opened.options.items() if (name, value) not in usual.items()}


def _words(name: str) -> str:
    return name.replace("_", " ")


def _open(sealed: Sealed[Any]) -> str:
    return _text(sealed.value, _open)


def _text(value: object, show: Show) -> str:
    match value:
        case Sealed():
            return show(cast(Any, value))
        case Struct():
            return _text(_members(value), show)
        case bool():
            return "yes" if value else "no"
        case bytes():
            return value.hex()[:8]
        case dict():
            members = cast(dict[str, object], value).items()
            return "(" + ", ".join(f"{_words(key)} {_text(member, show)}" for key, member in members) + ")"
        case list() | tuple():
            items = cast(list[object], value)
            apart = ", " if any(isinstance(item, list | tuple | Struct | Sealed) for item in items) else " "
            return apart.join(_text(item, show) for item in items) or "none"
        case None:
            return "none"
        case str():
            return value if value.isprintable() else ascii(value)  # a player may have written it
        case _:
            return str(value)
