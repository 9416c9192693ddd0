"""Random legal play of whole matches on a MemoryLog, through the same worker and desk as live play."""

import hashlib
from collections.abc import Mapping
from functools import partial
from typing import Any

from schemas import commands
from schemas.actions import Action, Join, Manage, Open, ShowEntropy, Timeout, as_action
from schemas.cards import Seat
from schemas.codec import from_reply, to_service
from schemas.commands import Command, Request
from schemas.log import ROLES, Role
from schemas.subjects import OPEN, join_subject, seat_subject
from services.games.decide import Draft, act, cause_of, deal, match_id, play_managed, score
from services.games.fold import Fold
from services.games.game import Refused
from services.games.match import Match, asked, due
from services.games.pick import RARELY, pick
from services.games.shuffle import Stream, entropy_commitment, share
from services.games.view import legal, legal_of_house
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
            if who == "referee" and self._stream.below(4) == 0:
                await self._take_over(state)
            elif who in ROLES:
                await self.workers[who].take_turns(self.match, self._fold.sequence)
            elif who == "house":
                await self._rule(state)
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
        """One of the seats waited for acts, chosen by the dice as its action is; rarely another seat that may."""
        waited = asked(state)
        seats = range(len(self.tokens)) if self._stream.below(RARELY) == 0 else waited
        seat = seats[self._stream.below(len(seats))]
        action = pick(legal(state, seat), self._stream)
        if action is not None:
            await self._send(seat, action)
        elif seat in waited:
            await self._send(seat, self._show(seat))

    async def _take_over(self, state: Match) -> None:
        """A managed seat that is waited for plays itself again."""
        seat = next(seat for seat in asked(state) if state.holders[seat].managed)
        await self._send(seat, as_action(Manage(on=False)))

    async def _rule(self, state: Match) -> None:
        """The house decides by the dice; a period of grace it ends, unless a seat does something first."""
        if (ruling := pick(legal_of_house(state), self._stream)) is None:
            seat = self._stream.below(2 * len(self.tokens))
            if seat < len(self.tokens) and (action := pick(legal(state, seat), self._stream)) is not None:
                await self._send(seat, action)
                return
            ruling = as_action(Timeout())
        self._commands += 1
        draft = act(state, None, ruling)
        await self.workers["referee"].answer(self.match, cause_of(self._open.key, str(self._commands)), lambda _: draft)

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
