"""The exchange of the turn-up tells nobody who could have made it (durak §3, §10)."""

from typing import Any

import msgspec
import pytest

from replay.audit import audit_entries
from replay.fold import archive_of
from replay.story import Told, story, telling
from schemas.cards import Cards
from schemas.clock import Clock
from schemas.codec import Viewer, from_frame
from schemas.durak import ExchangeEnded, HandDealt
from schemas.log import acting
from schemas.refusals import Code
from services.gallery.frames import Shown
from services.games.clock import seat_deadline
from services.games.game import Shuffle
from services.games.match import asked, due
from services.games.view import legal
from tests.house import House, Setting, run
from tests.tables import HandTable

HANDS = ("7h 7d Kc", "9h 5s 4d", "Qc 2s Qh", "Jh Jd Jc")
START = {"stock": ["8d", "8h", "Ks"], "exchange_phase": True}
HOLDER = 2


def given(*hands: str, **options: Any) -> HandTable:
    """Hands of which seat 2 holds the trump 2, unless others are given."""
    return HandTable("durak", *(hands or HANDS), start=START, refill_to=3, **options)


def test_only_the_holder_sees_that_he_is_asked() -> None:
    table = given()
    assert table.game.due(table.state) == (HOLDER,)
    assert table.seen(HOLDER).turn.value == (HOLDER,)
    for viewer in (0, 1, 3, "rail"):
        assert (table.seen(viewer).turn.is_open, table.seen(viewer).turn.n) == (False, None)
    assert [table.legal(seat) for seat in range(4)] == [[], [], ["exchange", "pass"], []]


def test_all_others_are_refused_alike() -> None:
    table = given()
    actions = [{"type": "exchange"}, {"type": "pass"}, {"type": "attack", "card": "7h"}, {"type": "pick_up"}]
    assert {table.refuses(seat, action) for seat in (0, 1, 3, None) for action in actions} == {Code.NOT_YOUR_TURN}


def test_a_swap_and_a_pass_are_the_same_event_but_for_the_turn_up() -> None:
    swapped, passed = given(), given()
    assert swapped.act(HOLDER, {"type": "exchange"}) == (ExchangeEnded(swapped=True, turn_up="2s"),)
    assert passed.act(HOLDER, {"type": "pass"}) == (ExchangeEnded(swapped=False, turn_up="Ks"),)
    assert swapped.fact("counts") == passed.fact("counts") == [3] * 4
    assert swapped.fact("hands")[HOLDER] == ("Ks", "Qh", "Qc")


def test_where_nobody_holds_the_2_the_same_event_comes_with_the_deal() -> None:
    game = given().game
    for seats, size in ((3, 10), (4, 8)):
        state = game.begin(game.open({}, seats), seats)
        deck = (*[f"{rank}{suit}" for suit in "shd" for rank in "3456789TJQKA"], *["2s", "2h", "2d"])
        clubs = tuple(f"{rank}c" for rank in "3456789TJQKA2")
        order = (*deck[: seats * size], *clubs, *deck[seats * size :])
        dealt, *others = game.deal(state, given_order(order))
        assert isinstance(dealt, HandDealt)
        assert (dealt.turn_up, dealt.holder) == ("3c", None)
        assert others == [ExchangeEnded(swapped=False, turn_up="3c")]


def test_the_phase_is_left_out_where_it_is_switched_off() -> None:
    assert given(exchange="off").fact("phase") == "attack"


def test_at_ones_own_turn_the_exchange_does_not_use_it_up() -> None:
    table = HandTable("durak", "2s 7d Kc", "9h 5s 4d", "Qc 3c Qh", start={"stock": ["8d", "Ks"]}, exchange="own_turn")
    assert table.legal(0) == ["attack", "attack", "attack", "exchange"]
    table.act(0, {"type": "exchange"})
    assert table.facts("turn", "turn_up") == (0, "2s")
    assert table.refuses(0, {"type": "exchange"}) == Code.CANNOT_EXCHANGE


def given_order(order: Cards) -> Shuffle:
    """A shuffle by which the deck comes in a given order."""
    return lambda _: order


# --- in the log and in frames ------------------------------------------------------------------------------------


def exchanging(clock: Clock | None = None) -> House:
    """A match whose first hand waits for an exchange."""
    for number in range(20):
        house = House(Setting("durak", "seed", 4), f"exchange {number}", clock=clock)
        if run(house.seat_all()).game.phase(run(house.state()).play) == "exchange":
            return house
    raise AssertionError("the trump 2 is dealt to nobody again and again")


@pytest.fixture
def house() -> House:
    """Such a match."""
    return exchanging()


async def answered(house: House, how: str) -> int:
    """The holder answers, lets his time pass, or is managed meanwhile; returns the holder."""
    (holder,) = asked(await house.state())
    if how == "timeout":
        await house.time_out(holder)
    else:
        await house.send(holder, {"type": how})
    return holder


@pytest.mark.parametrize("how", ["exchange", "pass", "timeout"])
async def test_the_commit_names_its_seat_to_nobody_else(house: House, how: str) -> None:
    holder = await answered(house, how)
    shown = Shown(house.match)
    steps = [step for entry in await house.entries() if (step := shown.follow(*entry))]
    assert acting(steps[-1].message.commit) == (holder, how == "timeout")
    for viewer in (*range(4), "rail"):
        _, message = from_frame(steps[-1].frame(viewer))
        commit = msgspec.msgpack.decode(message.public)
        assert {"seat", "auto", "action"} & commit.keys() == set()
        expected = (holder, how == "timeout") if viewer == holder else (None, False)
        assert acting(message.commit) == expected


async def test_only_the_holders_frames_say_that_he_is_waited_for(house: House) -> None:
    shown = Shown(house.match)
    *_, step = [step for entry in await house.entries() if (step := shown.follow(*entry))]
    (holder,) = asked(step.state)
    frames = {viewer: from_frame(step.frame(viewer))[0] for viewer in (*range(4), "rail")}
    assert [viewer for viewer, frame in frames.items() if frame.waited] == [holder]
    assert [viewer for viewer, frame in frames.items() if frame.legal.choices] == [holder]


async def test_a_managed_holder_is_not_played_for_at_once(house: House) -> None:
    """Else the token would tell; his time runs like anybody's, without the bank that is his own."""
    (holder,) = asked(await house.state())
    for on in (False, True):
        await house.send(holder, {"type": "manage", "on": on})
        state = await house.settle()
        assert due(state) == (holder,)
        assert seat_deadline(state, holder) == state.times[holder].asked + 1000 * state.opened.clock.turn


@pytest.mark.parametrize("beside", [False, True])
async def test_without_a_clock_a_managed_holder_waits_as_long_as_any_other_beside_a_managed_seat(
    beside: bool,  # noqa: FBT001
) -> None:
    """Where one seat is managed, whoever is asked has the same time: its end tells not who."""
    house = exchanging(Clock(turn=0))
    (holder,) = asked(state := await house.state())
    assert seat_deadline(state, holder) is None
    await house.send((holder + beside) % 4, {"type": "manage", "on": True})
    state = await house.settle()
    assert seat_deadline(state, holder) == state.times[holder].asked + 1000 * state.opened.clock.grace


async def test_a_time_out_in_the_exchange_is_not_counted_against_its_seat(house: House) -> None:
    """It would show when the next one makes the seat managed."""
    (holder,) = asked(before := await house.state())
    await house.time_out(holder)
    after = await house.state()
    assert (after.times[holder].misses, after.times[holder].bank) == (0, before.times[holder].bank)
    assert not after.holders[holder].managed


async def test_the_audit_and_the_story_know_the_seat_from_the_whole_log(house: House) -> None:
    holder = await answered(house, "pass")
    entries = await house.entries()
    report = audit_entries(entries)
    assert (report.findings, report.decided) == ((), len(entries))
    archive, _ = archive_of(entries)
    assert list(story(archive))[-1].split()[1:3] == ["seat", f"[{holder}]"]
    assert list(story(archive, viewer="rail"))[-1].split()[1:3] == ["a", "seat"]
    viewers: list[Viewer] = ["auditor", holder, (holder + 1) % 4, "rail"]
    told = [list(telling(archive, viewer=viewer))[-1] for viewer in viewers]
    assert [each.seat for each in told if isinstance(each, Told)] == [holder, holder, None, None]
    assert legal(await house.state(), holder) is not None
