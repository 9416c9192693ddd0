"""Seven-qiao with `free_draw: any` through two referees that are processes: who hurries is not refused for it."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from schemas.cards import Seat
from schemas.seven_qiao import Taken
from schemas.subjects import seat_subject
from services.games.match import asked
from services.runtime.nats_server import NatsServer
from services.runtime.processes import Processes
from tests.house import Setting, agreed
from tests.services.conftest import SECONDS
from tests.services.processed import Processed
from tests.services.test_races import ask, commits
from tests.users import connected


class FreeForAll(Setting):
    """A match in which cards are drawn in any order."""

    @property
    def options(self) -> dict[str, Any]:
        """See Setting."""
        return {**super().options, "free_draw": "any"}


async def test_seven_wishes_in_the_same_millisecond_are_all_served_in_the_order_of_the_log(
    server: NatsServer, referees: Processes
) -> None:
    """Each over a connection of its own, all with the same frame seen; the card is the top one as its turn comes."""
    async with asyncio.timeout(SECONDS), AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(server)) for _ in range(7)]
        house = Processed(FreeForAll("seven_qiao", "seed", 7), clients[0])
        state = await house.seat_all()
        while state.game.phase(state.play) == "ask":
            await house.send(asked(state)[0], {"type": "pass"})
            state = await house.settle()
        stock = state.play.phase.hand.stock
        served: dict[int, Seat] = {}
        for verb in ("draw", "take"):
            state = await house.settle()
            assert asked(state) == tuple(range(7))
            wishes = [player.command(verb, {"type": verb}, state.index) for player in house.players]
            replies = await asyncio.gather(
                *(ask(clients[seat], seat_subject(house.match, seat), wishes[seat]) for seat in range(7))
            )
            served = {agreed(reply).index: seat for seat, reply in enumerate(replies)}
            assert sorted(served) == list(range(state.index + 1, state.index + 8))
        made = (await commits(house))[-7:]
        assert {commit.index: commit.seat for commit in made} == served
        taken = [event for commit in made for event in commit.events if isinstance(event, Taken)]
        assert [card for each in taken for card in each.cards.value] == list(stock[:7])
