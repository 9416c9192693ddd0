"""What follows from a turn, the end of a hand and its score (cassino §5 to §7), and refusals (cassino §8)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cassino import HandPlayed, Misplayed
from schemas.refusals import Code
from services.games.cassino.options import Options, pack
from services.games.cassino.state import Hand, hand_of
from tests.games.cassino.test_taking import POINTS, options, seeds
from tests.games.scenes import Position, Scene, positions

PACK = pack(Options())

# --- a second reading of what follows (cassino §5, §6) -----------------------------------------------------------


class Book:
    """A hand as a clerk keeps it, who follows the rules step by step."""

    def __init__(self, option: Any, hand: Hand) -> None:
        self.option = option
        self.held = [list(cards) for cards in hand.held]
        self.table, self.stock = list(hand.table), list(hand.stock)
        self.builds = {build.seat: (build.top, list(build.seeds)) for build in hand.builds}
        self.piles = [list(pile) for pile in hand.piles]
        self.fines = [[fine.build, fine.misplay] for fine in hand.penalties]
        self.stuck, self.taker = hand.stuck, hand.last_taker

    def turn(self, seat: int, action: dict[str, Any]) -> int | None:
        """Do what the action does; who acts next, None at the end of the hand."""
        had_build, took_build, card = seat in self.builds, False, str(action.get("card"))
        self.stuck += 1
        if action["type"] != "pass":
            self.stuck = 0
            self.held[seat].remove(card)
        if action["type"] == "take":
            took_build = seat in self.builds and self.builds[seat][0] in action["cards"]
            if took_build:
                del self.builds[seat]
            self.table = [other for other in self.table if other not in action["cards"]]
            self.piles[seat] += [card, *action["cards"]]
            self.taker = seat
        elif action["type"] == "build":
            self.table = [other for other in self.table if other not in action["cards"]]
            self.builds[seat] = (card, list(action["cards"]))
        elif action["type"] == "trail":
            self.table.append(card)
        if had_build and not took_build:
            self.miss(seat)
        if action["type"] == "take":
            places = len(self.table) + sum(len(seeds) for _, seeds in self.builds.values())
            while self.stock and places < self.option.table_size:
                self.table.append(self.stock.pop(0))
                places += 1
            while self.stock and len(self.held[seat]) < self.option.hand_size:
                self.held[seat].append(self.stock.pop(0))
        return self.next(seat)

    def miss(self, seat: int) -> None:
        """A build not taken."""
        self.fines[seat][0] += 2
        if self.option.build_lapse == "release":
            top, seeds = self.builds.pop(seat)
            self.table += [top, *seeds]
            self.stuck = 0

    def next(self, seat: int) -> int | None:
        """cassino §5.4, §6"""
        while not (self.ends_now()):
            seat = (seat + 1) % len(self.held)
            if self.stock or self.held[seat]:
                return seat
            self.stuck += 1
            if seat in self.builds:
                self.miss(seat)
        if self.option.last_takes_table and self.taker is not None:
            self.piles[self.taker] += self.table + [c for top, seeds in self.builds.values() for c in (top, *seeds)]
            self.table, self.builds = [], {}
        return None

    def ends_now(self) -> bool:
        """cassino §6"""
        return not self.stock and (not any(self.held) or self.stuck >= len(self.held))


def check(position: Position) -> None:
    """That a turn came out as the clerk has it."""
    state, seat, action, events, after = position
    if isinstance(events[0], Misplayed) or (action["type"] == "pass" and state.phase.hand.stock):
        return  # the same seat goes on
    book = Book(state.options, state.phase.hand)
    following = book.turn(seat, dict(action))
    hand = hand_of(after)
    assert hand is not None
    assert [sorted(cards) for cards in hand.held] == [sorted(cards) for cards in book.held]
    assert sorted(hand.table) == sorted(book.table)
    assert hand.stock == tuple(book.stock)
    assert {build.seat: (build.top, sorted(build.seeds)) for build in hand.builds} == {
        maker: (top, sorted(seeds)) for maker, (top, seeds) in book.builds.items()
    }
    assert [sorted(pile) for pile in hand.piles] == [sorted(pile) for pile in book.piles]
    assert [[fine.build, fine.misplay] for fine in hand.penalties] == book.fines
    assert isinstance(events[-1], HandPlayed) == (following is None)
    if following is not None:
        assert (after.phase.turn, hand.stuck) == (following, book.stuck)


@settings(max_examples=120, deadline=None)
@given(options, st.integers(2, 4), seeds)
def test_what_follows_from_a_turn_is_what_a_clerk_makes_of_it(option: dict[str, Any], seats: int, seed: bytes) -> None:
    for position in positions("cassino", option, seats=seats, seed=seed):
        check(position)


@settings(max_examples=120, deadline=None)
@given(options, st.sampled_from([2, 3, 4, -4]), seeds)
def test_a_hand_scores_what_the_cards_come_to(option: dict[str, Any], seats: int, seed: bytes) -> None:
    """cassino §6, §7; −4 stands for two sides of two."""
    option, teams = {**option, "teams": seats < 0}, seats < 0
    *_, last = positions("cassino", option, seats=abs(seats), seed=seed)
    hand, sides = hand_of(last.after), [[0, 2], [1, 3]] if teams else [[seat] for seat in range(abs(seats))]
    assert hand is not None
    deck, result = last.after.options.deck, last.after.phase.result
    piles = [[card for seat in side for card in hand.piles[seat]] for side in sides]
    for side, pile, got in zip(sides, piles, result.sides, strict=True):
        counts, spades = [len(each) for each in piles], [sum(c[1] == "s" for c in each) for each in piles]
        alone = last.after.options.majority == "threshold"
        most = alone or (counts.count(max(counts)) == 1 and len(pile) == max(counts))
        most_spades = alone or (spades.count(max(spades)) == 1 and sum(c[1] == "s" for c in pile) == max(spades))
        bonus = 2 * (len(pile) * len(sides) >= deck and most)
        bonus += sum(c[1] == "s" for c in pile) * len(sides) * 4 >= deck and most_spades
        fines = sum(hand.penalties[seat].build + hand.penalties[seat].misplay for seat in side)
        fines += sum(POINTS.get(card, 1) for seat in side for card in hand.held[seat])
        assert got.net == sum(POINTS.get(card, 0) for card in pile) + bonus - fines
        assert [result.scores[seat] for seat in side] == [got.net] * len(side)


# --- cases (cassino §5 to §7) ------------------------------------------------------------------------------------


def table_of(hands: list[str], table: str, stock: str = "", *, seats: int = 2, **fields: Any) -> Scene:
    """A position before seat 0 acts; the cards that are nowhere else lie in the pile of the last seat."""
    used = " ".join((*hands, table, stock)).split()
    others: list[str] = [card for card in PACK if card not in used]
    scenario = {
        "hands": [hand.split() for hand in hands],
        "table": table.split(),
        "stock": stock.split(),
        "piles": [*([] for _ in range(seats - 1)), others],
        "dealer": seats - 1,
        **fields.pop("scenario", {}),
    }
    return Scene("cassino", scenario, seats=seats, **fields)


def builds_fined(table: Scene) -> list[int]:
    """The penalty points for builds."""
    return [fine.build for fine in table.fact("penalties")]


@pytest.mark.parametrize(("lapse", "after"), [("release", [2, 0]), ("keep", [4, 0])])
def test_a_build_costs_two_at_every_turn_of_its_maker_while_it_is_his(lapse: str, after: list[int]) -> None:
    table = table_of(["3h 8c 9d Th", "9s 9h 6s 6h"], "5d 9c 6d Tc", "7s 7h 7c 7d 4s 4h", build_lapse=lapse)
    table.does("build", card="3h", cards=["5d"])
    table.does("take", card="9s", cards=["9c"])
    table.does("take", card="Th", cards=["Tc"])
    assert builds_fined(table) == [2, 0]
    assert table.fact("builds") == ([] if lapse == "release" else [{"seat": 0, "value": 8, "cards": ["3h", "5d"]}])
    table.does("take", card="6s", cards=["6d"])
    table.does("take", card="7d", cards=["7s"])
    assert builds_fined(table) == after


def no_cards_left(**fields: Any) -> Scene:
    """Both seats have built, seat 0 cannot take its build, and seat 1 has no card left."""
    table = table_of(["2c 9d", "4h"], "3d Tc 5h", build_needs_card=False, build_condition="free", **fields)
    table.does("build", card="2c", cards=["3d"])
    table.does("build", card="4h", cards=["5h"])
    table.does("pass")
    return table


def test_a_skipped_seat_pays_for_its_build_and_what_is_released_starts_the_count_anew() -> None:
    table = no_cards_left(build_lapse="release")
    assert builds_fined(table) == [2, 2]
    assert (table.turn, table.fact("table")) == (0, ["2c", "3d", "4h", "5h", "Tc"])


def test_kept_builds_do_not_hold_up_the_end_of_a_hand() -> None:
    table = no_cards_left(build_lapse="keep")
    assert builds_fined(table) == [2, 2]
    assert table.fact("phase") == "done"


def test_without_stock_a_full_round_of_passes_ends_the_hand() -> None:
    table = table_of(["9d", "9h", "8h"], "Td", seats=3)
    table.does("pass")
    table.does("pass")
    assert (table.turn, table.fact("phase")) == (2, "turn")
    table.does("pass")
    assert table.fact("phase") == "done"
    assert [fine.leftover for fine in table.fact("penalties")] == [1, 1, 1]


def test_seats_without_cards_are_skipped_only_when_the_stock_is_gone() -> None:
    table = table_of(["9d", "", "8h"], "9c Td", seats=3)
    table.does("take", card="9d", cards=["9c"])
    assert table.turn == 2
    drawing = table_of(["9d", "", "8h"], "9c Td", "5c 6c 7c 5h 5s 6s 6h 7h", seats=3)
    drawing.does("take", card="9d", cards=["9c"])
    assert drawing.turn == 1


def test_the_first_turn_skips_too_and_a_hand_without_cards_is_over_at_once() -> None:
    assert table_of(["", "9h"], "9c").turn == 1
    assert table_of(["", ""], "9c").fact("phase") == "done"


def test_who_can_do_nothing_draws_and_lays_any_card_and_nothing_is_filled_up() -> None:
    table = table_of(["9d 9h", "8h"], "5c", "7s 4s 3s")
    table.does("pass")
    assert (table.fact("hand_sizes"), table.fact("stock_left"), table.turn) == ([3, 1], 2, 0)
    table.does("trail", card="7s")
    assert (table.fact("hand_sizes"), table.fact("table"), table.turn) == ([2, 1], ["5c", "7s"], 1)


@pytest.mark.parametrize(("sweeps", "pile"), [(True, 4), (False, 2)])
def test_the_last_taker_gets_the_table_where_it_is_so(sweeps: bool, pile: int) -> None:  # noqa: FBT001
    table = table_of(["9d", "8h"], "9c Td 2d", last_takes_table=sweeps)
    table.does("take", card="9d", cards=["9c"])
    table.does("pass")
    assert table.fact("pile_sizes")[0] == pile
    assert table.fact("phase") == "done"


@pytest.mark.parametrize("multi", [True, False])
def test_one_card_takes_several_groups_and_the_own_build_where_that_is_allowed(multi: bool) -> None:  # noqa: FBT001
    table = table_of(["5h 3h 8c", "9h"], "5d 8s 6c 2c", multi_take=multi)
    table.does("build", card="3h", cards=["5d"])
    table.does("pass")
    all_of_it = {"type": "take", "card": "8c", "cards": ["3h", "5d", "8s", "6c", "2c"]}
    table.act(0, all_of_it)
    assert table.fact("penalties")[0].misplay == (not multi)
    assert table.fact("table") == ([] if multi else ["2c", "6c", "8s"])


@pytest.mark.parametrize(("target", "total", "over"), [(None, 0, False), (20, 13, True), (20, 12, False)])
def test_a_match_ends_after_its_hands_or_with_a_total(target: int | None, total: int, over: bool) -> None:  # noqa: FBT001
    """Seat 1 makes 7 of this hand: Td is not there, 2s 2, four aces 4, cards 2, spades 1, less two."""
    scenario = {"totals": [0, total]}
    table = table_of(["Td 9d", "8c 9h"], "", match_hands=2, match_target=target, scenario=scenario)
    table.does("pass")
    table.does("pass")
    assert table.fact("scores") == (-11, 7)
    assert (table.fact("match_over"), table.fact("winners")) == (over, (1,) if over else None)
    last = table_of(["Td 9d", "8c 9h"], "", match_hands=2, scenario={"totals": [0, 0], "hands_played": 1})
    last.does("pass")
    last.does("pass")
    assert last.fact("match_over")


def test_all_seats_with_the_highest_total_win() -> None:
    table = table_of(["Td 9d", "8c 9h"], "", scenario={"totals": [18, 0]})
    table.does("pass")
    table.does("pass")
    assert (table.fact("totals"), table.fact("winners")) == ((7, 7), (0, 1))


# --- refusals (cassino §8) ---------------------------------------------------------------------------------------

MALFORMED: list[Any] = [
    None,
    {},
    {"type": "play", "card": "9d"},
    {"type": "take", "card": "9d"},
    {"type": "take", "cards": ["9c"]},
    {"type": "take", "card": "9d", "cards": "9c"},
    {"type": "take", "card": ["9d"], "cards": ["9c"]},
    {"type": "take", "card": "Jd", "cards": ["9c"]},
    {"type": "take", "card": "9d", "cards": ["Qc"]},
    {"type": "build", "card": "9d", "cards": ["9c"], "value": 9},
    {"type": "trail"},
    {"type": "trail", "card": "Kd"},
    {"type": "pass", "card": "9d"},
]


@pytest.mark.parametrize("action", MALFORMED, ids=str)
def test_a_malformed_action_is_refused_before_anything_else(action: Any) -> None:
    for seat in (0, 1, None, 7):
        assert table_of(["9d", "8h"], "9c Td").refuses(seat, action) == Code.BAD_ACTION
        assert table_of(["", ""], "9c Td").refuses(seat, action) == Code.BAD_ACTION


@pytest.mark.parametrize("seat", [0, 1, None])
def test_after_the_hand_nobody_may_do_anything(seat: int | None) -> None:
    assert table_of(["", ""], "9c").refuses(seat, {"type": "trail", "card": "9c"}) == Code.HAND_OVER


@pytest.mark.parametrize("seat", [1, None, 7])
def test_whose_turn_it_is_not_is_told_so_before_the_phase_is_looked_at(seat: int | None) -> None:
    assert table_of(["9d", "8h"], "9c").refuses(seat, {"type": "trail", "card": "9d"}) == Code.NOT_YOUR_TURN


@pytest.mark.parametrize(
    ("card", "cards", "code"),
    [
        ("Td", "", Code.NOT_IN_HAND),
        ("9d", "", Code.EMPTY_SELECTION),
        ("9d", "4c 4c", Code.DUPLICATE_CARD),
        ("9d", "4c 5d", Code.BUILD_RESERVED),
        ("9d", "7c 3s", Code.BUILD_RESERVED),
        ("9d", "7c 4c", Code.NOT_ON_TABLE),
        ("9d", "9d", Code.NOT_ON_TABLE),
        ("9d", "2h 7s", Code.BUILD_SPLIT),
    ],
)
def test_cards_of_a_take_or_build_are_refused_in_this_order(card: str, cards: str, code: Code) -> None:
    """Seat 1 has built 3s on 5d, seat 0 has 2h on 6c."""
    table = table_of(["2h 8c 9d", "3s 8s 9s"], "5d 6c 4c 7s", "Tc Th Ts 7d", build_condition="free")
    table.does("build", card="2h", cards=["6c"])
    table.does("build", card="3s", cards=["5d"])
    for kind in ("take", "build"):
        assert table.refuses(0, {"type": kind, "card": card, "cards": cards.split()}) == code
    whole = {"type": "build", "card": "9d", "cards": ["4c"]}
    assert table.refuses(0, whole) == Code.BUILD_OPEN


@pytest.mark.parametrize(
    ("card", "cards", "code"),
    [
        ("Jh", "7s 4c", Code.BAD_BUILD),
        ("9d", "Jc 7s", Code.BAD_BUILD),
        ("9d", "7s", Code.BUILD_TOO_HIGH),
        ("3h", "As", Code.NO_CAPTURE_CARD),
        ("3h", "4c", Code.MUST_TAKE),
    ],
)
def test_a_build_is_refused_for_its_cards_then_its_height_then_what_takes_it_then_what_could_be_won(
    card: str, cards: str, code: Code
) -> None:
    """With 7d seat 0 could win the ace."""
    hands, lie = [["Jh", "9d", "3h", "7d"], ["8h"]], ["Jc", "7s", "4c", "As", "6c"]
    rest = [each for each in pack(Options(deck=52)) if each not in {*lie, *hands[0], *hands[1]}]
    table = Scene("cassino", {"hands": hands, "table": lie, "stock": rest, "dealer": 1}, seats=2, deck=52)
    assert table.refuses(0, {"type": "build", "card": card, "cards": cards.split()}) == code
