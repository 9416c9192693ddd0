"""Choices too many for a frame, asked for through the real services."""

import asyncio

from nats.aio.client import Client

from schemas.actions import Action
from schemas.views import Frame
from services.client import Player, View
from services.games.match import asked
from services.games.view import LONG
from services.runtime.processes import Processes
from tests.house import Setting
from tests.services.conftest import SECONDS
from tests.services.processed import Processed
from tests.services.test_gallery import watch


async def test_a_player_asks_for_choices_too_many_for_a_frame(client: Client, all_services: Processes) -> None:
    """Those of one kind, and what cards may be played as (fifty_k §10), through the real services."""
    async with asyncio.timeout(SECONDS):
        house, frame = await long_list(client)
        (seat,) = asked(await house.state())
        player = Player(client, house.match, token=house.players[seat].token)
        player.seat = seat
        assert frame.legal.choices == ()
        found: list[Action] = []
        for kind in ("pair", "triple_with_2"):
            number = frame.legal.kinds[kind]
            found = [each for after in range(0, number, LONG) for each in await player.choices(kind, after)]
            assert (len(found), {each["as"] for each in found}) == (number, {kind})
            assert await player.readings({"type": "play", "cards": found[-1]["cards"]}) == (found[-1],)
        assert await player.readings({"type": "pass"}) == ()
        await player.act(found[0], seen=frame.index)


async def long_list(client: Client) -> tuple[Processed, Frame]:
    """A match of Fifty-K whose leader has more choices than a frame carries, and the frame that says so."""
    for number in range(20):
        house = Processed(Setting("fifty_k", "two_deck", 4), client, f"long {number}")
        (seat,) = asked(state := await house.seat_all())
        view = View(client, house.match, seat, house.players[seat].token)
        frame, _ = (await watch(view, state.index))[-1]
        if frame.legal.count and frame.legal.kinds.keys() > {"pair", "triple_with_2"}:
            return house, frame
    raise AssertionError("no leader has so many choices")
