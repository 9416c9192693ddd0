"""Claims: their answers, the house, and what comes at the same time (gongzhu §6.1)."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from schemas.cards import Seat
from schemas.commands import Refused, Reply
from schemas.refusals import Code
from services.games.match import Match, asked
from tests.games.gongzhu.hands import EAST, NORTH, SOUTH, WEST, GongzhuTable, given
from tests.house import House, Setting, agreed

ACCEPT, CHALLENGE = {"type": "accept"}, {"type": "challenge"}


def claimed(**options: Any) -> GongzhuTable:
    """West has claimed all for North, before the first lead, which is East's."""
    table = given(expose="none", **options)
    table.act(WEST, {"type": "claim", "to": NORTH})
    return table


def test_three_accept_and_the_hand_is_scored_as_claimed() -> None:
    table = claimed()
    for seat in (EAST, NORTH, SOUTH):
        table.act(seat, ACCEPT)
    table.score()
    assert table.fact("scores") == (800, 0, 0, 0)


def test_silence_is_consent() -> None:
    table = claimed()
    for seat in (EAST, NORTH, SOUTH):
        table.times_out(seat)
    table.score()
    assert table.fact("scores") == (800, 0, 0, 0)
    assert table.hand.managed == (False,) * 4


@pytest.mark.parametrize("accepts", [(), (EAST,), (EAST, SOUTH)])
def test_one_challenge_and_play_goes_on_with_whoever_was_to_lead(accepts: Sequence[Seat]) -> None:
    table = claimed()
    for seat in accepts:
        table.act(seat, ACCEPT)
    table.act(NORTH, CHALLENGE)
    assert (table.fact("phase"), table.fact("turn")) == ("play", EAST)
    assert table.refuses(SOUTH, ACCEPT) == Code.WRONG_PHASE


def test_every_seat_may_claim_once_in_a_hand() -> None:
    table = claimed()
    table.act(NORTH, CHALLENGE)
    assert table.refuses(WEST, {"type": "claim", "to": WEST}) == Code.CLAIM_USED
    for seat in (NORTH, SOUTH, EAST):
        table.act(seat, {"type": "claim", "to": seat})
        table.act(WEST, CHALLENGE)
    assert table.fact("shown") == [NORTH, WEST, SOUTH, EAST]


def test_in_the_period_of_grace_the_house_is_due_and_the_three_may_challenge() -> None:
    table = claimed(claim_grace=True)
    for seat in (EAST, NORTH, SOUTH):
        table.act(seat, ACCEPT)
    assert table.legal(NORTH) == table.legal(SOUTH) == table.legal(EAST) == ["challenge"]
    assert table.legal(WEST) == []
    table.act(SOUTH, CHALLENGE)
    assert (table.fact("phase"), table.fact("turn")) == ("play", EAST)


def test_a_penalty_leaves_a_claim_as_it_is() -> None:
    table = claimed(claim_dispute="referee")
    table.act(NORTH, CHALLENGE)
    table.act(None, {"type": "penalty", "seat": WEST, "points": -50})
    assert table.fact("phase") == "referee"
    table.act(None, {"type": "rule", "ruling": "reject"})
    assert table.fact("phase") == "play"


def test_claimed_cards_lead_to_the_next_dealer_as_if_taken() -> None:
    table = claimed()
    for seat in (EAST, NORTH, SOUTH):
        table.act(seat, ACCEPT)
    table.score()
    assert (table.fact("next_leader"), table.fact("next_dealer")) == (NORTH, NORTH)


# --- at the same time --------------------------------------------------------------------------------------------


async def before_the_first_lead() -> tuple[House, Match]:
    """A match in which nobody has exposed, and the holder of the opening card is to lead."""
    house = House(Setting("gongzhu", "standard", 4), "claims")
    await house.seat_all()
    for seat in range(4):
        agreed(await house.send(seat, {"type": "pass"}))
    return house, await house.settle()


def codes(replies: Sequence[Reply]) -> list[Code | None]:
    """How commands were answered; None for those that were accepted."""
    return [reply.code if isinstance(reply, Refused) else None for reply in replies]


async def test_three_answers_that_have_seen_the_same_claim_are_all_accepted() -> None:
    house, state = await before_the_first_lead()
    claimer = (asked(state)[0] + 1) % 4
    agreed(await house.send(claimer, {"type": "claim", "to": claimer}))
    state = await house.settle()
    others = asked(state)
    assert others == tuple(seat for seat in range(4) if seat != claimer)
    replies = await asyncio.gather(*(house.send(seat, ACCEPT, seen=state.index) for seat in others))
    assert codes(replies) == [None] * 3
    assert [agreed(reply).index for reply in replies] == [state.index + n for n in (1, 2, 3)]


async def test_after_a_challenge_the_other_answers_come_too_late_and_are_told_so() -> None:
    house, state = await before_the_first_lead()
    leader = asked(state)[0]
    claimer = (leader + 1) % 4
    agreed(await house.send(claimer, {"type": "claim", "to": claimer}))
    seen = (await house.settle()).index
    others = [seat for seat in range(4) if seat not in (claimer, leader)]
    replies = await asyncio.gather(*(house.send(seat, CHALLENGE, seen=seen) for seat in others))
    assert codes(replies) == [None, Code.WRONG_PHASE]


@pytest.mark.parametrize("lead_first", [True, False])
@pytest.mark.parametrize("place", [1, 2, 3])
async def test_a_claim_and_a_lead_are_taken_in_the_order_of_the_log(*, lead_first: bool, place: int) -> None:
    """Both have seen the same; who comes second is refused by the rules, and not as stale, also if he is asked next."""
    house, state = await before_the_first_lead()
    leader = asked(state)[0]
    claimer = (leader + place) % 4
    lead = house.send(leader, {"type": "play", "cards": ["2c"]}, seen=state.index)
    claim = house.send(claimer, {"type": "claim", "to": claimer}, seen=state.index)
    replies = await asyncio.gather(*((lead, claim) if lead_first else (claim, lead)))
    assert codes(replies) == [None, Code.TRICK_IN_PROGRESS if lead_first else Code.WRONG_PHASE]
