"""A log as a text to read."""

from itertools import takewhile

import pytest
from msgspec.structs import replace

from replay.archive import Archive, export, read
from replay.story import Opened, Told, story, telling
from schemas.gongzhu import PenaltyGiven

DEAL = 11
SCORED = "hand scored"


def line(lines: list[str], index: int) -> str:
    """The line of one commit."""
    return next(text for text in lines if text.startswith(f"{index:>4}  "))


def test_each_commit_is_one_line_that_says_who_and_what(log: Archive) -> None:
    lines = list(story(log))
    assert len(lines) == len(log.messages)
    assert line(lines, 2).startswith("   2  dealer    dealer committed: root ")
    assert line(lines, 3).startswith("   3  seat 0    seat joined: key ")
    played = next(text for text in lines if "played: cards" in text)
    assert played.split()[1] == "seat"


def test_what_stood_in_for_an_answer_is_marked(log: Archive) -> None:
    *others, last = log.messages[:20]
    automatic = replace(last, commit=replace(last.commit, auto=True))
    lines = list(story(Archive("auditor", (*others, automatic))))
    assert line(lines, 20).startswith(f"  20  seat {last.commit.seat} auto  played: ")


def test_what_a_player_wrote_moves_no_cursor_and_makes_no_line(log: Archive) -> None:
    *others, last = log.messages[:20]
    event = PenaltyGiven(seat=0, points=-1, reason="fine\n  21  scorer    match ended\x1b[2J\u202e")
    forged = replace(last, commit=replace(last.commit, events=(event,)))
    told = "".join(story(Archive("auditor", (*others, forged))))
    assert told.isprintable()
    assert r"reason 'fine\n  21" in told


def test_a_story_is_told_up_to_a_commit(log: Archive) -> None:
    assert list(story(log, to=12)) == list(story(log))[:12]


def test_the_auditor_reads_all_and_the_rail_nothing_that_is_sealed(log: Archive) -> None:
    whole, public = line(list(story(log)), DEAL), line(list(story(log, viewer="rail")), DEAL)
    assert "sealed" not in whole.replace("sealed leader", "")
    assert "hands 13 sealed, 13 sealed, 13 sealed, 13 sealed" in public
    assert "[" not in public


def test_a_seat_reads_its_own_hand_when_it_was_dealt(log: Archive) -> None:
    dealt = line(list(story(log, viewer=1)), DEAL)
    assert dealt.count("13 sealed") == 3
    assert "hands 13 sealed, [" in dealt
    assert "deck 52 sealed" in dealt


def test_what_a_hands_end_reveals_is_listed_there_once(log: Archive) -> None:
    """The seat's own hand is not news to it."""
    lines = list(story(log, viewer=1))
    told = lines[next(at for at, text in enumerate(lines) if SCORED in text) + 1 :]
    news = [text.split(":")[0].strip() for text in takewhile(lambda text: text.startswith(" " * 6), told)]
    assert f"{DEAL} hand.0" in news
    assert f"{DEAL} hand.1" not in news
    assert len(news) == len(set(news))


def test_a_viewers_file_tells_what_it_holds(log: Archive) -> None:
    """Opened secrets stand at their own commit; what he may not open stays sealed; nobody else reads it."""
    part = read(export(Archive("auditor", log.messages[:30]), 1))
    assert list(story(part)) == list(story(log, viewer=1, to=30))
    assert "sealed" not in line(list(story(read(export(log, 1)))), DEAL).replace("sealed leader", "")
    with pytest.raises(ValueError, match="cannot tell"):
        list(story(part, viewer=0))


def test_a_story_is_data_too_and_what_the_viewer_may_not_read_is_not_in_it(log: Archive) -> None:
    for viewer in ("rail", 1):
        data = list(telling(log, viewer=viewer))
        assert [each.text for each in data] == list(story(log, viewer=viewer))
        dealt = next(each for each in data if each.index == DEAL)
        assert isinstance(dealt, Told)
        event = next(event for event in dealt.events if event["type"] == "gongzhu.hand_dealt")
        assert [hand == {"sealed": 13} for hand in event["hands"]] == [seat != viewer for seat in range(4)]
        assert event["deck"] == {"sealed": 52}
        opened = {each.slot: each.value for each in data if isinstance(each, Opened) and each.index == DEAL}
        assert len(opened["deck"]) == 52
        assert [f"hand.{seat}" in opened for seat in range(4)] == [seat != viewer for seat in range(4)]


def test_what_an_event_lists_is_told_by_name(log: Archive) -> None:
    """Structs that are arrays on the wire have names for people; what has its default, or is nothing, is left out."""
    lines = list(story(log))
    taken = next(text for text in lines if "captures" in text)
    assert "captures (card " in taken
    assert ", taker " in taken
    assert "managed no" not in taken
    assert "none" not in taken
