"""What is shown late, and to whom: first and dark exposing, pig-and-sheep sides, claims, misdeals (gongzhu §11)."""

from typing import Any

import pytest

from schemas.cards import PACK, Seat
from schemas.events import Events
from schemas.gongzhu import (
    Claimed,
    DealStood,
    DrawnBack,
    Exposed,
    ExposingBegan,
    Exposure,
    FirstCardsShown,
    FirstExposed,
    HandDealt,
    HandPlayed,
    PlayBegan,
    Played,
    SidesShown,
)
from schemas.refusals import Code
from services.games.gongzhu import GAME
from services.games.gongzhu.state import POINT_CARDS
from tests.games.gongzhu.hands import EAST, EVEN, NORTH, SOUTH, WEST, GongzhuTable, cards_of, given
from tests.games.gongzhu.test_visibility import seen

EVERYBODY: tuple[Any, ...] = (NORTH, WEST, SOUTH, EAST, "rail")


def pile(table: GongzhuTable, viewer: Any, seat: Seat, name: str) -> Any:
    """A pile before a seat as a viewer sees it; None where there is none."""
    found = [pile for pile in seen(table, viewer).places[seat].piles if pile.name == name]
    return found[0] if found else None


def first_deal(**options: Any) -> Events:
    """All that the first deal tells, from a deck in canonical order."""
    return GAME.deal(GAME.begin(GAME.open(options, 4), 4), lambda deck: deck)


# --- first exposing ----------------------------------------------------------------------------------------------


def test_with_first_exposing_no_hand_is_open_at_the_deal_but_each_first_card_to_its_seat() -> None:
    dealt, stood, shown = first_deal(first_expose=True)
    assert isinstance(dealt, HandDealt)
    assert isinstance(stood, DealStood)
    assert isinstance(shown, FirstCardsShown)
    assert {hand.audience for hand in dealt.hands} == {()}
    assert [(card.slot, card.value, card.audience, card.n) for card in shown.cards] == [
        (f"first.{seat}", PACK[seat], (seat,), None) for seat in range(4)
    ]
    assert stood.leader is None
    assert stood.sealed_leader is not None
    assert stood.sealed_leader.audience == ()  # who leads holds the opening card, and does not know it yet


def test_while_first_exposing_a_seat_sees_its_first_card_alone() -> None:
    table = given(first_expose=True)
    for viewer in EVERYBODY:
        assert [place.hand.is_open for place in seen(table, viewer).places] == [False] * 4
        assert [place.hand.n for place in seen(table, viewer).places] == [13] * 4
        assert [pile(table, viewer, seat, "first").hidden.is_open for seat in range(4)] == [
            seat == viewer for seat in range(4)
        ]
    assert pile(table, EAST, EAST, "first").hidden.value == ("Ks",)


def test_all_are_asked_whatever_their_first_cards_are() -> None:
    assert [GAME.due(given(*hands, first_expose=True).state) for hands in (EVEN, EVEN[::-1])] == [(0, 1, 2, 3)] * 2


def test_a_refusal_while_first_exposing_tells_nothing_of_the_other_cards() -> None:
    table = given(first_expose=True)
    codes = {table.refuses(EAST, f"expose {card}") for card in PACK if card != "Ks"}
    assert codes == {Code.NOT_FIRST_CARD}


def test_when_all_have_answered_the_exposures_are_open_and_each_seat_sees_its_hand() -> None:
    hands = [cards_of(hand) for hand in EVEN]
    hands[SOUTH].sort(key=lambda card: card != "Qs")
    table = GongzhuTable({"hands": hands}, {"first_expose": True})
    table.passes(NORTH, WEST, EAST)
    _, exposed, began = table.does(SOUTH, "expose Qs")
    assert isinstance(exposed, FirstExposed)
    assert exposed.exposures == (Exposure("Qs", SOUTH, "first"),)
    assert [(hand.slot, hand.audience, hand.n) for hand in exposed.hands] == [
        (f"hand.{seat}", (seat,), 13) for seat in range(4)
    ]
    assert isinstance(began, ExposingBegan)
    assert began.sealed_leader is not None
    assert (began.sealed_leader.value, began.sealed_leader.audience) == (EAST, (EAST,))
    assert seen(table, EAST).places[EAST].hand.is_open
    assert pile(table, "rail", SOUTH, "exposed").cards == ("Qs",)


def test_first_answers_are_sealed_to_their_seats() -> None:
    table = given(first_expose=True)
    assert GAME.seals(table.state, EAST, {"type": "pass"})
    (answered,) = table.does(EAST, "pass")
    assert answered.answer.audience == (EAST,)  # type: ignore[union-attr]  # Answered


# --- dark exposing -----------------------------------------------------------------------------------------------


def dark() -> GongzhuTable:
    """East exposes sheep and transformer darkly, South the pig openly."""
    table = given(dark_expose="allowed")
    table.act(EAST, {"type": "expose", "cards": ["Jd", "Tc"], "dark": True})
    table.does(SOUTH, "expose Qs")
    table.passes(NORTH)
    return table


def test_of_dark_exposures_the_others_learn_how_many_they_are() -> None:
    *_, began = dark().does(WEST, "pass")
    assert isinstance(began, PlayBegan)
    assert began.exposures == (Exposure("Qs", SOUTH, "open"),)
    assert [(cards.slot, cards.value, cards.audience, cards.n) for cards in began.dark] == [
        ("dark.0", (), (NORTH,), 0),
        ("dark.1", (), (WEST,), 0),
        ("dark.2", (), (SOUTH,), 0),
        ("dark.3", ("Jd", "Tc"), (EAST,), 2),
    ]


def test_the_table_counts_dark_cards_and_shows_them_to_their_seat() -> None:
    table = dark()
    table.passes(WEST)
    for viewer in EVERYBODY:
        hidden = pile(table, viewer, EAST, "dark").hidden
        assert (hidden.n, hidden.is_open) == (2, viewer == EAST)
        assert seen(table, viewer).facts["exposed"] == [["Qs", SOUTH, "open"]]


def test_a_dark_card_is_known_once_it_is_played() -> None:
    table = dark()
    table.passes(WEST)
    table.play("2c 3c 4c Kc")
    table.play("2d Jd")
    assert seen(table, "rail").facts["exposed"] == [["Qs", SOUTH, "open"], ["Jd", EAST, "dark"]]
    assert pile(table, NORTH, EAST, "dark").hidden.n == 1


def test_the_dark_cards_left_are_known_when_the_hand_ends() -> None:
    table = dark()
    table.passes(WEST)
    table.act(NORTH, {"type": "claim", "to": NORTH})
    assert table.does(WEST, "accept") != ()
    table.does(SOUTH, "accept")
    *_, ended = table.does(EAST, "accept")
    assert isinstance(ended, HandPlayed)
    assert ended.exposures == (Exposure("Jd", EAST, "dark"), Exposure("Tc", EAST, "dark"))
    assert pile(table, "rail", EAST, "dark").hidden.n == 0


def test_a_dark_answer_in_turn_is_sealed_and_so_is_the_action() -> None:
    table = given(expose_order="turns", dark_expose="allowed")
    action = {"type": "expose", "cards": ["Jd"], "dark": True}
    assert GAME.seals(table.state, EAST, action)
    assert not GAME.seals(table.state, EAST, {"type": "expose", "cards": ["Jd"]})
    assert not GAME.seals(table.state, EAST, {"type": "pass"})
    (answered,) = table.act(EAST, action)
    assert isinstance(answered, Exposed)
    assert answered.exposures == ()
    assert answered.dark is not None
    assert (answered.dark.value, answered.dark.audience, answered.dark.n) == (("Jd",), (EAST,), 1)


def test_an_open_card_is_told_as_exposed_when_it_is_played() -> None:
    table = given(leader_rule="rotate", first_dealer=SOUTH)
    table.does(SOUTH, "expose Qs")
    table.passes(NORTH, WEST, EAST)
    table.play("4s 5s 2s 3s")
    table.play("9s Ts 7s")
    (played, *_) = table.does(SOUTH, "play Qs")
    assert isinstance(played, Played)
    assert played.exposures == (Exposure("Qs", SOUTH, "open"),)


# --- pig and sheep -----------------------------------------------------------------------------------------------


def test_the_sides_are_shown_when_pig_and_sheep_have_both_been_played() -> None:
    table = given(preset="seed000_pig_sheep", leader_rule="rotate")
    table.play("As 3s")
    assert [type(event) for event in table.does(SOUTH, "play Qs")] == [Played]
    table.play("5s")
    assert all("sides" not in seen(table, viewer).facts for viewer in EVERYBODY)
    table.play("4d 5d 2d")
    played, shown, *_ = table.does(EAST, "play Jd")
    assert isinstance(played, Played)
    assert shown == SidesShown(sides=((SOUTH, EAST), (NORTH, WEST)))
    assert seen(table, "rail").facts["sides"] == [[SOUTH, EAST], [NORTH, WEST]]


def test_one_seat_with_both_stands_alone() -> None:
    hands = ("AT62.K95.Q84.J73", "J73.AT62.K95.Q84", "984.J73.AT62.K95", "KQ5.Q84.J73.AT62")
    table = given(*hands, preset="seed000_pig_sheep")
    assert table.fact("sides") == ((EAST,), (NORTH, WEST, SOUTH))


# --- claims ------------------------------------------------------------------------------------------------------


def test_a_claimer_shows_its_hand_to_all_and_it_stays_shown() -> None:
    table = given(expose="none")
    (claimed,) = table.act(WEST, {"type": "claim", "to": NORTH, "line": "spades first"})
    assert isinstance(claimed, Claimed)
    assert claimed.hand == table.hand.held[WEST]
    for _ in range(2):
        for viewer in EVERYBODY:
            assert seen(table, viewer).places[WEST].hand.value == table.hand.held[WEST]
            assert seen(table, viewer).places[EAST].hand.is_open == (viewer == EAST)
        if table.fact("phase") == "claim":
            assert seen(table, "rail").facts["claim"]["line"] == "spades first"
            table.does(EAST, "challenge")


def test_a_claim_says_who_gets_what_but_not_who_holds_what() -> None:
    table = given(expose="none")
    (claimed,) = table.act(WEST, {"type": "claim", "to": NORTH})
    assert isinstance(claimed, Claimed)
    assert {seat for _, seat in claimed.awards} == {NORTH}
    assert tuple(card for card, _ in claimed.awards) == POINT_CARDS


# --- misdeals and the cut ----------------------------------------------------------------------------------------

MISDEALT = ("AT762.K95.Q84.J73", "J3.AT62.K95.Q84", *EVEN[2:])


@pytest.mark.parametrize(("first", "audience"), [(False, (WEST,)), (True, ())])
def test_the_cards_that_the_house_moves_are_sealed_to_all_but_who_holds_them(
    first: bool,  # noqa: FBT001  # an option
    audience: tuple[Seat, ...],
) -> None:
    table = given(*MISDEALT, misdeal="consent", first_expose=first)
    assert seen(table, WEST).places[WEST].hand.is_open != first
    for seat in (NORTH, SOUTH, EAST):
        table.act(seat, {"type": "consent", "accept": True})
    action = {"type": "draw_back", "moves": [{"from": NORTH, "to": WEST, "card": "7s"}]}
    assert GAME.seals(table.state, None, action)
    drawn, *_ = table.act(None, action)
    assert isinstance(drawn, DrawnBack)
    assert drawn.hands[WEST].value[-1] == "7s"
    assert (drawn.hands[WEST].audience, drawn.hands[WEST].n) == (audience, 13)


def test_before_the_cut_the_deck_is_sealed_and_nobody_has_cards() -> None:
    (shuffled,) = first_deal(cut="player")
    assert shuffled.deck.audience == ()  # type: ignore[union-attr]  # DeckShuffled
    table = GongzhuTable({"deck": list(PACK)}, {"cut": "player"})
    assert [place.hand.n for place in seen(table, "rail").places] == [0] * 4
    assert table.refuses(NORTH, {"type": "cut", "at": 3}) == Code.NOT_YOUR_TURN
    table.act(WEST, {"type": "cut", "at": 3})
    events = GAME.deal(table.state, lambda deck: deck[::-1])
    assert isinstance(events[0], HandDealt)
    assert events[0].deck.value == (*PACK[3:], *PACK[:3])
