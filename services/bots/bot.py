"""One bot: it takes a seat, shows its entropy and answers whenever it is waited for, until the match is over."""

import asyncio
import secrets

import structlog

from schemas.actions import Action
from schemas.cards import Seat
from schemas.refusals import Code
from schemas.views import Frame
from services.client import Player, Refused
from services.games.pick import pick
from services.games.shuffle import Stream

OVERTAKEN = frozenset(
    {
        Code.STALE,
        Code.NOT_YOUR_TURN,
        Code.WRONG_PHASE,
        Code.ALREADY_DECIDED,
        Code.HAND_OVER,
        Code.TRICK_IN_PROGRESS,
    }
)
"""Refusals that only say that the table has moved on; the next frame tells what is asked now."""

logger = structlog.get_logger()


async def play(player: Player, *, seat: Seat | None = None, pace: float = 0.0, seed: bytes | None = None) -> None:
    """Play a match to its end. `pace` is how many seconds the bot thinks before an action. Raises client.Refused."""
    stream = Stream(seed or secrets.token_bytes(32))
    await player.join(seat)
    async for frame, _ in player.view().frames():
        if frame.table.over:
            return
        if frame.waited:
            await asyncio.sleep(pace)
            await _answer(player, frame, stream)


async def _answer(player: Player, frame: Frame, stream: Stream) -> None:
    managed = frame.seat is not None and frame.table.places[frame.seat].managed
    action = _take_over(stream) if managed else pick(frame.legal, stream)
    try:
        if action is not None:
            await player.act(action, seen=frame.index)
            return
        verbs = {template["type"] for template in frame.legal.also}
        if "show_entropy" in verbs:
            await player.show_entropy()
        elif "commit_entropy" in verbs:
            await player.commit_entropy()
    except Refused as refused:
        if refused.reply.code not in OVERTAKEN:
            raise
        logger.debug("overtaken", match=frame.match, seat=frame.seat, code=refused.reply.code.value)


def _take_over(stream: Stream) -> Action | None:
    """A managed seat lets the referee play for a while, and then plays itself again."""
    return {"type": "manage", "on": False} if stream.below(4) == 0 else None
