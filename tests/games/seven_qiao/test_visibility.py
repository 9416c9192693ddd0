"""Who may see what (seven_qiao §7), and that wishes which come in together are all served."""

import asyncio
from typing import Any

import pytest

from schemas.codec import Viewer
from schemas.commands import Accepted
from schemas.seven_qiao import HandDealt, HandScored, Offered, Taken
from services.games.match import asked
from services.games.seven_qiao import GAME
from tests.games.seven_qiao.test_drawing import free_for_all, given_deck
from tests.house import House, Setting


class FreeForAll(Setting):
    """A match in which cards are drawn in any order."""

    @property
    def options(self) -> dict[str, Any]:
        """The preset, with that."""
        return {**super().options, "free_draw": "any"}


EVERYBODY: tuple[Viewer, ...] = (0, 1, 2, "rail")


def test_deck_and_stock_are_open_to_nobody_and_a_hand_to_its_seat() -> None:
    dealt, _ = GAME.deal(GAME.begin(GAME.open({}, 3), 3), lambda deck: deck)
    assert isinstance(dealt, HandDealt)
    assert (dealt.deck.audience, dealt.deck.n, dealt.stock.audience, dealt.stock.n) == ((), 54, (), 51)
    assert [(hand.audience, hand.n) for hand in dealt.hands] == [((0,), 1), ((1,), 1), ((2,), 1)]
    assert [hand.value for hand in dealt.hands] == [(dealt.deck.value[place],) for place in (2, 0, 1)]


def test_an_offered_card_is_seen_by_nobody_and_a_taken_one_by_its_seat() -> None:
    table = given_deck("5s 6s 8s 9s")
    assert table.does("draw") == (Offered(seat=0),)
    for viewer in EVERYBODY:
        seen = table.seen(viewer)
        assert seen.places[0].facts["offered"] is True
        assert (seen.places[0].hand.n, seen.piles[0].hidden.n if seen.piles[0].hidden else None) == (1, 51)
        assert seen.piles[0].cards == ()
    taken, _ = table.does("take")
    assert isinstance(taken, Taken)
    assert (taken.cards.value, taken.cards.audience, taken.cards.n) == (("9s",), (0,), 1)


def test_hands_are_hidden_until_all_are_shown() -> None:
    table = given_deck("5s 6s 8s 9s")
    table.stands_in()
    for viewer in EVERYBODY:
        assert [place.hand.is_open for place in table.seen(viewer).places] == [viewer == seat for seat in range(3)]
    table.play_by_time_outs()
    for viewer in EVERYBODY:
        assert [place.hand.value for place in table.seen(viewer).places] == [("5s",), ("6s",), ("8s",)]


def test_the_score_tells_the_hands_it_is_of() -> None:
    table = given_deck("5s 6s 8s", seats=3)
    table.play_by_time_outs()
    result = table.state.phase.result
    assert isinstance(result, HandScored)
    assert result.hands == (("5s",), ("6s",), ("8s",))


def test_what_may_be_done_hangs_on_numbers_alone() -> None:
    """With any other cards everybody is listed the same."""
    lists = []
    for top in ("7s 5h 9d 7h 7d", "Ks Qs Js Ts 9s"):
        table = given_deck(top, free_draw="any")
        steps = [[table.choices(seat) for seat in range(3)]]
        for verb in ("draw", "take", "pass", "pass"):
            table.does(verb)
            steps.append([table.choices(seat) for seat in range(3)])
        lists.append(steps)
    assert lists[0] == lists[1]
    assert [bool(choices) for choices in lists[0][-1]] == [True] * 3


@pytest.mark.parametrize("verbs", [("draw", "take"), ("draw", "decline"), ("stand",)])
async def test_wishes_that_come_in_together_are_all_served_in_the_order_of_the_log(verbs: tuple[str, ...]) -> None:
    """Each seat has seen the same frame; none is too late because another one acted first."""
    house = House(FreeForAll("seven_qiao", "seed", 7), f"together {verbs}")
    await house.seat_all()
    while GAME.phase((state := await house.state()).play) == "ask":
        assert isinstance(await house.send(asked(state)[0], {"type": "pass"}, seen=state.index), Accepted)
    for verb in verbs:
        state = await house.settle()
        seats = asked(state)
        assert seats == tuple(range(7))
        replies = await asyncio.gather(*(house.send(seat, {"type": verb}, seen=state.index) for seat in seats))
        assert [reply.index for reply in replies if isinstance(reply, Accepted)] == [state.index + 1 + s for s in seats]
    assert len(await house.entries()) >= 7 * len(verbs)


def test_the_table_tells_who_is_done_and_who_broke_his_word() -> None:
    table = free_for_all()
    table.act(1, {"type": "draw"})
    table.act(1, {"type": "decline"})
    facts = table.seen("rail").places[1].facts
    assert (facts["done"], facts["reneges"], facts["offered"]) == (True, 1, False)
