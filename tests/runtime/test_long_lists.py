"""Choices too many for a frame: their number and kinds are told, and a page of them where it is asked for."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from schemas.actions import Action
from schemas.codec import from_listed, to_service
from schemas.commands import Ask, Refused
from schemas.refusals import Code
from schemas.subjects import legal_subject, view_subject
from schemas.views import Listed
from services.gallery.gallery import Gallery
from services.games.match import asked
from services.games.pick import pick_place
from services.games.shuffle import Stream
from services.games.view import LONG, brief, legal, page, readings
from services.runtime.log import MemoryLog
from tests.house import House, Setting, feed, run

UNKNOWN = "A" * 26


@pytest.fixture(scope="module")
def house() -> House:
    """A match of Fifty-K in which the leader has more choices than a frame carries."""
    for number in range(20):
        house = House(Setting("fifty_k", "two_deck", 4), f"long {number}")
        state = run(house.seat_all())
        if len(legal(state, asked(state)[0]).choices) > 5 * LONG:
            return house
    raise AssertionError("no leader has so many choices")


def leader(house: House) -> int:
    """Who leads."""
    (seat,) = asked(run(house.state()))
    return seat


async def nowhere(subject: str, data: bytes) -> None:
    """Nothing is published."""
    raise AssertionError(subject)


async def ask(house: House, seat: int, question: Ask, log: MemoryLog | None = None) -> Listed | Refused:
    """What a gallery answers that has shown nothing yet."""
    gallery = Gallery(log or house.log, nowhere)
    return from_listed(await gallery.answer(legal_subject(house.match, seat), to_service(question)))


def question(house: House, seat: int, **fields: Any) -> Ask:
    """A question with the seat's token."""
    return Ask(token=house.players[seat].token, **fields)


def kind(choice: Action) -> str:
    """The kind of a choice."""
    return str(choice.get("as", choice["type"]))


async def test_a_frame_carries_the_number_of_a_long_lists_choices_and_of_each_kind(house: House) -> None:
    state = await house.state()
    whole = legal(state, leader(house))
    short = brief(whole)
    assert (short.choices, short.count, short.also) == ((), len(whole.choices), whole.also)
    assert short.kinds == Counter(map(kind, whole.choices))
    assert brief(page(whole, "single", 0)) == page(whole, "single", 0)


async def test_the_pages_of_all_kinds_are_the_whole_list(house: House) -> None:
    seat = leader(house)
    whole = legal(await house.state(), seat)
    found: list[Action] = []
    for name, count in brief(whole).kinds.items():
        for after in range(0, count, LONG):
            answer = await ask(house, seat, question(house, seat, kind=name, after=after))
            assert isinstance(answer, Listed)
            assert (answer.legal.count, answer.index) == (count, (await house.state()).index)
            found += answer.legal.choices
    assert sorted(map(repr, found)) == sorted(map(repr, whole.choices))


async def test_an_action_is_told_what_it_may_be_sent_as(house: House) -> None:
    seat = leader(house)
    choice = legal(await house.state(), seat).choices[0]
    cards = {"type": "play", "cards": choice["cards"]}
    for action, expected in ((cards, (choice,)), (choice, (choice,)), ({"type": "pass"}, ()), ({}, ())):
        answer = await ask(house, seat, question(house, seat, action=dict(action)))
        assert isinstance(answer, Listed)
        assert answer.legal.choices == expected


async def test_asking_changes_nothing(house: House) -> None:
    seat, entries = leader(house), await house.entries()
    choice = legal(await house.state(), seat).choices[0]
    await ask(house, seat, question(house, seat, action=dict(choice)))
    assert await house.entries() == entries


async def test_who_is_not_waited_for_is_listed_nothing(house: House) -> None:
    other = (leader(house) + 1) % 4
    for asking in (question(house, other, kind="single"), question(house, other, action={"type": "pass"})):
        answer = await ask(house, other, asking)
        assert isinstance(answer, Listed)
        assert answer.legal.choices == ()


async def test_a_gallery_that_follows_the_match_answers_the_same(house: House) -> None:
    seat = leader(house)
    sent: list[str] = []

    async def publish(subject: str, data: bytes) -> None:
        sent.append(subject)

    gallery = Gallery(house.log, publish)
    for entry in await house.entries():
        await feed(gallery, entry)
    data = to_service(question(house, seat, kind="pair"))
    assert from_listed(await gallery.answer(legal_subject(house.match, seat), data)) == await ask(
        house, seat, question(house, seat, kind="pair")
    )
    assert sent.count(view_subject(house.match, seat)) == len(await house.entries())


async def test_only_the_holder_of_a_seat_is_answered(house: House) -> None:
    seat = leader(house)
    strangers = [ask(house, seat, Ask(token=token, kind="pair")) for token in (b"", house.players[seat - 1].token)]
    assert [refused(await answer) for answer in strangers] == [Code.BAD_TOKEN] * 2
    assert refused(await ask(house, 9, question(house, seat))) == Code.BAD_TOKEN
    assert refused(await ask(house, seat, question(house, seat), MemoryLog())) == Code.NO_SUCH_MATCH


async def test_garbage_and_other_subjects_are_refused(house: House) -> None:
    gallery = Gallery(house.log, nowhere)
    for subject, data in (
        (legal_subject(house.match, 0), b""),
        (legal_subject(house.match, 0), to_service(question(house, 0, after=0))[:-1]),
        (legal_subject(house.match, 0), to_service(question(house, 0, after=-1))),
        (f"view.{UNKNOWN}.rail.legal", to_service(question(house, 0))),
        (f"view.{UNKNOWN}.seat.16.legal", to_service(question(house, 0))),
    ):
        assert refused(from_listed(await gallery.answer(subject, data))) == Code.BAD_MESSAGE


def refused(answer: Listed | Refused) -> Code:
    """Why the answer is a refusal."""
    assert isinstance(answer, Refused)
    return answer.code


async def test_every_choice_of_a_long_list_can_be_picked(house: House) -> None:
    whole = legal(await house.state(), leader(house))
    short, dice = brief(whole), Stream(bytes(32))
    picked = [pick_place(short, dice) for _ in range(400)]
    assert len({name for name, _ in picked}) > 4
    for name, number in picked:
        (choice, *_) = page(whole, name, number).choices
        assert kind(choice) == name


async def test_cards_that_are_several_kinds_are_read_as_each(house: House) -> None:
    """The client asks what one choice of cards may be played as (fifty_k §10)."""
    state = await house.state()
    run_of_four = [rank + suit for rank in "3456" for suit in "shd"]
    begun = state.game.scenarios.begin(
        state.game.open({}, 4), {"hands": [run_of_four, ["7s"], ["8s"], ["9s"]], "start": {"leader": 0}}
    )
    found = readings(replace(state, play=begun, standing=None), 0, {"type": "play", "cards": run_of_four}).choices
    assert [choice["as"] for choice in found] == ["triple_run", "triple_run_with_1"]
