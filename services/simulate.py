"""Random legal play of whole matches on a MemoryLog, through the same worker and desk as live play."""

import hashlib
from collections.abc import Mapping
from functools import partial
from typing import Any

from schemas import commands
from schemas.actions import Action, Join, Open, ShowEntropy, as_action
from schemas.cards import Seat
from schemas.codec import from_reply, to_service
from schemas.commands import Command, Request
from schemas.log import ROLES, Role
from schemas.subjects import OPEN, join_subject, seat_subject
from services.games.decide import Draft, deal, match_id, play_managed, score
from services.games.fold import Fold
from services.games.game import Refused
from services.games.match import Match, asked, due
from services.games.pick import pick
from services.games.shuffle import Stream, entropy_commitment, share
from services.games.view import legal
from services.referee.desk import Desk
from services.runtime.log import Entry, EventLog, MemoryLog
from services.runtime.worker import Turn, Worker


class Simulation:
    """One match: its workers, its players' secrets and its dice all come from one seed, and the clock stands at 0.

    Args:
        game: the game's name.
        options: as one would open the match with.
        seats: how many play.
        seed: 32 bytes; the same seed gives the same log, byte for byte.
        log: where the match is written.

    Attributes:
        match: the match id.
        tokens: the token of each seat.
    """

    def __init__(
        self, game: str, options: Mapping[str, Any], *, seats: int, seed: bytes, log: EventLog | None = None
    ) -> None:
        self.log = log or MemoryLog()
        self._stream = Stream(seed)
        salt_keys = {role: self._stream.block() for role in ROLES}
        self.workers = {role: self._worker(role, salt_keys[role]) for role in ROLES}
        self._desk = Desk(self.workers["referee"])
        self._open = Open(key=self._stream.block(), game=game, options=dict(options), seats=seats)
        self.tokens = [self._stream.block() for _ in range(seats)]
        self._entropy = [self._stream.block() for _ in range(seats)]
        self.match = match_id(self._open.key, "open")
        self._commands = 0
        self._fold = Fold(self.match)

    async def run(self) -> list[Entry]:
        """Play the match to its end; returns its log. Raises Refused where it cannot be opened like this."""
        await self._ask(OPEN, Request(id="open", action=as_action(self._open)))
        while (state := await self._now()) is not None and (who := due(state)) != "none":
            if who in ROLES:
                await self.workers[who].take_turns(self.match, self._fold.sequence)
            elif who == "open":
                await self._join(state)
            else:
                await self._move(state)
        return await self.log.read(self.match)

    async def _now(self) -> Match | None:
        for entry in await self.log.read(self.match, self._fold.sequence):
            self._fold.apply(*entry)
        return self._fold.state

    async def _join(self, state: Match) -> None:
        seat = next(seat for seat, holder in enumerate(state.holders) if not holder.key)
        key = hashlib.sha256(self.tokens[seat]).digest()
        commitment = entropy_commitment(self.match, key, self._entropy[seat])
        wish = Join(key=key, commitment=commitment, seat=seat)
        await self._ask(join_subject(self.match), Request(id="join", action=as_action(wish)))

    async def _move(self, state: Match) -> None:
        """One of the seats waited for acts, chosen by the dice as its action is."""
        waited = asked(state)
        seat = waited[self._stream.below(len(waited))]
        await self._send(seat, pick(legal(state, seat), self._stream) or self._show(seat))

    def _show(self, seat: Seat) -> Action:
        return as_action(ShowEntropy(entropy=self._entropy[seat]))

    async def _send(self, seat: Seat, action: Action) -> None:
        self._commands += 1
        command = Command(id=str(self._commands), token=self.tokens[seat], action=dict(action))
        await self._ask(seat_subject(self.match, seat), command)

    async def _ask(self, subject: str, command: Request | Command) -> None:
        reply = from_reply(await self._desk.answer(subject, to_service(command)))
        if isinstance(reply, commands.Refused):
            raise Refused(reply.code, reply.detail)

    def _worker(self, role: Role, salt_key: bytes) -> Worker:
        secret = self._stream.block()

        def dealer(match: Match) -> Draft:
            return deal(match, partial(share, secret, match.id), "simulated")

        turns: dict[Role, Turn] = {"dealer": dealer, "referee": play_managed, "scorer": score}
        return Worker(role, self.log, salt_key=salt_key, turn=turns[role], clock=int)
