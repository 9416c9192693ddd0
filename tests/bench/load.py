"""Seats that play as fast as they are answered, or at a given pace, over connections of their own; and what that takes.

They look at no more of a frame than what they need to answer it, so that services are measured and not players.
"""

import asyncio
import hashlib
import secrets
import time
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import cast

import msgspec
from msgspec import Raw, Struct
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.actions import Action, Join, ShowEntropy, as_action
from schemas.cards import Seat
from schemas.codec import from_reply, to_service
from schemas.commands import Accepted, Command, Request
from schemas.subjects import seat_subject, seat_user, user_inbox, view_subject
from schemas.views import Legal
from services.client import ask
from services.games.pick import pick
from services.games.shuffle import Stream, entropy_commitment
from tests.bench.speed import Dice


class Seen(Struct, frozen=True, array_like=True, tag="frame"):
    """A frame, as far as it is read here; see schemas.views.Frame."""

    match: str
    seat: Seat | None
    index: int
    public: Raw
    secrets: Raw
    signature: Raw
    table: Raw
    legal: Raw
    waited: bool


class Choices(Struct, frozen=True):
    """What may be done, as far as it is listed; see schemas.views.Legal."""

    choices: tuple[Action, ...] = ()


_seen = msgspec.msgpack.Decoder(Seen)
_choices = msgspec.msgpack.Decoder(Choices)


class Measured:
    """What happened since it was begun.

    Attributes:
        actions: how many were accepted.
        refused: how many were not.
        replies: seconds from each command to its reply.
        others: seconds from each command to the frame of the first other seat that shows it.
        frames: how many came, and how long they were together.
    """

    def __init__(self) -> None:
        self.actions = 0
        self.refused = 0
        self.replies: list[float] = []
        self.others: list[float] = []
        self.frames = 0
        self.bytes = 0


class Turn:
    """The play of a match that was sent last: by whom, when, and the index that its commit will have."""

    sender: Seat = -1
    index: int = -1
    sent: float = 0.0


class Load:
    """All seats together, and what happened since `measured` was last set anew. They rest until they are let play."""

    def __init__(self) -> None:
        self.measured = Measured()
        self.dice = Dice(1)
        self._rests = True
        self._pending = deque[SeatLoad]()

    async def ask(self, seat: "SeatLoad") -> None:
        """A seat is asked."""
        if self._rests:
            self._pending.append(seat)
        else:
            await seat.answer()

    async def begin(self, seconds: float) -> None:
        """Let those who are asked begin one after the other within so many seconds, and all rest then."""
        self._rests, gap = False, seconds / max(1, len(self._pending))
        while self._pending:
            await self._pending.popleft().answer()
            await asyncio.sleep(gap)
        self._rests = True

    @asynccontextmanager
    async def playing(self, pace: float) -> AsyncGenerator[None]:
        """Let the seats send so many commands a second, one after the other; with 0 as soon as they are asked."""
        if pace:
            pacer = asyncio.create_task(self._pace(1 / pace))
            yield
            pacer.cancel()
            return
        self._rests = False
        while self._pending:
            await self._pending.popleft().answer()
        yield
        self._rests = True

    async def _pace(self, gap: float) -> None:
        due = time.perf_counter()
        while True:
            due += gap
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            while self._pending and not await self._pending.popleft().answer():
                pass


class SeatLoad:
    """One seat: it answers each frame that asks it, with a random choice."""

    def __init__(self, load: Load, turn: Turn, *, match: str, seat: Seat) -> None:
        self.seat = seat
        self.token = secrets.token_bytes(32)
        self._entropy = secrets.token_bytes(32)
        self._load = load
        self._turn = turn
        self._match = match
        self._inbox = f"{user_inbox(seat_user(match, seat))}.r"
        self._index = 0
        self._acted = 0  # the index of the last own commit
        self._sent = 0.0
        self._open = False
        self._asked: Seen | None = None

    def join(self) -> Request:
        """The request for the seat."""
        key = hashlib.sha256(self.token).digest()
        commitment = entropy_commitment(self._match, key, self._entropy)
        return Request(id="join", action=as_action(Join(key=key, commitment=commitment, seat=self.seat)))

    async def start(self, client: Client) -> None:
        """Listen for frames and replies on a connection of its own."""
        self._client = client
        await client.subscribe(self._inbox, cb=self._take_reply)
        await client.subscribe(view_subject(self._match, self.seat), cb=self._take_frame)
        await client.flush()

    async def show_entropy(self) -> None:
        """Show the entropy; when all have, the match begins."""
        action = as_action(ShowEntropy(entropy=self._entropy))
        await ask(self._client, seat_subject(self._match, self.seat), self._command("show", action))

    async def begin(self) -> None:
        """Let a bare match begin."""
        await self._send({"type": "begin"}, 0)

    async def answer(self) -> bool:
        """Send a random choice, if the seat is asked; whether it is."""
        seen, self._asked = self._asked, None
        action = (
            None
            if seen is None
            else pick(Legal(choices=_choices.decode(seen.legal).choices), cast(Stream, self._load.dice))
        )
        if seen is None or action is None:
            return False
        if action["type"] == "play":
            self._turn.sender, self._turn.index, self._turn.sent = self.seat, seen.index + 1, time.perf_counter()
        await self._send(action, seen.index)
        return True

    async def _send(self, action: Action, seen: int) -> None:
        self._open, self._sent = True, time.perf_counter()
        data = to_service(self._command(str(seen), action, seen))
        await self._client.publish(seat_subject(self._match, self.seat), data, reply=self._inbox)

    def _command(self, name: str, action: Action, seen: int | None = None) -> Command:
        return Command(id=name, token=self.token, action=dict(action), seen=seen)

    async def _take_frame(self, message: Msg) -> None:
        seen = _seen.decode(message.data)
        if seen.index <= self._index:
            return
        self._index = seen.index
        measured = self._load.measured
        measured.frames += 1
        measured.bytes += len(message.data)
        if seen.index == self._turn.index and self.seat != self._turn.sender:
            measured.others.append(time.perf_counter() - self._turn.sent)
            self._turn.index = -1
        self._asked = seen if seen.waited and seen.index >= self._acted else None
        if self._asked is not None and not self._open:
            await self._load.ask(self)

    async def _take_reply(self, message: Msg) -> None:
        measured = self._load.measured
        measured.replies.append(time.perf_counter() - self._sent)
        self._open = False
        reply = from_reply(message.data)
        if isinstance(reply, Accepted):
            measured.actions += 1
            self._acted = reply.index
            if self._asked is not None and self._asked.index < self._acted:
                self._asked = None
        else:
            measured.refused += 1
        if self._asked is not None:
            await self._load.ask(self)


async def watch(client: Client, match: str) -> None:
    """Be a spectator, who looks at no frame."""

    async def look_away(_: Msg) -> None:
        """A frame has come."""

    await client.subscribe(view_subject(match, None), cb=look_away)
