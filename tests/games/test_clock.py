"""Time as the log tells it: turns, banks, misses, seats that are lost, left or managed, matches that are closed."""

from dataclasses import replace as with_rules
from typing import Any

import pytest
from msgspec.structs import replace

from replay.archive import Archive, export
from replay.audit import audit, audit_entries
from replay.fold import archive_of
from replay.report import Kind
from schemas.actions import Open, as_action
from schemas.clock import LONGEST, Clock
from schemas.codec import from_log, to_log
from schemas.commands import Command, Refused, Reply
from schemas.digest import digest
from schemas.events import Event, HandRevealed, MatchClosed, MatchOpened, SeatLeft, SeatLost, SeatManaged
from schemas.log import NO_CHAIN, Commit
from schemas.refusals import Code
from schemas.subjects import house_subject
from services.games.clock import DAY, OVERDUE, deadline, look, remind, seat_deadline, wake
from services.games.decide import act, open_match
from services.games.fold import Fold
from services.games.game import Refused as RuleRefused
from services.games.match import Match, asked, due, turn_time
from services.games.pick import pick
from services.games.shuffle import Stream
from services.games.view import legal, table
from services.referee.desk import Desk
from tests.house import HOUSE_TOKEN, SETTINGS, House, Player, agreed, let_the_house_decide

SETTING = SETTINGS[0]
SECOND = 1000
CLOCK = Clock(turn=10, bank=5, join=100, entropy=20, grace=7, phases={"expose": 10})
OPEN_AT = 50 * SECOND


@pytest.fixture
async def house() -> House:
    """A match that was opened at 50 s and dealt at once: every seat is asked."""
    house = House(SETTING, clock=CLOCK)
    house.now = OPEN_AT
    await house.seat_all()
    return house


async def opened(clock: Clock = CLOCK) -> House:
    """A match that was opened at 50 s, without players."""
    house = House(SETTING, clock=clock)
    house.now = OPEN_AT
    await house.open()
    await house.settle()
    return house


async def happened(house: House) -> list[Event]:
    """All events of the match so far."""
    return [event for commit in await commits(house) for event in commit.events]


async def commits(house: House) -> list[Commit]:
    """All commits of the match so far."""
    fold = Fold(house.match)
    return [message.commit for entry in await house.entries() if (message := fold.apply(*entry))]


async def answer(house: House, at: int, seat: int | None = None) -> Match:
    """One of the seats waited for answers at `at`, by the first choice it has."""
    house.now = at
    state = await house.state()
    seat = asked(state)[0] if seat is None else seat
    agreed(await house.send(seat, legal(state, seat).choices[0]))
    return await house.settle()


def code_of(reply: Reply) -> Code:
    """Why the reply is a refusal."""
    assert isinstance(reply, Refused)
    return reply.code


# --- turn and bank -----------------------------------------------------------------------------------------------


async def test_a_seat_may_take_its_turn_and_its_bank(house: House) -> None:
    """Given all are asked at 50 s; then the first limit is 50 s + 10 s + 5 s."""
    state = await house.state()
    assert turn_time(state) == 10 * SECOND
    assert deadline(state) == OPEN_AT + 15 * SECOND


async def test_an_answer_in_time_takes_nothing_from_the_bank(house: House) -> None:
    state = await answer(house, OPEN_AT + 10 * SECOND, seat=0)
    assert state.times[0].bank == 5 * SECOND


async def test_what_an_answer_takes_beyond_its_turn_is_taken_from_the_bank(house: House) -> None:
    """When a seat answers 12 s after its question; then 2 s are gone, of its own bank only, and everybody sees it."""
    state = await answer(house, OPEN_AT + 12 * SECOND, seat=0)
    assert [time.bank for time in state.times] == [3 * SECOND, *[5 * SECOND] * (len(state.times) - 1)]
    assert table(state).places[0].bank == 3 * SECOND


async def test_a_bank_is_used_up_over_several_turns_and_then_there_is_the_turn_only(house: House) -> None:
    """When a seat takes 12 s for each answer; then its bank is 3, 1 and 0 s, and its limit comes the sooner."""
    state = await house.state()
    slow, banks, at = 0, [state.times[0].bank], OPEN_AT
    while banks[-1]:
        at += 1
        if slow in asked(state):
            limit = state.times[slow].asked + 10 * SECOND + banks[-1]
            assert seat_deadline(state, slow) == limit
            at = min(limit, state.times[slow].asked + 12 * SECOND)
            state = await answer(house, at, seat=slow)
            banks.append(state.times[slow].bank)
        else:
            state = await answer(house, at)
    assert banks == [5 * SECOND, 3 * SECOND, 1 * SECOND, 0]
    while slow not in asked(state):
        state = await answer(house, at)
    assert seat_deadline(state, slow) == state.times[slow].asked + 10 * SECOND


async def test_an_answer_by_a_clock_that_is_behind_takes_nothing(house: House) -> None:
    state = await answer(house, OPEN_AT - 5 * SECOND, seat=0)
    assert state.times[0].bank == 5 * SECOND


async def test_time_runs_from_the_question_whoever_else_acts(house: House) -> None:
    """Given all are asked; when others answer, or a penalty is given; then the limit of who has not stays."""
    await answer(house, OPEN_AT + 3 * SECOND, seat=0)
    penalty = {"type": "penalty", "seat": 1, "points": -10}
    house.now = OPEN_AT + 4 * SECOND
    command = Command(id="penalty", token=HOUSE_TOKEN, action=penalty)
    agreed(await house.ask(house_subject(house.match), command))
    state = await house.state()
    assert seat_deadline(state, 1) == OPEN_AT + 15 * SECOND
    assert all(state.times[seat].since == state.times[1].since for seat in asked(state))


def test_a_phase_may_have_seconds_of_its_own() -> None:
    """What the opener names stands; what he does not is as the game has it; what is left is a turn."""
    (event,) = open_match(as_action(Open(key=bytes(32), game="gongzhu", options={}, seats=4, clock=CLOCK))).events
    assert isinstance(event, MatchOpened)
    assert event.clock.phases == {"cut": 15, "first_expose": 20, "expose": 10, "claim": 30, "misdeal": 60}


async def test_without_a_clock_nobody_waits_in_vain() -> None:
    house = House(SETTING, clock=Clock(turn=0))
    state = await house.seat_all()
    assert asked(state) != ()
    assert deadline(state) is None
    assert wake(state, 10 * DAY) is None
    assert look(state, 5) == 5 + DAY


@pytest.mark.parametrize(
    "clock",
    [
        Clock(turn=-1),
        Clock(turn=LONGEST + 1),
        Clock(bank=-1),
        Clock(bank=LONGEST + 1),
        Clock(join=0),
        Clock(entropy=0),
        Clock(grace=0),
        Clock(phases={"expose": -1}),
        Clock(phases={"expose": LONGEST + 1}),
        Clock(phases={"no such phase": 1}),
    ],
)
def test_a_clock_out_of_bounds_is_refused(clock: Clock) -> None:
    wish = Open(key=bytes(32), game=SETTING.game, options={"preset": SETTING.preset}, seats=SETTING.seats, clock=clock)
    with pytest.raises(RuleRefused) as refused:
        open_match(as_action(wish))
    assert refused.value.code == Code.BAD_OPTION
    if clock.join == 0:
        assert refused.value.detail == f"clock: join is 1 to {LONGEST} seconds"


# --- time-outs and managed seats ---------------------------------------------------------------------------------


async def test_nothing_happens_before_the_time_is_up(house: House) -> None:
    before = await house.entries()
    await house.wake(OPEN_AT + 15 * SECOND - 1)
    assert await house.entries() == before


async def test_the_time_out_of_every_late_seat_is_played_when_the_time_is_up(house: House) -> None:
    """Given seat 0 has answered; when the time of the others is up; then their time-outs are played, and not its."""
    await answer(house, OPEN_AT + 3 * SECOND, seat=0)
    state = await house.wake(OPEN_AT + 15 * SECOND)
    late = [commit.seat for commit in await commits(house) if commit.auto]
    assert late == [1, 2, 3]
    assert [time.misses for time in state.times] == [0, 1, 1, 1]
    assert [time.bank for time in state.times] == [5 * SECOND, 0, 0, 0]


async def test_a_seat_that_misses_twice_in_a_row_is_managed_by_the_same_commit(house: House) -> None:
    """Given all have missed once; when who is asked first misses again; then the referee plays for him from there."""
    state = await house.wake(OPEN_AT + 15 * SECOND)
    seat = asked(state)[0]
    before = len(await commits(house))
    state = await house.wake(state.times[seat].asked + 10 * SECOND)
    assert (await commits(house))[before].events[-1] == SeatManaged(seat=seat, on=True)
    assert [holder.managed for holder in state.holders].count(True) == 1


async def test_an_action_of_its_own_forgives_a_seat_its_misses(house: House) -> None:
    """Given all have missed once; when who is asked first acts, and misses later; then it is not managed."""
    state = await house.wake(OPEN_AT + 15 * SECOND)
    seat = asked(state)[0]
    state = await answer(house, state.times[seat].asked + 1)
    assert state.times[seat].misses == 0
    while seat not in asked(state):
        state = await answer(house, house.now + 1)
    state = await house.wake(state.times[seat].asked + 10 * SECOND)
    assert state.times[seat].misses == 1
    assert not state.holders[seat].managed


async def test_a_managed_seat_that_returns_is_waited_for_again(house: House) -> None:
    """Given seat 0 was managed and has returned; then it is asked as before, and its misses count from none."""
    manage = {"type": "manage", "on": True}
    agreed(await house.send(0, manage))
    await house.settle()
    agreed(await house.send(0, {**manage, "on": False}))
    state = await house.settle()
    while 0 not in asked(state):
        state = await answer(house, house.now + 1)
    assert state.times[0].misses == 0
    assert due(state) == (0,)
    assert seat_deadline(state, 0) == house.now + 15 * SECOND


async def test_turning_management_on_and_off_does_not_stop_the_clock() -> None:
    """Given a seat is waited for; when it is managed and returns before the referee plays; then its limit stays."""
    house = House(SETTING, clock=CLOCK)
    state = await house.seat_all()
    limit = seat_deadline(state, 0)
    house.now += 5 * SECOND
    for on in (True, False):
        agreed(await house.send(0, {"type": "manage", "on": on}))
    assert seat_deadline(await house.state(), 0) == limit


async def test_a_match_whose_seats_all_time_out_ends_and_is_sound(house: House) -> None:
    """The timer alone moves it on; a second miss each, and the referee plays it to the end. The audit agrees."""
    state = await house.state()
    while (limit := deadline(state)) is not None:
        state = await house.wake(limit)
    assert due(state) == "none"
    assert all(holder.managed for holder in state.holders)
    report = audit_entries(await house.entries())
    assert (report.findings, report.ended) == ((), True)
    archive, _ = archive_of(await house.entries())
    assert audit(export(archive, "rail")).ok


# --- seats that are lost or left ---------------------------------------------------------------------------------


async def test_who_does_not_show_in_time_loses_the_seat_and_the_match_goes_on_with_another() -> None:
    """Given all but seat 2 have shown; when the time is up, and another takes the seat; then the hand is dealt."""
    house = await opened()
    for player in house.players:
        agreed(await house.join(player))
    for player in house.players:
        if player.seat != 2:
            agreed(await house.send(player.seat, player.show()))
    assert deadline(await house.state()) == OPEN_AT + 20 * SECOND

    state = await house.wake(OPEN_AT + 20 * SECOND)
    assert (await happened(house))[-1] == SeatLost(seat=2)
    assert due(state) == "open"

    house.players[2] = Player(house.match, 2, "new")
    agreed(await house.join(house.players[2]))
    for player in house.players:
        if player.seat != 2:
            agreed(await house.send(player.seat, player.commit()))
    for player in house.players:
        agreed(await house.send(player.seat, player.show()))
    assert (await house.settle()).deals == 1
    assert audit_entries(await house.entries()).findings == ()


async def test_when_nobody_shows_or_commits_anew_every_seat_is_lost_and_the_match_is_closed_at_last() -> None:
    house = await opened()
    for player in house.players:
        agreed(await house.join(player))
    state = await house.state()
    while (limit := deadline(state)) is not None:
        state = await house.wake(limit)
    events = await happened(house)
    assert [event.seat for event in events if isinstance(event, SeatLost)] == [0, 1, 2, 3]
    assert events[-1] == MatchClosed(reason="unfilled")
    assert house.now == OPEN_AT + (20 + 100) * SECOND
    assert audit_entries(await house.entries()).findings == ()


async def test_a_match_that_is_not_filled_in_time_is_closed() -> None:
    """Given one player; when the time to join is up; then the match is over, and nobody can join or act any more."""
    house = await opened()
    agreed(await house.join(house.players[0]))
    assert (await house.wake(OPEN_AT + 100 * SECOND - 1)).closed == ""

    state = await house.wake(OPEN_AT + 100 * SECOND)

    assert (state.closed, due(state), asked(state)) == ("unfilled", "none", ())
    assert (table(state).over, table(state).closed) == (True, "unfilled")
    assert all(legal(state, seat).also == () for seat in range(len(state.holders)))
    assert code_of(await house.join(house.players[1])) == Code.HAND_OVER
    assert code_of(await house.send(0, {"type": "leave"})) == Code.HAND_OVER
    assert wake(state, 10 * DAY) is None
    assert look(state, house.now) is None
    report = audit_entries(await house.entries())
    assert (report.findings, report.ended) == ((), True)


async def test_who_leaves_before_the_match_has_begun_frees_the_seat() -> None:
    """Given a full table; when seat 1 leaves; then it may be taken again, and all others commit anew."""
    house = await opened()
    for player in house.players:
        agreed(await house.join(player))
    agreed(await house.send(1, {"type": "leave"}))
    state = await house.state()
    assert (await happened(house))[-1] == SeatLeft(seat=1, free=True)
    assert (due(state), asked(state)) == ("open", (0, 2, 3))
    assert code_of(await house.send(1, {"type": "leave"})) == Code.BAD_TOKEN
    agreed(await house.join(Player(house.match, 1, "new")))


async def test_who_must_commit_anew_has_the_whole_time_for_it() -> None:
    """Given seat 0 has not shown yet; when another leaves after 19 s of 20; then seat 0 is asked anew, from then on."""
    house = await opened()
    for player in house.players:
        agreed(await house.join(player))
    before = await house.state()
    house.now = OPEN_AT + 19 * SECOND
    agreed(await house.send(1, {"type": "leave"}))
    state = await house.state()
    assert seat_deadline(before, 0) == OPEN_AT + 20 * SECOND
    assert seat_deadline(state, 0) == OPEN_AT + 39 * SECOND
    assert (before.times[0].since, state.times[0].since) == (before.index, state.index)


async def test_the_referee_plays_for_a_seat_that_was_left_to_the_end(house: House) -> None:
    """Given seat 1 has left; then it is played for, cannot return, and is shown nothing that it might do."""
    agreed(await house.send(1, {"type": "leave"}))
    state = await house.settle()
    assert 1 not in asked(state)
    assert (await happened(house)).count(SeatLeft(seat=1, free=False)) == 1
    assert legal(state, 1).also == ()
    for action in ({"type": "manage", "on": False}, {"type": "leave"}, {"type": "pass"}):
        assert code_of(await house.send(1, action)) == Code.NOT_ALLOWED


async def test_a_match_that_all_have_left_is_closed_and_shows_its_secrets(house: House) -> None:
    for seat in range(SETTING.seats):
        agreed(await house.send(seat, {"type": "leave"}))
    state = await house.state()
    assert (state.closed, due(state)) == ("abandoned", "none")
    assert (await happened(house))[-2:] == [
        MatchClosed(reason="abandoned"),
        HandRevealed(first=1, last=state.index - 1),
    ]
    archive, _ = archive_of(await house.entries())
    report = audit(export(archive, "rail"))
    assert (report.findings, report.undecided, report.ended) == ((), "", True)


# --- the house ---------------------------------------------------------------------------------------------------


def void(token: bytes = HOUSE_TOKEN, **fields: Any) -> Command:
    """The house's command that ends a match."""
    return Command(id="void", token=token, action={"type": "void", "reason": "the power went", **fields})


@pytest.mark.parametrize("full", [False, True])
async def test_the_house_may_end_a_match_at_any_time(house: House, full: bool) -> None:  # noqa: FBT001 - a parameter
    """When the house says that the match is void; then it is over, for that reason, and nothing stays hidden."""
    match = house if full else await opened()
    accepted = agreed(await match.ask(house_subject(match.match), void()))
    assert accepted.seat is None
    state = await match.state()
    assert (state.closed, due(state)) == ("void", "none")
    assert (await happened(match))[-2] == MatchClosed(reason="void", note="the power went")
    assert agreed(await match.ask(house_subject(match.match), void())) == accepted
    again = void().action
    assert code_of(await match.ask(house_subject(match.match), Command(id="2", token=HOUSE_TOKEN, action=again))) == (
        Code.HAND_OVER
    )
    assert audit_entries(await match.entries()).findings == ()


async def test_while_a_role_is_due_the_house_may_end_the_match_too() -> None:
    house = House(SETTING, clock=CLOCK)
    await house.open()
    assert due(await house.state()) == "dealer"
    agreed(await house.ask(house_subject(house.match), void()))
    assert due(await house.settle()) == "none"


async def test_only_the_house_acts_as_the_house(house: House) -> None:
    """Given another's token, or a verb of the services; then it is refused, as the house's verbs are to a seat."""
    for token in (house.players[0].token, bytes(32)):
        assert code_of(await house.ask(house_subject(house.match), void(token))) == Code.BAD_TOKEN
    assert code_of(await house.send(0, void().action)) == Code.NOT_ALLOWED
    assert code_of(await house.ask(house_subject(house.match), void(reason=""))) == Code.BAD_ACTION
    timeout = Command(id="t", token=HOUSE_TOKEN, action={"type": "timeout"})
    assert code_of(await house.ask(house_subject(house.match), timeout)) == Code.NOT_ALLOWED


async def test_where_no_house_is_named_none_can_act() -> None:
    """Given a match opened at a desk without a house; then even the empty digest proves nothing."""
    house = House(SETTING, clock=CLOCK)
    house.desk = Desk(house.workers["referee"])
    await house.open()
    assert (await house.state()).opened.house == b""
    for token in (HOUSE_TOKEN, bytes(32)):
        assert code_of(await house.ask(house_subject(house.match), void(token))) == Code.BAD_TOKEN


async def test_a_game_that_never_shows_its_secrets_does_not_when_it_is_void(house: House) -> None:
    state = await house.state()
    shut = replace(state, opened=replace(state.opened, reveal="never"))
    assert act(shut, None, void().action).events == (MatchClosed(reason="void", note="the power went"),)


async def test_a_period_of_grace_ends_by_itself_where_the_game_goes_on_without_the_house(house: House) -> None:
    """Given a game that waits for the house and may do without; when 7 s are over; then its time-out is played."""
    state = await house.state()
    waits = replace(state, waits=OPEN_AT, game=with_rules(state.game, due=lambda _: "house"), standing=None)
    assert deadline(waits) is None
    passes = waits.game.timeout(state.play, 0)
    goes_on = replace(waits, game=with_rules(waits.game, timeout=lambda *_: passes, act=lambda *_: ()))
    assert deadline(goes_on) == OPEN_AT + 7 * SECOND
    draft = wake(goes_on, OPEN_AT + 7 * SECOND)
    assert draft is not None
    assert (draft.seat, draft.action, draft.auto) == (None, passes, True)


# --- lost tokens -------------------------------------------------------------------------------------------------


async def test_a_role_that_does_not_come_is_reminded_ever_more_seldom() -> None:
    """Given the dealer is due; then a commit without events calls him after 30 s, 60 s, 120 s…, and he stays due."""
    house = House(SETTING, clock=CLOCK)
    house.now = OPEN_AT
    await house.open()
    ats = list[int]()
    for _ in range(4):
        state = await house.state()
        limit = deadline(state)
        assert limit is not None
        house.now = limit
        await house.workers["referee"].wake(house.match, wake)
        ats.append(house.now - OPEN_AT)
    assert ats == [OVERDUE, 2 * OVERDUE, 4 * OVERDUE, 8 * OVERDUE]
    entries = await house.entries()
    assert {entry.subject.split(".", 2)[2] for entry in entries} == {"referee.dealer"}
    assert [commit.events for commit in (await commits(house))[1:]] == [()] * 4
    await house.settle()
    assert audit_entries(await house.entries()).findings == ()


async def test_while_dealer_or_scorer_are_due_one_looks_before_anything_they_begin_can_end() -> None:
    house = House(SETTING, clock=CLOCK)
    house.now = OPEN_AT
    await house.open()
    state = await house.state()
    assert due(state) == "dealer"
    assert look(state, OPEN_AT) == OPEN_AT + 7 * SECOND
    assert look(await house.settle(), OPEN_AT) == OPEN_AT + 100 * SECOND


# --- the audit ---------------------------------------------------------------------------------------------------


async def forged(house: House, index: int, **changes: Any) -> list[tuple[int, Kind, str]]:
    """What the audit finds where commit `index` is another, and all after it are chained anew."""
    prev, messages = NO_CHAIN, []
    for commit in await commits(house):
        other = replace(commit, prev=prev, **(changes if commit.index == index else {}))
        messages.append(from_log(to_log(other, b"a forger's key")))
        prev = messages[-1].chain
    found = audit(export(Archive("auditor", tuple(messages)), "auditor")).findings
    return [(finding.index, finding.kind, finding.text) for finding in found]


async def test_a_time_out_before_its_time_is_named(house: House) -> None:
    """Given a time-out in its time, and the same a millisecond before."""
    await house.wake(OPEN_AT + 15 * SECOND)
    index = next(commit.index for commit in await commits(house) if commit.auto)
    hasty = (index, Kind.DECISION, "a time-out, before the time was up")
    assert await forged(house, index) == []
    assert hasty in await forged(house, index, at=OPEN_AT + 15 * SECOND - 1)


async def test_a_match_closed_before_its_time_is_named() -> None:
    house = await opened()
    await house.wake(OPEN_AT + 100 * SECOND)
    index = (await house.state()).index
    assert await forged(house, index) == []
    assert [each[0] for each in await forged(house, index, at=OPEN_AT + 99 * SECOND)] == [index]


async def test_a_reminder_while_no_role_is_due_is_named(house: House) -> None:
    """A commit without events in the place of an answer of a seat."""
    await answer(house, OPEN_AT + SECOND, seat=0)
    found = await forged(house, (await house.state()).index, events=(), seat=None, action=None, sealed_action=None)
    assert found[0][1:] == (Kind.DECISION, "decided again, it is refused: wrong_phase")
    with pytest.raises(RuleRefused):
        remind(await house.state())


async def test_time_is_a_fold_of_the_log(house: House) -> None:
    """Given a match in which answers came late and not at all; then another fold tells the same times."""
    await answer(house, OPEN_AT + 12 * SECOND, seat=0)
    state = await house.wake(OPEN_AT + 40 * SECOND)
    fold = Fold(house.match)
    for entry in await house.entries():
        fold.apply(*entry)
    assert fold.state is not None
    assert (fold.state.times, fold.state.waits) == (state.times, state.waits)


@pytest.mark.parametrize("number", range(4))
async def test_matches_of_slow_players_end_and_are_sound(number: int) -> None:
    """Random legal play, each answer after 0 to 19 s, where the timer fires at each limit that passes meanwhile."""
    dice = Stream(digest("tests/slow", number))
    house = House(SETTINGS[number % len(SETTINGS)], f"slow {number}", clock=CLOCK)
    state = await house.seat_all()
    while due(state) != "none":
        house.now += SECOND * dice.below(20)
        while (limit := deadline(state)) is not None and limit <= house.now:
            state = await house.wake(house.now)
        if due(state) == "house":
            await let_the_house_decide(house, state, dice)
        for seat in asked(state)[:1]:
            agreed(await house.send(seat, pick(legal(state, seat), dice) or {}))
            if state.holders[seat].managed:
                agreed(await house.send(seat, {"type": "manage", "on": False}))
        state = await house.settle()
    report = audit_entries(await house.entries())
    assert (report.findings, report.ended) == ((), True)
    assert any(commit.auto for commit in await commits(house))
