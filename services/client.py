"""A client for players, bots and watchers: it asks until it is answered, and sees every frame once, in order."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from nats.aio.client import Client as Nats
from nats.aio.msg import Msg
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeout

from schemas import commands
from schemas.actions import Action, CommitEntropy, Join, Leave, Open, ShowEntropy, as_action
from schemas.cards import Seat
from schemas.clock import Clock
from schemas.codec import BadMessage, Message, false_openings, from_frame, from_reply, from_synced, to_service
from schemas.commands import Accepted, Command, Request, Sync
from schemas.digest import digest
from schemas.log import NO_CHAIN
from schemas.refusals import Code
from schemas.subjects import OPEN, house_subject, join_subject, seat_subject, sync_subject, view_subject
from schemas.views import Frame, Synced
from services.games.decide import cause_of
from services.games.shuffle import entropy_commitment
from services.witness import Witness

ANSWER_SECONDS = 2.0
"""How long an answer is waited for before the command is sent again, with the same id."""

RETRY_SECONDS = 0.05
"""How long to wait before a command is sent again that was refused for the moment only."""

QUIET_SECONDS = 2.0
"""How long no frame may come before a viewer asks for those he may have missed."""

JOINING = "join"
"""The id of every command to join: one token joins once, and a later try is answered as the first was."""

FOR_THE_MOMENT = frozenset({Code.BUSY, Code.UNAVAILABLE, Code.NOT_READY})


class Refused(Exception):
    """The referee or the gallery refused; `reply.code` says why."""

    def __init__(self, reply: commands.Refused) -> None:
        super().__init__(reply.code.value, reply.detail)
        self.reply = reply


class BrokenChain(Exception):
    """A frame does not follow the one before, or opens a secret to something else: it was changed on its way."""


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
            match answer:
                case Synced():
                    seen += [self._take(*from_frame(data)) for data in answer.frames]
                    more = answer.more
                case commands.Refused(code=code) if code in FOR_THE_MOMENT:
                    await asyncio.sleep(RETRY_SECONDS)
                case _:
                    raise Refused(answer)
        self._witness.end(told)
        return seen

    def _take(self, frame: Frame, message: Message) -> tuple[Frame, Message]:
        following = (self._head, self._index + 1, self._index + 1)
        if (message.commit.prev, message.commit.index, frame.index) != following:
            raise BrokenChain(f"commit {frame.index} of match {self.match} does not follow commit {self._index}")
        for slot in false_openings(message):
            raise BrokenChain(f"the secret of {slot} in commit {frame.index} does not open its commitment")
        self._witness.show(message.commit, self.seat)
        self._head = message.chain
        self._index = frame.index
        return frame, message


class Player:
    """One seat of a match: its token is made here and leaves only as a hash or as a proof.

    The entropy comes from the token and the frames, so that who keeps the token can go on after his process has ended.
    """

    def __init__(self, nats: Nats, match: str, *, token: bytes | None = None) -> None:
        self._nats = nats
        self.match = match
        self.seat: Seat = 0
        self._token = token or secrets.token_bytes(32)
        self._witness = Witness(alone=token is None)

    @property
    def _entropy(self) -> bytes:
        return digest("fairdeal/player-entropy", self._token, self.match, self._witness.anew)

    @property
    def _commitment(self) -> bytes:
        return entropy_commitment(self.match, self._key, self._entropy)

    @property
    def _key(self) -> bytes:
        return hashlib.sha256(self._token).digest()

    async def join(self, seat: Seat | None = None) -> Accepted:
        """Take a seat, the lowest free one if none is named, or the one this token has. Raises Refused."""
        wish = Join(key=self._key, commitment=self._commitment, seat=seat)
        request = Request(id=JOINING, action=as_action(wish))
        accepted = await self._ask(join_subject(self.match), self._key, request)
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

    async def commit_entropy(self) -> Accepted:
        """Commit to other entropy, once the frames have told that a seat was freed. Raises Refused."""
        return await self.act(as_action(CommitEntropy(commitment=self._commitment)))

    async def leave(self) -> Accepted:
        """Give the seat up. Raises Refused."""
        return await self.act(as_action(Leave()))

    def view(self) -> View:
        """What this seat sees."""
        return View(self._nats, self.match, self.seat, self._token, self._witness)


async def act_as_house(nats: Nats, match: str, token: bytes, action: Action) -> Accepted:
    """Send an action of the house, which proves itself by its token. Raises Refused."""
    return await ask(nats, house_subject(match), Command(id=new_id(), token=token, action=dict(action)))


async def open_match(
    nats: Nats, game: str, options: Mapping[str, Any], *, seats: int, clock: Clock | None = None
) -> str:
    """Open a match; returns its id. Raises Refused."""
    key = hashlib.sha256(secrets.token_bytes(32)).digest()
    wish = Open(key=key, game=game, options=dict(options), seats=seats, clock=clock or Clock())
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
