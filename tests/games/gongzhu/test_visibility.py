"""Who may see what (gongzhu §11)."""

from typing import Any

import msgspec
import pytest

from schemas.cards import PACK, Seat
from schemas.codec import Covered, Viewer, from_service, to_log
from schemas.events import Events
from schemas.gongzhu import Answered, DealStood, HandDealt, PlayBegan
from schemas.log import NO_CHAIN, Commit
from schemas.sealed import Sealed
from schemas.views import Table as Layout
from services.games.gongzhu import GAME
from services.games.gongzhu.state import Between
from tests.games.gongzhu.hands import EAST, NORTH, SOUTH, WEST, GongzhuTable, given


def deal(**options: Any) -> HandDealt:
    """The first hand, dealt from a deck in canonical order: East gets the 2c."""
    (dealt, *_) = GAME.deal(GAME.begin(GAME.open(options, 4), 4), lambda deck: deck)
    assert isinstance(dealt, HandDealt)
    return dealt


def seen(table: GongzhuTable, viewer: Viewer) -> Layout:
    """The lay-out as it reaches a viewer."""
    return from_service(Covered(GAME.table(table.state)).opened_to(viewer), Layout)


def public_bytes(events: Events, action: dict[str, Any], seat: Seat) -> bytes:
    """What all may read of a commit."""
    commit = Commit(
        match="M" * 26,
        index=9,
        by="referee",
        at=0,
        cause=bytes(16),
        prev=NO_CHAIN,
        events=events,
        seat=seat,
        sealed_action=Sealed("action", action, audience=(seat,)),
    )
    public, _, _ = msgspec.msgpack.decode(to_log(commit, b"key"))
    assert isinstance(public, bytes)
    return public


def test_the_deck_is_open_to_nobody_and_a_hand_to_its_seat() -> None:
    dealt = deal()
    assert (dealt.deck.audience, dealt.deck.n) == ((), 52)
    assert [(hand.slot, hand.audience, hand.n) for hand in dealt.hands] == [
        (f"hand.{seat}", (seat,), 13) for seat in range(4)
    ]


def test_the_deal_is_what_the_dealer_gives_out_one_by_one_from_himself_on() -> None:
    """gongzhu §3.1"""
    dealt = deal(first_dealer=2)
    assert [dealt.hands[seat].value[0] for seat in (2, 3, 0, 1)] == list(PACK[:4])
    assert [dealt.hands[seat].value[-1] for seat in (2, 3, 0, 1)] == list(PACK[-4:])


def stood(**options: Any) -> DealStood:
    """What the first deal settled; East has the 2c."""
    events = GAME.deal(GAME.begin(GAME.open(options, 4), 4), lambda deck: deck)
    return next(event for event in events if isinstance(event, DealStood))


def test_who_leads_is_sealed_to_the_leader_while_all_expose_at_once() -> None:
    deal = stood()
    assert deal.leader is None
    assert deal.sealed_leader == Sealed("leader", EAST)
    assert deal.sealed_leader is not None
    assert deal.sealed_leader.audience == (EAST,)


@pytest.mark.parametrize(
    ("options", "leader"),
    [
        ({"expose_order": "turns"}, EAST),
        ({"expose": "none"}, EAST),
        ({"expose": "all"}, EAST),
        ({"leader_rule": "rotate"}, NORTH),
        ({"leader_rule": "rotate", "first_expose": True}, NORTH),
    ],
)
def test_who_leads_is_open_where_it_is_no_secret(options: dict[str, Any], leader: Seat) -> None:
    deal = stood(**options)
    assert (deal.leader, deal.sealed_leader) == (leader, None)


def test_who_leads_shows_when_play_begins() -> None:
    table = given()
    assert all("leader" not in seen(table, viewer).facts for viewer in (NORTH, EAST, "rail"))
    table.passes(NORTH, WEST, SOUTH)
    *_, began = table.does(EAST, "pass")
    assert began == PlayBegan(leader=EAST, exposures=())
    assert seen(table, "rail").facts["leader"] == EAST


def test_a_pass_and_an_exposure_look_the_same_to_the_others() -> None:
    passed = given().does(EAST, "pass")
    exposed = given().does(EAST, "expose Jd Tc")
    one = public_bytes(passed, {"type": "pass"}, EAST)
    two = public_bytes(exposed, {"type": "expose", "cards": ["Jd", "Tc"]}, EAST)
    assert len(one) == len(two)
    assert [type(event) for event in passed] == [type(event) for event in exposed] == [Answered]
    assert [masked(one), masked(two)] == [masked(one)] * 2


def masked(public: bytes) -> object:
    """A commit without its commitments, which salts make unreadable."""
    commit = msgspec.msgpack.decode(public)
    commit["sealed_action"]["commitment"] = commit["events"][0]["answer"]["commitment"] = b""
    return commit


def test_an_answer_is_open_to_its_seat_and_sealed_as_action_too() -> None:
    table = given()
    assert GAME.seals(table.state, EAST, {"type": "expose", "cards": ["Jd"]})
    assert GAME.seals(table.state, EAST, {"type": "pass"})
    (answered,) = table.does(EAST, "expose Jd")
    assert isinstance(answered, Answered)
    assert (answered.answer.slot, answered.answer.audience, answered.answer.n) == ("answer", (EAST,), None)


def test_nothing_is_sealed_where_answers_come_in_turns_or_cards_are_played() -> None:
    assert not GAME.seals(given(expose_order="turns").state, EAST, {"type": "pass"})
    assert not GAME.seals(given(expose="none").state, EAST, {"type": "play", "cards": ["2c"]})


def test_each_seat_sees_its_own_hand_and_of_the_others_the_number_of_cards() -> None:
    table = given()
    for viewer in (NORTH, WEST, SOUTH, EAST, "rail"):
        hands = [place.hand for place in seen(table, viewer).places]
        assert [hand.is_open for hand in hands] == [seat == viewer for seat in range(4)]
        assert [hand.n for hand in hands] == [13] * 4
    assert seen(table, WEST).places[WEST].hand.value == tuple(table.hand.held[WEST])


def test_that_a_seat_has_answered_is_seen_by_all_but_not_what() -> None:
    before, after = given(), given()
    before.passes(EAST)
    after.does(EAST, "expose Jd Tc")
    for viewer in (NORTH, "rail"):
        assert seen(before, viewer).turn.value == (NORTH, WEST, SOUTH)
        shown = [Covered(GAME.table(each.state)).opened_to(viewer) for each in (before, after)]
        assert shown[0] == shown[1]


def test_exposed_cards_the_trick_and_what_was_taken_lie_open() -> None:
    table = given()
    table.does(EAST, "expose Jd Tc")
    table.passes(NORTH, WEST, SOUTH)
    assert piles(table, EAST)["exposed"] == ("Jd", "Tc")
    table.play("2c")
    assert piles(table, EAST)["trick"] == ("2c",)
    table.play("Jc Qc Kc")
    table.play("2d 3d 4d 5d")
    assert piles(table, WEST)["trick"] == ()
    table.play("9d Td Jd 8d")
    assert piles(table, EAST) == {"trick": (), "exposed": ("Tc",), "taken": ("Jd",)}


def piles(table: GongzhuTable, seat: Seat) -> dict[str, tuple[str, ...]]:
    """The piles before a seat, as the rail sees them."""
    return {pile.name: pile.cards for pile in seen(table, "rail").places[seat].piles}


def test_before_the_first_deal_there_is_an_empty_table() -> None:
    table = given()
    table.state = GAME.begin(GAME.open({}, 4), 4)
    assert isinstance(table.state.phase, Between)
    assert seen(table, "rail").facts == {"hand_no": 1, "dealer": NORTH}
    assert [place.hand.n for place in seen(table, "rail").places] == [0] * 4
