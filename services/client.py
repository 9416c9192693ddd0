"""A client for players, bots and watchers: it asks until it is answered, and sees every frame once, in order."""

import asyncio
import hashlib
import secrets
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import nats.errors
from nats.aio.client import Client as Nats
from nats.aio.msg import Msg
from nats.errors import NoRespondersError

from schemas import commands
from schemas.actions import Action, CommitEntropy, Join, Leave, Open, ShowEntropy, as_action
from schemas.cards import Seat
from schemas.clock import Clock
from schemas.codec import BadMessage, Message, NeedsNewer, from_frame, from_listed, from_reply, from_synced, to_service
from schemas.commands import Accepted, Ask, Command, Request, Sync
from schemas.digest import digest
from schemas.refusals import Code
from schemas.subjects import (
    GUEST,
    OPEN,
    guest_inbox,
    house_subject,
    join_subject,
    legal_subject,
    seat_subject,
    seat_user,
    sync_subject,
    user_inbox,
    view_subject,
)
from schemas.views import Frame, Listed, Synced
from services.games.decide import cause_of
from services.games.shuffle import entropy_commitment
from services.witness import BrokenChain, Verifier, Witness

ANSWER_SECONDS = 1.0
"""How long an answer is waited for before the command is sent again, with the same id."""

RETRY_SECONDS = 0.05
"""How long to wait before a command is sent again that was refused for the moment only."""

QUIET_SECONDS = 2.0
"""How long no frame may come before a viewer asks for those he may have missed."""

CONNECT_SECONDS = 4
"""How long the server may take to let somebody in; it gives up itself after two seconds."""

CONNECT_TRIES = 3
CONNECT_RETRY_SECONDS = 0.3
"""How often a connection is tried that is not let in, and how long to wait between: the log may be a moment ahead."""

RECONNECT_SECONDS = 1
"""How long to wait between tries to have a connection back."""

REASONS = 10
"""How many reasons are remembered why there is no connection: while it is away they are many."""

JOINING = "join"
"""The id of every command to join: one token joins once, and a later try is answered as the first was."""

FOR_THE_MOMENT = frozenset({Code.BUSY, Code.UNAVAILABLE, Code.NOT_READY})


class Refused(Exception):
    """The referee or the gallery refused; `reply.code` says why."""

    def __init__(self, reply: commands.Refused) -> None:
        super().__init__(reply.code.value, reply.detail)
        self.reply = reply


class NotConnected(Exception):
    """The server does not answer, or does not let this user in."""


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
        self._verifier = Verifier(match, seat)

    async def frames(self) -> AsyncGenerator[tuple[Frame, Message]]:
        """Every frame of the match from the first on, in order, each once.

        Raises Refused; BrokenChain, Altered and Dropped where the services cheat; NeedsNewer where they are newer.
        """
        arrived: asyncio.Queue[bytes] = asyncio.Queue()

        async def on_frame(message: Msg) -> None:
            arrived.put_nowait(message.data)

        subscription = await self._nats.subscribe(view_subject(self.match, self.seat), cb=on_frame)
        try:
            news = await self._sync()
            while True:
                for seen in news:
                    yield seen
                    await asyncio.sleep(0)  # who is slow with it, as a terminal is, must not keep all else waiting
                news = await self._next(arrived)
        finally:
            with suppress(nats.errors.ConnectionClosedError):
                await subscription.unsubscribe()

    async def so_far(self) -> list[tuple[Frame, Message]]:
        """The frames that there are now, one at least, for who looks once and follows none. Raises as `frames`."""
        return await self._sync()

    async def _next(self, arrived: asyncio.Queue[bytes]) -> list[tuple[Frame, Message]]:
        """What the next message brings: nothing if the frame is known, and what is missed if it is no next frame.

        It may be anything: the answer to somebody's request can be aimed at this subject.
        """
        try:
            async with asyncio.timeout(QUIET_SECONDS):
                data = await arrived.get()
            frame, message = from_frame(data)
            return [] if frame.index <= self._verifier.index else [self._take(frame, message)]
        except (TimeoutError, BadMessage, NeedsNewer, BrokenChain):
            return await self._sync()

    async def _sync(self) -> list[tuple[Frame, Message]]:
        seen: list[tuple[Frame, Message]] = []
        told = self._witness.told
        more = True
        while more:
            ask = to_service(Sync(after=self._verifier.index, token=self._token))
            data = await ask_until_answered(self._nats, sync_subject(self.match, self.seat), ask)
            try:
                answer = from_synced(data)
                frames = [from_frame(each) for each in answer.frames] if isinstance(answer, Synced) else []
            except BadMessage as error:
                raise BrokenChain(f"what was missed cannot be read: {error}") from None
            match answer:
                case Synced():
                    seen += [self._take(*each) for each in frames]
                    more = answer.more and bool(frames)
                case commands.Refused(code=code) if code in FOR_THE_MOMENT:
                    await asyncio.sleep(RETRY_SECONDS)
                case _:
                    raise Refused(answer)
        self._witness.end(told)
        return seen

    def _take(self, frame: Frame, message: Message) -> tuple[Frame, Message]:
        self._verifier.take(frame, message)
        self._witness.show(message.commit, self.seat)
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

    def _entropy(self, since: int) -> bytes:
        """The entropy of the round that began with commit `since`; no two rounds have the same."""
        return digest("fairdeal/player-entropy", self._token, self.match, since)

    def _commitment(self, since: int) -> bytes:
        return entropy_commitment(self.match, self._key, self._entropy(since))

    @property
    def _key(self) -> bytes:
        return hashlib.sha256(self._token).digest()

    async def join(self, seat: Seat | None = None) -> Accepted:
        """Take a seat, the lowest free one if none is named, or the one this token has. Raises Refused."""
        wish = Join(key=self._key, commitment=self._commitment(0), seat=seat)
        request = Request(id=JOINING, action=as_action(wish))
        accepted = await self._ask(join_subject(self.match), request)
        if accepted.seat is None:
            raise BadMessage("a seat was given, but not which")
        self.seat = accepted.seat
        return accepted

    async def act(self, action: Action, *, seen: int | None = None) -> Accepted:
        """Send an action; `seen` is the index of the last frame seen. Raises Refused and Dropped."""
        command = Command(id=new_id(), token=self._token, action=dict(action), seen=seen)
        return await self._ask(seat_subject(self.match, self.seat), command)

    async def _ask(self, subject: str, command: Request | Command) -> Accepted:
        cause = cause_of(self._key, command.id)
        self._witness.send(cause, command.action)
        accepted = await ask(self._nats, subject, command)
        self._witness.tell(cause, accepted.index)
        return accepted

    async def show_entropy(self, *, seen: int | None = None) -> Accepted:
        """Show the entropy that was committed to last. Raises Refused and Dropped."""
        rounds, commitment = self._witness.rounds, self._witness.commitment
        committed = [since for since in rounds if self._commitment(since) == commitment]
        return await self.act(as_action(ShowEntropy(entropy=self._entropy([*rounds, *committed][-1]))), seen=seen)

    async def choices(self, kind: str, after: int = 0) -> tuple[Action, ...]:
        """A page of the choices of a kind, of a list too long for a frame, from number `after` on. Raises Refused."""
        return (await self._list(Ask(token=self._token, kind=kind, after=after))).legal.choices

    async def readings(self, action: Action) -> tuple[Action, ...]:
        """What an action may be sent as; nothing where it is not allowed. Raises Refused."""
        return (await self._list(Ask(token=self._token, action=dict(action)))).legal.choices

    async def _list(self, question: Ask) -> Listed:
        subject = legal_subject(self.match, self.seat)
        answer = from_listed(await ask_until_answered(self._nats, subject, to_service(question)))
        if isinstance(answer, commands.Refused):
            raise Refused(answer)
        return answer

    @asynccontextmanager
    async def seated(self, url: str) -> AsyncGenerator["Player"]:
        """This player over a connection that is let in as his seat, and as nothing else. Raises NotConnected."""
        async with connect_seat(url, self.match, self.seat, self._token) as self._nats:
            yield self

    async def commit_entropy(self, *, seen: int | None = None) -> Accepted:
        """Commit to other entropy, once the frames have told that a seat was freed. Raises Refused and Dropped."""
        commitment = self._commitment(self._witness.rounds[-1])
        return await self.act(as_action(CommitEntropy(commitment=commitment)), seen=seen)

    async def give_entropy(self, frame: Frame) -> bool:
        """Show the entropy, or commit to other, as the frame asks; whether it was shown. Raises Refused and Dropped.

        An old frame is refused as stale: it would have a restarted player commit to what he has shown before.
        """
        verbs = {template["type"] for template in frame.legal.also} if frame.waited else set[str]()
        if "show_entropy" in verbs:
            await self.show_entropy(seen=frame.index)
        elif "commit_entropy" in verbs:
            await self.commit_entropy(seen=frame.index)
        return "show_entropy" in verbs

    async def leave(self) -> Accepted:
        """Give the seat up. Raises Refused."""
        return await self.act(as_action(Leave()))

    def view(self) -> View:
        """What this seat sees."""
        return View(self._nats, self.match, self.seat, self._token, self._witness)


@asynccontextmanager
async def take_seat(
    url: str, match: str, seat: Seat | None = None, *, token: bytes | None = None
) -> AsyncGenerator[Player]:
    """A player who joins as a guest, and plays over a connection of his seat. Raises NotConnected and Refused."""
    async with connect_guest(url) as guest:
        player = Player(guest, match, token=token)
        await player.join(seat)
    async with player.seated(url):
        yield player


@asynccontextmanager
async def connect_guest(url: str) -> AsyncGenerator[Nats]:
    """A connection of one who holds no seat: he may open, join and watch. Raises NotConnected."""
    password = secrets.token_urlsafe(16)
    async with _connect(url, GUEST, password, guest_inbox(password)) as client:
        yield client


@asynccontextmanager
async def connect_seat(url: str, match: str, seat: Seat, token: bytes) -> AsyncGenerator[Nats]:
    """A connection of a seat: it may send its commands, and see what the seat and the rail see. Raises NotConnected."""
    user = seat_user(match, seat)
    async with _connect(url, user, token.hex(), user_inbox(user)) as client:
        yield client


@asynccontextmanager
async def _connect(url: str, user: str, password: str, inbox: str) -> AsyncGenerator[Nats]:
    """A connection that, once it was let in, is made anew for ever."""
    client = await connect(url, user=user, password=password, inbox_prefix=inbox)
    try:
        yield lasting(client)
    finally:
        await client.close()


def lasting(nats: Nats) -> Nats:
    """The connection, which from now on is made anew for ever."""
    nats.options |= {
        "allow_reconnect": True,
        "max_reconnect_attempts": -1,
        "reconnect_time_wait": RECONNECT_SECONDS,
    }
    return nats


async def connect(url: str, **options: Any) -> Nats:
    """A connection with these options of nats-py; it is tried a few times, and ends when it is lost.

    Raises NotConnected.
    """
    reasons = deque[Exception](maxlen=REASONS)

    async def note(reason: Exception) -> None:
        reasons.append(reason)

    once: dict[str, Any] = {
        "allow_reconnect": False,
        "max_reconnect_attempts": 1,
        "reconnect_time_wait": 0,
        "connect_timeout": CONNECT_SECONDS,
        "error_cb": note,
    }
    for delay in (*[CONNECT_RETRY_SECONDS] * (CONNECT_TRIES - 1), 0.0):
        client = Nats()
        try:
            await client.connect(url, **once, **options)
        except (OSError, nats.errors.Error) as error:
            reasons.append(error)
            with suppress(AssertionError):  # where the address is none, there is nothing that nats-py could close
                await client.close()
            await asyncio.sleep(delay)
        else:
            return client
    reason = next(each for each in reasons if not isinstance(each, nats.errors.NoServersError))
    raise NotConnected(
        f"the NATS server does not answer, or does not let this user in: {str(reason) or 'it is silent'}"
    )


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
    """Send a request again and again, while nobody answers.

    The time is kept here: where nats-py keeps it, Python 3.11 loses a cancellation that comes with the answer.
    """
    while True:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return (await nats.request(subject, data, timeout=None)).data  # type: ignore[arg-type]
        except (TimeoutError, NoRespondersError):
            await asyncio.sleep(RETRY_SECONDS)


def new_id() -> str:
    """A command id that no other command has."""
    return secrets.token_hex(12)
