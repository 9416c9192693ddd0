"""The referee's desk: a retry is answered as the first try was; whatever else comes is refused and leaves no trace."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.actions import Action
from schemas.codec import MAX_COMMAND_BYTES, from_reply, to_service
from schemas.commands import Accepted, Command, Refused, Reply, Request
from schemas.refusals import Code
from schemas.subjects import OPEN, join_subject, log_subject, seat_subject
from services.games.match import asked
from services.games.pick import pick
from services.games.shuffle import Stream
from services.games.view import legal
from services.referee.desk import Desk
from services.runtime.log import Entry, MemoryLog, Unavailable
from services.runtime.mailbox import PER_MATCH, PER_SENDER
from tests.house import SETTINGS, House, Player, a_worker, agreed

SETTING = SETTINGS[0]
UNKNOWN = "A" * 26


@pytest.fixture
async def house() -> House:
    """A match whose first hand is dealt."""
    house = House(SETTING)
    await house.seat_all()
    return house


def refused(reply: Reply) -> Code:
    """Why the reply is a refusal."""
    assert isinstance(reply, Refused)
    return reply.code


async def a_choice(house: House, seat: int) -> Action:
    """One of the things that the seat may do now."""
    action = pick(legal(await house.state(), seat), Stream(b"choice"))
    assert action is not None
    return action


async def restarted(house: House, subject: str, command: Request | Command) -> Reply:
    """What a referee answers who has just been started."""
    return from_reply(await Desk(a_worker("referee", house.log)).answer(subject, to_service(command)))


# --- retries -----------------------------------------------------------------------------------------------------


async def test_a_retry_is_answered_as_the_first_try_was_and_changes_nothing(house: House) -> None:
    """To open, to join and to act; by the same referee and by another one; also when much has happened since."""
    seat = asked(await house.state())[0]
    played = (seat_subject(house.match, seat), house.players[seat].command("mine", await a_choice(house, seat)))
    first = await house.ask(*played)
    log = await house.entries()

    assert isinstance(first, Accepted)
    assert first.index == len(log)
    retries: list[tuple[str, Request | Command, Reply]] = [
        (OPEN, house.request, Accepted(match=house.match, index=1)),
        (join_subject(house.match), house.players[2].join(), Accepted(match=house.match, index=5, seat=2)),
        (*played, first),
    ]
    for subject, command, answer in retries:
        assert await house.ask(subject, command) == answer
        assert await restarted(house, subject, command) == answer
    assert await house.entries() == log


async def test_another_action_under_the_id_of_an_accepted_command_is_answered_as_that_one_was(house: House) -> None:
    """The id names the command, not the action: to open, to join and to act."""
    seat = asked(await house.state())[0]
    subject, player = seat_subject(house.match, seat), house.players[seat]
    first = await house.ask(subject, player.command("mine", await a_choice(house, seat)))
    log = await house.entries()

    assert isinstance(first, Accepted)
    opened, joined = house.request, house.players[2].join()
    otherwise = replace(opened, action={**opened.action, "clock": {"turn": 0}})
    elsewhere = replace(joined, action={**joined.action, "seat": 0})
    others: list[tuple[str, Request | Command, Reply]] = [
        (OPEN, otherwise, Accepted(match=house.match, index=1)),
        (join_subject(house.match), elsewhere, Accepted(match=house.match, index=5, seat=2)),
        *((subject, player.command("mine", action), first) for action in ({"type": "leave"}, {"type": "fly"}, {})),
    ]
    for address, command, answer in others:
        assert await house.ask(address, command) == answer
        assert await restarted(house, address, command) == answer
    assert await house.entries() == log


async def test_a_retried_join_is_answered_also_when_the_seat_was_lost_since() -> None:
    house = House(SETTING)
    await house.open()
    await house.settle()
    replies = [await house.join(player) for player in house.players]
    await house.time_out(1)
    assert await house.join(house.players[1]) == replies[1]


async def test_a_refused_command_is_judged_anew(house: House) -> None:
    """The same id may be accepted later, when what it asks has become possible."""
    other = House(SETTING, "other")
    await other.open()
    assert refused(await other.join(other.players[0])) == Code.NOT_READY
    await other.settle()
    agreed(await other.join(other.players[0]))


# --- what the sender has seen ------------------------------------------------------------------------------------


async def test_an_answer_to_an_old_question_is_stale(house: House) -> None:
    """A click that comes twice does not answer the next question."""
    state = await house.state()
    seat = asked(state)[0]
    assert refused(await house.send(seat, await a_choice(house, seat), seen=state.times[seat].since - 1)) == Code.STALE
    agreed(await house.send(seat, await a_choice(house, seat), seen=state.times[seat].since))


async def test_simultaneous_answers_do_not_make_each_other_stale() -> None:
    """All seats are asked for their entropy at once, and each may have seen no other answer."""
    house = House(SETTING)
    await house.open()
    await house.settle()
    for player in house.players:
        agreed(await house.join(player))
    seen = len(await house.entries())
    for player in house.players:
        agreed(await house.send(player.seat, player.show(), seen=seen))


# --- refusals ----------------------------------------------------------------------------------------------------


async def test_only_the_holder_of_a_seat_acts_for_it(house: House) -> None:
    log = await house.entries()
    seat = asked(await house.state())[0]
    choice = await a_choice(house, seat)
    neighbour = house.players[seat - 1].command("1", choice)
    stranger = Player(house.match, seat, "stranger").command("1", choice)
    for command in (neighbour, stranger):
        assert refused(await house.ask(seat_subject(house.match, seat), command)) == Code.BAD_TOKEN
    for nobody in (SETTING.seats, 15):
        assert refused(await house.ask(seat_subject(house.match, nobody), stranger)) == Code.BAD_TOKEN
    assert await house.entries() == log


async def test_no_player_says_that_time_is_up(house: House) -> None:
    log = await house.entries()
    for player in house.players:
        assert refused(await house.send(player.seat, {"type": "timeout"})) == Code.NOT_ALLOWED
    assert await house.entries() == log


async def test_a_match_that_is_not_there_is_refused() -> None:
    house = House(SETTING)
    player = Player(UNKNOWN, 0)
    assert (
        refused(await house.ask(seat_subject(UNKNOWN, 0), player.command("1", {"type": "any"}))) == Code.NO_SUCH_MATCH
    )
    assert refused(await house.ask(join_subject(UNKNOWN), player.join())) == Code.NO_SUCH_MATCH
    assert await house.log.read(UNKNOWN) == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"game": "no such game"}, Code.NO_SUCH_GAME),
        ({"options": {"no such option": 1}}, Code.BAD_OPTION),
        ({"options": {"preset": "no such preset"}}, Code.BAD_OPTION),
        ({"seats": 99}, Code.BAD_OPTION),
        ({"seats": -1}, Code.BAD_OPTION),
        ({"key": b"short"}, Code.BAD_ACTION),
        ({"type": "join"}, Code.BAD_ACTION),
        ({"stray": 1}, Code.BAD_ACTION),
    ],
)
async def test_a_match_that_cannot_be_is_not_opened(changes: dict[str, object], code: Code) -> None:
    house = House(SETTING)
    request = Request(id="open", action={**house.request.action, **changes})
    assert refused(await house.ask(OPEN, request)) == code
    assert await house.entries() == []


@pytest.mark.parametrize(
    "subject",
    [
        "",
        "cmd",
        "cmd.open.more",
        "cmd.short.0",
        f"cmd.{UNKNOWN}.",
        f"cmd.{UNKNOWN}.-1",
        f"cmd.{UNKNOWN}.16",
        f"cmd.{UNKNOWN}.00",
        f"cmd.{UNKNOWN}.٣",
        f"cmd.{UNKNOWN}.open",
        f"cmd.{UNKNOWN}.0.1",
        f"log.{UNKNOWN}.0",
        f"cmd.{UNKNOWN.lower()}.0",
        f"cmd.{UNKNOWN}*.0",
    ],
)
async def test_other_subjects_are_refused(house: House, subject: str) -> None:
    command = house.players[0].command("1", {"type": "any"})
    assert refused(await house.ask(subject, command)) == Code.BAD_MESSAGE


@given(data=st.binary(max_size=120), sender=st.sampled_from(["open", "join", "0", "7"]))
def test_garbage_is_refused_and_the_desk_goes_on(data: bytes, sender: str) -> None:
    async def answers() -> tuple[Reply, Reply]:
        house = House(SETTING)
        await house.open()
        subject = OPEN if sender == "open" else f"cmd.{house.match}.{sender}"
        reply = from_reply(await house.desk.answer(subject, data))
        return reply, await house.open()

    reply, after = asyncio.run(answers())
    assert refused(reply) == Code.BAD_MESSAGE
    assert isinstance(after, Accepted)


async def test_what_is_too_long_or_lacks_a_field_is_refused(house: House) -> None:
    log = await house.entries()
    whole = house.players[0].command("1", {"type": "any"})
    fields = msgspec.to_builtins(whole, builtin_types=(bytes,))
    wrong = [
        *(msgspec.msgpack.encode({k: v for k, v in fields.items() if k != name}) for name in ("id", "token", "action")),
        *(msgspec.msgpack.encode({**fields, name: 1.5}) for name in fields),
        msgspec.msgpack.encode({**fields, "id": ""}),
        msgspec.msgpack.encode({**fields, "id": "x" * 65}),
        msgspec.msgpack.encode({**fields, "seen": -1}),
    ]
    for data in wrong:
        reply = from_reply(await house.desk.answer(seat_subject(house.match, 0), data))
        assert refused(reply) == Code.BAD_MESSAGE
    too_long = msgspec.msgpack.encode(whole) + bytes(MAX_COMMAND_BYTES)
    reply = from_reply(await house.desk.answer(seat_subject(house.match, 0), too_long))
    assert refused(reply) == Code.TOO_LARGE
    assert await house.entries() == log


async def test_a_type_that_is_no_text_is_refused(house: House) -> None:
    strange: Any
    for strange in ([], {}, None, 1, b"play"):
        command = house.players[0].command("1", {"type": strange})
        reply = from_reply(await house.desk.answer(seat_subject(house.match, 0), to_service(command)))
        assert refused(reply) == Code.BAD_ACTION


async def test_a_command_id_of_somebody_else_is_answered_by_the_token(house: House) -> None:
    """Who knows another's command id, but not his token, does not learn whether it was accepted."""
    mine = house.players[0].command("mine", legal(await house.state(), 0).choices[0])
    assert isinstance(await house.ask(seat_subject(house.match, 0), mine), Accepted)
    stranger = Command(id=mine.id, token=bytes(32), action=mine.action)
    assert refused(await house.ask(seat_subject(house.match, 0), stranger)) == Code.BAD_TOKEN


async def test_a_match_that_a_newer_version_must_read_is_left_alone(house: House) -> None:
    """Its commands may be answered by a newer referee."""
    *_, last = await house.entries()
    public, _, signature = msgspec.msgpack.decode(last.data)
    commit = msgspec.msgpack.decode(public)
    commit |= {"index": commit["index"] + 1, "prev": bytes(32), "events": [{"type": "of_tomorrow"}]}
    data = msgspec.msgpack.encode([msgspec.msgpack.encode(commit), [], signature])
    await house.log.append(log_subject(house.match, "referee", "house"), data, expected=last.sequence)
    reply = await restarted(house, seat_subject(house.match, 0), house.players[0].command("1", {"type": "any"}))
    assert refused(reply) == Code.UNAVAILABLE
    assert len(await house.entries()) == last.sequence + 1


# --- the mailbox -------------------------------------------------------------------------------------------------


class SlowLog(MemoryLog):
    """A log that answers no read before it is opened, and none at all where it is `broken`."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()
        self.broken = False

    async def read(self, match: str, after: int = 0) -> list[Entry]:
        """See EventLog."""
        await self.open.wait()
        if self.broken:
            raise Unavailable(match)
        return await super().read(match, after)


async def waiting(replies: Sequence[Coroutine[Any, Any, Reply]]) -> list[asyncio.Task[Reply]]:
    """Commands on their way, each as far as it comes."""
    tasks = [asyncio.create_task(reply) for reply in replies]
    await asyncio.sleep(0)
    return tasks


def busy(tasks: list[asyncio.Task[Reply]]) -> list[int]:
    """Which of them were sent away."""
    return [i for i, task in enumerate(tasks) if task.done() and refused(task.result()) == Code.BUSY]


async def test_of_one_seat_only_so_many_commands_may_wait() -> None:
    log = SlowLog()
    house = House(SETTING, log=log)
    subject = seat_subject(house.match, 0)
    commands = [house.players[0].command(str(i), {"type": "any"}) for i in range(PER_SENDER + 2)]
    tasks = await waiting([house.ask(subject, command) for command in commands])
    assert busy(tasks) == [PER_SENDER, PER_SENDER + 1]
    neighbour = await waiting([house.ask(seat_subject(house.match, 1), house.players[1].command("1", {"type": "any"}))])
    assert busy(neighbour) == []

    log.open.set()
    replies = [refused(reply) for reply in await asyncio.gather(*tasks, *neighbour)]
    assert replies.count(Code.NO_SUCH_MATCH) == PER_SENDER + 1
    assert refused(await house.ask(subject, commands[-1])) == Code.NO_SUCH_MATCH


async def test_of_one_match_only_so_many_commands_may_wait() -> None:
    """A flood of one match holds up no other."""
    log = SlowLog()
    house, other = House(SETTING, log=log), House(SETTING, "other", log)
    player = house.players[0]
    floods = [
        *(
            house.ask(seat_subject(house.match, i % 16), player.command(str(i), {"type": "any"}))
            for i in range(PER_MATCH)
        ),
        house.join(player),
        house.ask(seat_subject(house.match, 0), player.command("last", {"type": "any"})),
    ]
    tasks = await waiting(floods)
    assert busy(tasks) == [PER_MATCH, PER_MATCH + 1]
    others = await waiting([house.ask(seat_subject(other.match, 0), player.command("1", {"type": "any"}))])
    assert busy(others) == []
    log.open.set()
    await asyncio.gather(*tasks, *others)


async def test_a_log_that_cannot_be_read_is_told_to_the_player() -> None:
    log = SlowLog()
    log.broken = True
    log.open.set()
    house = House(SETTING, log=log)
    assert refused(await house.join(house.players[0])) == Code.UNAVAILABLE
    log.broken = False
    assert refused(await house.join(house.players[0])) == Code.NO_SUCH_MATCH
