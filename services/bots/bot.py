"""One bot: it shows its entropy and answers whenever its seat is waited for, until the match is over."""

import asyncio
import secrets

import structlog

from schemas.actions import Action
from schemas.refusals import Code
from schemas.views import Frame
from services.client import Player, Refused
from services.games.pick import pick, pick_place
from services.games.shuffle import Stream

IN_VAIN = frozenset({Code.BAD_TOKEN, Code.NO_SUCH_MATCH, Code.BAD_MESSAGE, Code.TOO_LARGE, Code.BAD_ACTION})
"""Refusals after which there is no use in going on; any other says that the table has moved on since the frame."""

logger = structlog.get_logger()


async def play(player: Player, *, pace: float = 0.0, seed: bytes | None = None) -> None:
    """Play a match, in which the player has a seat, to its end. Raises client.Refused.

    `pace` is how many seconds the bot thinks before an action.
    """
    stream, answered = Stream(seed or secrets.token_bytes(32)), 0
    async for frame, _ in player.view().frames():
        if frame.table.over:
            return
        if frame.waited and frame.index >= answered:
            await asyncio.sleep(pace)
            answered = max(answered, await _answer(player, frame, stream))


async def _answer(player: Player, frame: Frame, stream: Stream) -> int:
    """Answer what the frame asks; the index of the answer, which frames before it know nothing of, or 0."""
    try:
        action = await _choose(player, frame, stream)
        if action is not None:
            return (await player.act(action, seen=frame.index)).index
        await player.give_entropy(frame)
    except Refused as refused:
        if refused.reply.code in IN_VAIN:
            raise
        logger.debug("overtaken", match=frame.match, seat=frame.seat, code=refused.reply.code.value)
    return 0


async def _choose(player: Player, frame: Frame, stream: Stream) -> Action | None:
    """One of the choices; those that are too many for a frame are asked for. None where nothing is to be done now."""
    if frame.seat is not None and frame.table.places[frame.seat].managed:
        return _take_over(stream)
    if not frame.legal.kinds:
        return pick(frame.legal, stream)
    kind, number = pick_place(frame.legal, stream)
    return next(iter(await player.choices(kind, after=number)), None)


def _take_over(stream: Stream) -> Action | None:
    """A managed seat lets the referee play for a while, and then plays itself again."""
    return {"type": "manage", "on": False} if stream.below(4) == 0 else None
