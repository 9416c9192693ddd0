"""A house whose services are processes of their own, and matches of one hand."""

import asyncio
from typing import Any

from nats.aio.client import Client

from schemas.codec import from_reply, to_service
from schemas.commands import Accepted, Command, Reply, Request
from schemas.log import ROLES
from services.client import FOR_THE_MOMENT, ask_until_answered
from services.games.match import Match, due
from services.runtime.jetstream import JetStreamLog
from tests.house import House, Setting


class OneHand(Setting):
    """A match that ends with its first hand."""

    @property
    def options(self) -> dict[str, Any]:
        """See Setting."""
        return {**super().options, "hands_limit" if self.game == "gongzhu" else "max_hands": 1}


class Processed(House):
    """Services that are processes: they are asked over NATS, and take their turns by themselves."""

    def __init__(self, setting: Setting, client: Client, name: str = "") -> None:
        super().__init__(setting, name, JetStreamLog(client))
        self.client = client

    async def ask(self, subject: str, command: Request | Command) -> Reply:
        """See House."""
        while True:
            reply = from_reply(await ask_until_answered(self.client, subject, to_service(command)))
            if isinstance(reply, Accepted) or reply.code not in FOR_THE_MOMENT:
                return reply

    async def settle(self) -> Match:
        """See House."""
        while due(state := await self.state()) in ROLES:
            await asyncio.sleep(0.005)
        return state
