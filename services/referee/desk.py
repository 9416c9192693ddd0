"""The referee's desk: from the bytes of a command to the bytes of its answer. Nothing that comes in can stop it."""

from contextlib import nullcontext
from functools import lru_cache

import msgspec

from schemas import commands
from schemas.actions import Digest, Join, Open
from schemas.cards import Seat
from schemas.codec import BadMessage, NeedsNewer, PublicBytes, TooLarge, from_player, to_reply
from schemas.commands import Accepted, Command, Reply, Request
from schemas.refusals import Code
from schemas.subjects import HOUSE, is_match_id, seat_of
from services.games.decide import Draft, act, cause_of, join, match_id, open_match
from services.games.game import Refused
from services.games.match import Match, holds, is_house, key_of
from services.games.view import legal
from services.referee.quota import Quota
from services.runtime.log import Unavailable
from services.runtime.mailbox import Mailboxes
from services.runtime.worker import Worker


class Desk:
    """Answers commands through one worker; those of a match are decided one after the other, as they came.

    Args:
        worker: the referee's.
        house: SHA-256 of the token by which the house acts in matches opened here; empty: it does not.
        quota: how many matches may be opened; None: any number.
    """

    def __init__(self, worker: Worker, *, house: bytes = b"", quota: Quota | None = None) -> None:
        self._worker = worker
        self._house = house
        self._quota = quota
        self._mailboxes = Mailboxes()

    async def answer(self, subject: str, data: bytes) -> PublicBytes:
        """The encoded Accepted or Refused for a command on `subject`; what is accepted is in the log."""
        match, seat = None, None
        try:
            match, sender = _address(subject)
            seat = seat_of(sender)
            # A command to open makes a match of its own, whose mailbox it cannot fill.
            with self._mailboxes.place(match, sender) if match else nullcontext():
                reply = await self._decide(match, sender, seat, data)
        except Refused as refused:
            reply = commands.Refused(code=refused.code, match=match or None, seat=seat, detail=refused.detail)
        return to_reply(reply)

    async def _decide(self, match: str, sender: str, seat: Seat | None, data: bytes) -> Reply:
        try:
            if seat is not None or sender == HOUSE:
                return await self._act(match, seat, from_player(data, Command))
            request = from_player(data, Request)
            return await (self._join(match, request) if sender == "join" else self._open(request))
        except TooLarge as error:
            raise Refused(Code.TOO_LARGE, str(error)) from None
        except BadMessage as error:
            raise Refused(Code.BAD_MESSAGE, str(error)) from None
        except (Unavailable, NeedsNewer):
            raise Refused(Code.UNAVAILABLE, "try again with the same command id") from None

    async def _open(self, request: Request) -> Reply:
        key = _key(request, Open)
        match = match_id(key, request.id)
        draft = open_match(request.action, house=self._house)  # what is refused takes nothing from the quota
        if self._quota is not None and not self._quota.take():
            raise Refused(Code.BUSY, "too many matches are being opened; try again with the same command id")
        done = await self._worker.answer(match, cause_of(key, request.id), lambda _: draft)
        return Accepted(match=match, index=done.index)

    async def _join(self, match: str, request: Request) -> Reply:
        key = _key(request, Join)
        done = await self._worker.answer(
            match, cause_of(key, request.id), lambda state: join(_live(state), request.action)
        )
        return Accepted(match=match, index=done.index, seat=done.seat)

    async def _act(self, match: str, seat: Seat | None, command: Command) -> Reply:
        key = key_of(command.token)

        def decide(state: Match | None) -> Draft:
            live = _live(state)
            _admit(live, seat, key, command)
            return act(live, seat, command.action)

        done = await self._worker.answer(match, cause_of(key, command.id), decide)
        return Accepted(match=match, index=done.index, seat=seat)


@lru_cache(maxsize=10_000)
def _address(subject: str) -> tuple[str, str]:
    """The match and the sender (`open`, `join`, `house` or a seat) that a command's subject names."""
    match subject.split("."):
        case ["cmd", "open"]:
            return "", "open"
        case ["cmd", match, sender] if is_match_id(match) and _is_sender(sender):
            return match, sender
        case _:
            raise Refused(Code.BAD_MESSAGE, "commands go to cmd.open, or to join, house or a seat at cmd.<match>")


def _is_sender(text: str) -> bool:
    return text in ("join", HOUSE) or seat_of(text) is not None


def _key(request: Request, kind: type[Open] | type[Join]) -> Digest:
    """The sender's public part. Raises Refused where the action is not of the verb that the subject is for."""
    try:
        return msgspec.convert(request.action, kind).key
    except msgspec.ValidationError as error:
        raise Refused(Code.BAD_ACTION, str(error)) from None


def _live(state: Match | None) -> Match:
    if state is None:
        raise Refused(Code.NO_SUCH_MATCH)
    return state


def _admit(match: Match, seat: Seat | None, key: bytes, command: Command) -> None:
    """Let in who holds the seat, or the house, with a verb that is theirs, and who has seen what the seat is asked."""
    if not (is_house(match, key) if seat is None else holds(match, seat, key)):
        raise Refused(Code.BAD_TOKEN, "the token is not the one of this sender")
    if command.action.get("type") == "timeout":
        raise Refused(Code.NOT_ALLOWED, "only the services say that time is up")
    if seat is not None and _is_stale(match, seat, command):
        raise Refused(Code.STALE, "the seat was asked anew since")


def _is_stale(match: Match, seat: Seat, command: Command) -> bool:
    """Whether this would answer another question than was seen; what is no answer now is for the rules to refuse."""
    if command.seen is None or match.times[seat].since <= command.seen:
        return False
    return any(choice["type"] == command.action.get("type") for choice in legal(match, seat).choices)
