"""How old events are read by newer code: a changed meaning is a new tag, and an upcast from the old one."""

from collections.abc import Callable, Mapping
from typing import Any

from schemas.events import Event, Events

Upcasts = Mapping[type[Any], Callable[[Any], Event]]

UPCASTS: Upcasts = {}
"""From the type of an outdated event to the function that makes today's event of it. Empty before the first release."""


def upcast(events: Events, upcasts: Upcasts = UPCASTS) -> Events:
    """The same facts in today's words; an event is cast until no upcast is left for its type."""
    if not upcasts:
        return events
    return tuple(_newest(event, upcasts) for event in events)


def _newest(event: Event, upcasts: Upcasts) -> Event:
    while (cast := upcasts.get(type(event))) is not None:
        event = cast(event)
    return event
