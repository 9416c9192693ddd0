"""A client for players, bots and watchers: it asks until it is answered, and sees every frame once, in order."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncGenerator, Mapping
from typing import Any

import msgspec
from nats.aio.client import Client as Nats
from nats.aio.msg import Msg
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeout

from schemas import commands
from schemas.actions import Action, Join, Open, ShowEntropy, as_action
from schemas.cards import Seat
from schemas.codec import BadMessage, Message, from_frame, from_reply, from_synced, to_service
from schemas.commands import Accepted, Command, Request, Sync
from schemas.events import SeatLost
from schemas.log import NO_CHAIN, Commit
from schemas.refusals import Code
from schemas.subjects import OPEN, join_subject, seat_subject, sync_subject, view_subject
from schemas.views import Frame
from services.games.decide import cause_of
from services.games.shuffle import entropy_commitment

ANSWER_SECONDS = 2.0
"""How long an answer is waited for before the command is sent again, with the same id."""

RETRY_SECONDS = 0.05
"""How long to wait before a command is sent again that was refused for the moment only."""

QUIET_SECONDS = 2.0
"""How long no frame may come before a viewer asks for those he may have missed."""

FOR_THE_MOMENT = frozenset({Code.BUSY, Code.UNAVAILABLE, Code.NOT_READY})


class Refused(Exception):
    """The referee or the gallery refused; `reply.code` says why."""

    def __init__(self, reply: commands.Refused) -> None:
        super().__init__(reply.code.value, reply.detail)
        self.reply = reply


class BrokenChain(Exception):
    """A frame does not follow the one before: somebody has changed or dropped a commit."""


class Altered(Exception):
    """The log says that this seat did what it did not send."""


class Dropped(Exception):
    """The referee said that an action is in the log, and it is not."""


class Witness:
    """Holds what a seat sent, and was told of it, against the frames that the seat is shown (design §5).

    A commit names the command that brought it about by its `cause`. With `alone`, nobody else has the token of this
    seat, so that from its join on until it is lost no command of it is unknown here.
    """

    def __init__(self, *, alone: bool) -> None:
        self._alone = alone
        self._sent: dict[bytes, Action] = {}
        self._told: dict[int, bytes] = {}
        self._shown: dict[int, bytes] = {}
        self.seen = 0
        """Index of the last commit that was shown."""

    @property
    def told(self) -> int:
        """The highest index at which an action of this seat is said to be."""
        return max(self._told, default=0)

    def send(self, cause: bytes, action: Action) -> None:
        """A command is about to be sent."""
        self._sent[cause] = msgspec.msgpack.decode(msgspec.msgpack.encode(action))

    def tell(self, cause: bytes, index: int) -> None:
        """The command is said to be in the log at `index`. Raises Dropped where something else is there."""
        if self._told.setdefault(index, cause) != cause or (index <= self.seen and self._shown.get(index) != cause):
            raise Dropped(f"commit {index} is not the action that was accepted as such")

    def show(self, commit: Commit, seat: Seat | None) -> None:
        """A commit is shown to `seat`. Raises Altered and Dropped."""
        self.seen = commit.index
        if commit.seat == seat and not commit.auto:
            self._shown[commit.index] = commit.cause
            if self._is_altered(commit):
                raise Altered(f"commit {commit.index} holds an action that seat {seat} did not send")
        if self._told.get(commit.index, commit.cause) != commit.cause:
            raise Dropped(f"commit {commit.index} is not the action that was accepted as such")
        if any(isinstance(event, SeatLost) and event.seat == seat for event in commit.events):
            self._alone = False

    def end(self, told: int) -> None:
        """No more is shown, though an action was said to be at index `told`. Raises Dropped if that was not shown."""
        if self.seen < told:
            raise Dropped(f"there is no commit {told}, as which an action was accepted")

    def _is_altered(self, commit: Commit) -> bool:
        if commit.cause in self._sent:
            return self._sent[commit.cause] != _action(commit)
        return self._alone and 0 < min(self._told, default=0) < commit.index


def _action(commit: Commit) -> Action | None:
    sealed = commit.sealed_action
    if sealed is None:
        return commit.action
    return sealed.value if sealed.is_open else None


class View:
    """What one viewer sees of a match: a seat with its token, or the rail.

    Args:
        nats: a connection; it may reconnect as often as it likes.
        match: the match id.
        seat: whose frames; None for the rail.
        token: proves the seat to the gallery.
        witness: knows what the seat sent.
    """

    def __init__(
        self,
        nats: Nats,
        match: str,
        seat: Seat | None = None,
        token: bytes = b"",
        witness: Witness | None = None,
    ) -> None:
        self._nats = nats
        self._witness = witness or Witness(alone=False)
        self.match = match
        self.seat = seat
        self._token = token
        self._head = NO_CHAIN
        self._index = 0

    async def frames(self) -> AsyncGenerator[tuple[Frame, Message]]:
        """Every frame of the match from the first on, in order, each once.

        Raises BrokenChain, Altered, Dropped and Refused.
        """
        arrived: asyncio.Queue[bytes] = asyncio.Queue()

        async def on_frame(message: Msg) -> None:
            arrived.put_nowait(message.data)

        subscription = await self._nats.subscribe(view_subject(self.match, self.seat), cb=on_frame)
        try:
            for missed in await self._sync():
                yield missed
            while True:
                for seen in await self._next(arrived):
                    yield seen
        finally:
            await subscription.unsubscribe()

    async def _next(self, arrived: asyncio.Queue[bytes]) -> list[tuple[Frame, Message]]:
        """What the next frame brings: nothing if it is known, those before it too if there is a gap."""
        try:
            async with asyncio.timeout(QUIET_SECONDS):
                frame, message = from_frame(await arrived.get())
        except TimeoutError:
            return await self._sync()
        if frame.index <= self._index:
            return []
        if frame.index > self._index + 1:
            return await self._sync()
        return [self._take(frame, message)]

    async def _sync(self) -> list[tuple[Frame, Message]]:
        seen: list[tuple[Frame, Message]] = []
        told = self._witness.told
        more = True
        while more:
            ask = to_service(Sync(after=self._index, token=self._token))
            answer = from_synced(await ask_until_answered(self._nats, sync_subject(self.match, self.seat), ask))
            if isinstance(answer, commands.Refused):
                raise Refused(answer)
            seen += [self._take(*from_frame(data)) for data in answer.frames]
            more = answer.more
        self._witness.end(told)
        return seen

    def _take(self, frame: Frame, message: Message) -> tuple[Frame, Message]:
        following = (self._head, self._index + 1, self._index + 1)
        if (message.commit.prev, message.commit.index, frame.index) != following:
            raise BrokenChain(f"commit {frame.index} of match {self.match} does not follow commit {self._index}")
        self._witness.show(message.commit, self.seat)
        self._head = message.chain
        self._index = frame.index
        return frame, message


class Player:
    """One seat of a match: its token and its entropy are made here and never leave but as hashes, or as proofs."""

    def __init__(self, nats: Nats, match: str, *, token: bytes | None = None, entropy: bytes | None = None) -> None:
        self._nats = nats
        self.match = match
        self.seat: Seat = 0
        self._token = token or secrets.token_bytes(32)
        self._entropy = entropy or secrets.token_bytes(32)
        self._witness = Witness(alone=token is None)

    async def join(self, seat: Seat | None = None) -> Accepted:
        """Take a seat, the lowest free one if none is named. Raises Refused."""
        key = hashlib.sha256(self._token).digest()
        wish = Join(key=key, commitment=entropy_commitment(self.match, key, self._entropy), seat=seat)
        request = Request(id=new_id(), action=as_action(wish))
        accepted = await self._ask(join_subject(self.match), key, request)
        if accepted.seat is None:
            raise BadMessage("a seat was given, but not which")
        self.seat = accepted.seat
        return accepted

    async def act(self, action: Action, *, seen: int | None = None) -> Accepted:
        """Send an action; `seen` is the index of the last frame seen. Raises Refused and Dropped."""
        command = Command(id=new_id(), token=self._token, action=dict(action), seen=seen)
        return await self._ask(seat_subject(self.match, self.seat), self.seat, command)

    async def _ask(self, subject: str, sender: Seat | bytes, command: Request | Command) -> Accepted:
        cause = cause_of(sender, command.id)
        self._witness.send(cause, command.action)
        accepted = await ask(self._nats, subject, command)
        self._witness.tell(cause, accepted.index)
        return accepted

    async def show_entropy(self) -> Accepted:
        """Show the entropy committed to at joining. Raises Refused."""
        return await self.act(as_action(ShowEntropy(entropy=self._entropy)))

    def view(self) -> View:
        """What this seat sees."""
        return View(self._nats, self.match, self.seat, self._token, self._witness)


async def open_match(nats: Nats, game: str, options: Mapping[str, Any], *, seats: int) -> str:
    """Open a match; returns its id. Raises Refused."""
    key = hashlib.sha256(secrets.token_bytes(32)).digest()
    wish = Open(key=key, game=game, options=dict(options), seats=seats)
    return (await ask(nats, OPEN, Request(id=new_id(), action=as_action(wish)))).match


async def ask(nats: Nats, subject: str, command: Request | Command) -> Accepted:
    """Send a command until it is accepted or refused for good; every try carries the same id. Raises Refused."""
    while True:
        reply = from_reply(await ask_until_answered(nats, subject, to_service(command)))
        if isinstance(reply, Accepted):
            return reply
        if reply.code not in FOR_THE_MOMENT:
            raise Refused(reply)
        await asyncio.sleep(RETRY_SECONDS)


async def ask_until_answered(nats: Nats, subject: str, data: bytes) -> bytes:
    """Send a request again and again, while nobody answers."""
    while True:
        try:
            return (await nats.request(subject, data, timeout=ANSWER_SECONDS)).data
        except (NatsTimeout, NoRespondersError):
            await asyncio.sleep(RETRY_SECONDS)


def new_id() -> str:
    """A command id that no other command has."""
    return secrets.token_hex(12)
