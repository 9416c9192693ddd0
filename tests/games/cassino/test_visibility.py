"""Who may see what (cassino §9)."""

from schemas.cassino import Built, Drew, HandDealt, Misplayed, Refilled, Taken, TurnBegan
from schemas.codec import Viewer
from services.games.cassino import GAME
from tests.games.cassino.test_turns import table_of

EVERYBODY: tuple[Viewer, ...] = (0, 1, "rail")


def test_deck_and_stock_are_open_to_nobody_a_hand_to_its_seat_and_the_table_to_all() -> None:
    dealt, _ = GAME.deal(GAME.begin(GAME.open({}, 3), 3), lambda deck: deck)
    assert isinstance(dealt, HandDealt)
    assert (dealt.deck.audience, dealt.deck.n, dealt.stock.audience, dealt.stock.n) == ((), 40, (), 24)
    assert [(hand.audience, hand.n) for hand in dealt.hands] == [((0,), 4), ((1,), 4), ((2,), 4)]
    assert len(dealt.table) == 4


def test_one_card_at_a_time_is_dealt_from_the_seat_after_the_dealer_then_the_table() -> None:
    """cassino §3"""
    dealt, began = GAME.deal(GAME.begin(GAME.open({"first_dealer": 1}, 3), 3), lambda deck: deck)
    assert isinstance(dealt, HandDealt)
    deck = dealt.deck.value
    assert [hand.value for hand in dealt.hands] == [deck[1:12:3], deck[2:12:3], deck[0:12:3]]
    assert (dealt.table, dealt.stock.value) == (deck[12:16], deck[16:])
    assert began == TurnBegan(seat=2, stuck=0)


def test_what_a_seat_draws_it_alone_sees_and_what_is_laid_on_the_table_all() -> None:
    table = table_of(["9d 9h", "8h"], "9c 5h", "7s 4s 3s 7c 6h 6c")
    taken, refilled, _ = table.does("take", card="9d", cards=["9c"])
    assert isinstance(taken, Taken)
    assert isinstance(refilled, Refilled)
    assert refilled.table == ("7s", "4s", "3s")
    assert (refilled.drawn.value, refilled.drawn.audience, refilled.drawn.n) == (("7c", "6h", "6c"), (0,), 3)
    powerless = table_of(["9d 9h", "8h"], "5c", "7s 4s")
    (drew,) = powerless.does("pass")
    assert isinstance(drew, Drew)
    assert (drew.cards.audience, drew.cards.n) == ((0,), 1)


def test_a_build_lies_open_with_its_maker_and_value() -> None:
    table = table_of(["3h 8c", "9h"], "5d 9c", "7s")
    (built, *_) = table.does("build", card="3h", cards=["5d"])
    assert built == Built(seat=0, card="3h", cards=("5d",), value=8)
    for viewer in EVERYBODY:
        place = table.seen(viewer).places[0]
        assert [pile.cards for pile in place.piles if pile.name == "build"] == [("5d", "3h")]
        assert place.facts["build"] == 8


def test_a_wrong_take_is_shown_to_all_and_goes_back() -> None:
    table = table_of(["3h 8c", "9h"], "5d 9c", "7s")
    assert table.does("take", card="3h", cards=["5d"]) == (Misplayed(seat=0, card="3h", cards=("5d",)),)
    assert (table.fact("hand_sizes"), table.fact("table"), table.turn) == ([2, 1], ["5d", "9c"], 0)


def test_of_hands_stock_and_piles_others_see_the_number() -> None:
    table = table_of(["9d 9h", "8h"], "9c 5h", "7s 4s 3s 7c 6h 6c 2c")
    table.does("take", card="9d", cards=["9c"])
    for viewer in EVERYBODY:
        seen = table.seen(viewer)
        assert [place.hand.is_open for place in seen.places] == [viewer == 0, viewer == 1]
        assert [place.hand.n for place in seen.places] == [4, 1]
        stock = next(pile.hidden for pile in seen.piles if pile.name == "stock")
        assert stock is not None
        assert (stock.is_open, stock.n) == (False, 1)
        for place, number in zip(seen.places, (2, 28), strict=True):
            taken = next(pile.hidden for pile in place.piles if pile.name == "taken")
            assert taken is not None
            assert (taken.is_open, taken.n) == (False, number)
