"""Who sees which card when (poker §9)."""

from typing import Any

import msgspec
import pytest

from schemas.codec import Covered, Viewer, from_log, from_service, to_log
from schemas.log import NO_CHAIN, Commit
from schemas.poker import HandDealt, HandsMucked, StreetDealt
from schemas.views import Table as Layout
from tests.games.shared.poker.tables import PokerTable, holdem, show_hand, stud


def seen(table: PokerTable, viewer: Viewer) -> Layout:
    """The lay-out as it reaches a viewer."""
    return from_service(Covered(table.game.table(table.state)).opened_to(viewer), Layout)


def dealt(table: PokerTable) -> HandDealt:
    """The first deal."""
    return next(event for event in table.events if isinstance(event, HandDealt))


def public_bytes(events: Any) -> bytes:
    """What all may read of these events."""
    commit = Commit(match="M" * 26, index=9, by="referee", at=0, cause=bytes(16), prev=NO_CHAIN, events=tuple(events))
    return from_log(to_log(commit, b"key")).public


def written_in(data: bytes, card: str) -> bool:
    """Whether the card stands anywhere in an encoded value."""
    return msgspec.msgpack.encode(card) in data


@pytest.mark.parametrize("table", [holdem(3), stud(3), show_hand(3)], ids=lambda table: table.game.name)
def test_the_deck_is_open_to_nobody_and_face_down_cards_to_their_seat(table: PokerTable) -> None:
    event = dealt(table)
    assert (event.deck.audience, event.deck.n) == ((), 52)
    assert [(cards.slot, cards.audience) for cards in event.down] == [(f"hand.{s}", (s,)) for s in event.seats]


def test_cards_are_dealt_one_at_a_time_from_left_of_the_dealer() -> None:
    """poker §1"""
    event = dealt(holdem(3, "As Ks Qs Ah Kh Qh", dealer=0))
    assert event.seats == (1, 2, 0)
    assert [cards.value for cards in event.down] == [("As", "Ah"), ("Ks", "Kh"), ("Qs", "Qh")]
    event = dealt(stud(2, "As Ks Ah Kh 2c 3c"))
    assert [cards.value for cards in event.down] == [("As", "Ah"), ("Ks", "Kh")]
    assert event.up == (("2c",), ("3c",))


def test_a_seat_sees_its_own_cards_and_the_others_see_how_many() -> None:
    table = holdem(3, "As Ks Qs Ah Kh Qh")
    for seat in range(3):
        hands = [place.hand for place in seen(table, seat).places]
        assert [hand.is_open for hand in hands] == [place == seat for place in range(3)]
        assert [hand.n for hand in hands] == [2, 2, 2]
    assert seen(table, 2).places[2].hand.value == ("Qs", "Qh")
    assert not any(place.hand.is_open for place in seen(table, "rail").places)


def test_face_up_and_community_cards_are_seen_by_all() -> None:
    table = stud(2, "As Ks Ah Kh 2c 3c")
    assert [[pile.cards for pile in place.piles] for place in seen(table, "rail").places] == [[("2c",)], [("3c",)]]
    table = holdem(2, "As Ks Ah Kh . 2c 5d 8h")
    table.act("call", "check")
    assert seen(table, "rail").piles[0].cards == ("2c", "5d", "8h")


def test_a_burn_card_is_never_written() -> None:
    table = holdem(2, "As Ks Ah Kh Jd 2c 5d 8h Jh 9c Js Td")
    table.act("call", "check", *["check"] * 6)
    data = public_bytes(table.events[1:])
    assert [card for card in ("Jd", "Jh", "Js") if written_in(data, card)] == []
    assert all(written_in(data, card) for card in ("2c", "9c", "Td"))


def test_a_card_dealt_face_down_later_is_sealed_to_its_seat() -> None:
    """seven_card_stud: the seventh card."""
    table = stud(2, "")
    table.act("bring_in", "call", *["check"] * 6)
    seventh = next(event for event in reversed(table.events) if isinstance(event, StreetDealt))
    assert [(card.slot, card.audience, card.n) for card in seventh.down] == [("card.0", (0,), 1), ("card.1", (1,), 1)]
    assert (seventh.up, seventh.board) == ((), ())
    assert [place.hand.n for place in seen(table, "rail").places] == [3, 3]


def test_a_mucked_hand_stays_closed_to_all_but_its_seat() -> None:
    table = holdem(3, "As Ks Qs Ah Kh Qh . 2c 5d 8h . 9c . Td", "")
    table.act("call", "call", "check", *["check"] * 9)
    first = [event for event in table.events if isinstance(event, HandsMucked)]
    assert first == [HandsMucked(seats=(1, 2))]
    ended = table.events[: table.events.index(table.scored()) + 1]
    data = public_bytes(ended[1:])
    assert all(written_in(data, card) for card in ("As", "Ah"))
    assert [card for card in ("Ks", "Kh", "Qs", "Qh") if written_in(data, card)] == []


def test_a_shown_hand_lies_open_for_all() -> None:
    table = holdem(2, "As Ks Ah Kh . 2c 5d 8h . 9c . Td", max_hands=1)
    table.act("call", "check", *["check"] * 6)
    places = seen(table, "rail").places
    assert [pile.cards for pile in places[0].piles] == [("As", "Ah")]
    assert [place.hand.n for place in places] == [0, 2]
    assert not places[1].hand.is_open


def test_cards_shown_at_an_all_in_are_open_and_the_seventh_that_follows_is_not() -> None:
    table = stud(2, "As Ks Ah Kh 2c 3c", structure="no_limit", stacks=[100, 100])
    table.act("all_in", "call")
    late = [event for event in table.events if isinstance(event, StreetDealt)][-1]
    assert all(not written_in(public_bytes([late]), card.value[0]) for card in late.down)


def test_what_may_be_done_hangs_on_no_hidden_card() -> None:
    """poker §9: other cards in the hole, the same list."""
    first, second = holdem(3, "As Ks Qs Ah Kh Qh"), holdem(3, "2s 3s 4s 2h 3h 4h")
    for table in (first, second):
        table.act("call", "raise 300")
    assert first.legal() == second.legal()
    assert seen(first, "rail").facts == seen(second, "rail").facts
