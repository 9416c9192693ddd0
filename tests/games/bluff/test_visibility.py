"""A play face down reaches no viewer but its player, by any way, before the match is over (bluff §7)."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from replay.archive import export, read
from replay.fold import archive_of
from schemas.bluff import Challenged
from schemas.events import Event
from schemas.sealed import Sealed
from schemas.views import Legal
from services.gallery.frames import Shown, Viewer
from services.games.bluff.rules import legal as legal_inside
from services.games.match import asked
from services.games.pick import pick
from services.games.shuffle import Stream
from services.games.view import legal
from tests.house import House, Played, Setting, played, run
from tests.tables import HandTable

VIEWERS: tuple[Viewer, ...] = (0, 1, 2, 3, 4, "rail")

HANDS = ("7s 7h 2c 9d", "7d 3c 4c Jd", "8h 3d 4d Qd", "5c 5d Kh As", "6c 6d Kd Ad")


def given() -> HandTable:
    """Five hands; seats 0 and 1 have played two cards each."""
    table = HandTable("bluff", *HANDS)
    table.act(0, {"type": "play", "cards": ["7s", "7h"], "rank": "7"})
    table.act(1, {"type": "play", "cards": ["7d", "3c"], "rank": "7"})
    return table


def texts(value: Any) -> Iterator[str]:
    """Every text anywhere in a value, in encoded parts of it too."""
    match value:
        case str():
            yield value
        case dict():
            for member in (*value, *value.values()):
                yield from texts(member)
        case list() | tuple():
            for member in value:
                yield from texts(member)
        case bytes():
            try:
                inner = msgspec.msgpack.decode(value)
            except (msgspec.DecodeError, ValueError):
                return
            if isinstance(inner, dict | list):
                yield from texts(inner)
        case _:
            pass


# --- the table ---------------------------------------------------------------------------------------------------


def test_everybody_sees_who_played_how_many_and_what_was_claimed() -> None:
    facts = given().seen("rail").facts
    assert {key: facts[key] for key in ("last_player", "count", "claim", "pile")} == {
        "last_player": 1,
        "count": 2,
        "claim": "7",
        "pile": 4,
    }


def test_the_cards_in_the_pile_are_seen_by_those_who_played_them_alone() -> None:
    table = given()
    piles = {viewer: [place.piles[0].hidden for place in table.seen(viewer).places] for viewer in (*range(5), "rail")}
    for viewer, hidden in piles.items():
        assert [seat for seat, pile in enumerate(hidden) if pile is not None and pile.is_open] == (
            [viewer] if viewer != "rail" else []
        )
        assert [pile.n for pile in hidden if pile is not None] == [2, 2, 0, 0, 0]
    assert piles[0][0] is not None
    assert piles[0][0].value == ("7s", "7h")


def test_a_challenge_turns_up_the_last_play_alone_and_gives_the_pile_to_its_taker() -> None:
    table = given()
    challenged, *_ = table.act(2, {"type": "challenge"})
    assert isinstance(challenged, Challenged)
    assert challenged.cards == ("7d", "3c")
    assert (challenged.taken.audience, challenged.taken.n) == ((1,), 4)
    for viewer in (0, 2, 3, 4, "rail"):
        seen = table.seen(viewer)
        assert seen.piles[0].cards == ("7d", "3c")
        assert not seen.places[1].hand.is_open
    assert set(table.seen(1).places[1].hand.value) == {"7s", "7h", "7d", "3c", "4c", "Jd"}


def test_what_is_legal_depends_on_numbers_of_cards_alone() -> None:
    """bluff §7: but for the cards of the hand itself, which its seat knows"""

    def shape(table: HandTable, seat: int) -> object:
        return table.game.scenarios.listed(legal_inside(table.state, seat))

    one, two = HandTable("bluff", *HANDS), HandTable("bluff", HANDS[0], *HANDS[:0:-1])
    for table in (one, two):
        table.act(0, {"type": "play", "cards": ["7s"], "rank": "7"})
    assert [shape(one, seat) for seat in range(5)] == [shape(two, seat) for seat in range(5)]


# --- the log, frames and files -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def match() -> Played:
    """A whole match of five."""
    return next(match for number in range(200) if (match := played(number)).setting == ("bluff", "standard", 5))


def secret_cards(events: tuple[Event, ...]) -> Iterator[Sealed[Any]]:
    """Plays and piles that were taken."""
    for event in events:
        for name in ("cards", "taken"):
            sealed = getattr(event, name, None)
            if isinstance(sealed, Sealed):
                yield sealed


def test_no_frame_of_another_holds_the_cards_of_a_play_or_of_a_pile(match: Played) -> None:
    """Of a commit in which a play is sealed, all texts of all other frames are looked through."""
    shown = Shown(match.house.match)
    found = 0
    for entry in match.entries:
        step = shown.follow(*entry)
        assert step is not None
        turned = {card for pile in step.state.game.table(step.state.play).piles for card in pile.cards}
        for sealed in secret_cards(step.message.commit.events):
            for viewer in VIEWERS:
                if viewer in sealed.audience:
                    continue
                told = set(texts(msgspec.msgpack.decode(step.frame(viewer))))
                assert not (set(sealed.value) - turned) & told
                found += 1
    assert found > 100


def test_the_action_is_sealed_to_its_seat_too(match: Played) -> None:
    commits = [message.commit for message in match.messages]
    plays = [c for c in commits if c.sealed_action is not None and c.sealed_action.value["type"] == "play"]
    assert plays
    assert all(c.action is None and c.sealed_action.audience == (c.seat,) for c in plays if c.sealed_action)
    assert not any(c.action for c in commits if c.action and c.action["type"] == "play")


async def test_no_file_for_others_opens_a_play_before_the_match_is_over() -> None:
    """The public file, and that of a seat, of a match that goes on."""
    house = House(Setting("bluff", "standard", 5), "going on")
    await house.seat_all()
    dice = Stream(bytes(32))
    for _ in range(12):
        state = await house.state()
        (seat,) = asked(state)
        action = pick(Legal(choices=legal(state, seat).choices[:1]), dice)
        assert action is not None
        await house.send(seat, action)
    archive, _ = archive_of(await house.entries())
    played_by = {
        (message.commit.index, sealed.slot): sealed
        for message in archive.messages
        for sealed in secret_cards(message.commit.events)
    }
    assert len(played_by) >= 6
    for viewer in ("rail", 0, 1, 2, 3, 4):
        opened = {
            (message.commit.index, secret.slot)
            for message in read(export(archive, viewer)).messages
            for secret in message.secrets
        }
        assert {place for place in played_by if place in opened} == {
            place for place, sealed in played_by.items() if viewer in sealed.audience
        }


def test_the_secrets_are_opened_to_all_when_the_match_is_over_and_not_before(match: Played) -> None:
    """reveal: match"""
    assert [state.revealed > 0 for state in match.states] == [False] * (len(match.states) - 1) + [True]
    assert run(match.house.entries())
