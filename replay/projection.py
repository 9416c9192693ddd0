"""What one viewer is told of a step: the cards that occur anywhere in his frame."""

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from schemas.cards import Card, Seat
from schemas.codec import Covered, from_log, to_frame, to_log
from schemas.log import NO_CHAIN
from services.games.decide import Draft, commit_of
from services.games.match import Match, asked
from services.games.shared.rules import NOTHING
from services.games.view import legal, table


def cards_shown(draft: Draft, after: Match, seat: Seat | None, cards: list[Card]) -> list[Card]:
    """Which of these cards occur in the frame that a seat, or the rail (None), is sent of a decision."""
    commit = commit_of(draft, match=after.id, index=after.index + 1, at=0, cause=bytes(16), prev=NO_CHAIN)
    frame = to_frame(
        from_log(to_log(commit, b"")),
        "rail" if seat is None else seat,
        table=Covered(table(after)),
        legal=NOTHING if seat is None else legal(after, seat),
        waited=seat in asked(after),
        revealed=(),
    )
    told = set(_texts(msgspec.msgpack.decode(frame)))
    return [card for card in cards if card in told]


def _texts(value: Any) -> Iterator[str]:
    """Every text anywhere in a frame, its public part included."""
    match value:
        case str():
            yield value
        case dict():
            for key, member in cast(dict[str, Any], value).items():
                yield key
                yield from _texts(member)
        case list():
            for member in cast(list[object], value):
                yield from _texts(member)
        case bytes():
            try:
                inner = msgspec.msgpack.decode(value)
            except (msgspec.DecodeError, ValueError):
                return  # a salt or a commitment
            if isinstance(inner, dict | list):
                yield from _texts(inner)
        case _:
            pass
