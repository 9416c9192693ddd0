"""Declarations, tricks, bonuses and the end of a match (piquet §4 to §6), against a second reading of the rules."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.piquet import Declared, Played
from services.games.piquet.state import Parts, hand_of
from services.games.shuffle import Stream
from tests.games.scenes import Scene, positions

RANKS = "789TJQKA"
COUNTED = ("carte_blanche", "point", "sequence", "set", "lead", "capture", "last")

options = st.fixed_dictionaries(
    {
        "preset": st.sampled_from(["seed", "classic", "cent"]),
    },
    optional={
        "sequence_bonus_from": st.sampled_from([3, 4, 5]),
        "set_bonus_from": st.sampled_from([3, 4]),
        "set_min_rank": st.sampled_from("789T"),
        "set_tie": st.sampled_from(["sets_then_rank", "rank"]),
        "lead_points": st.sampled_from(["nine_up", "ten_up", "any", "none"]),
        "capture_points": st.sampled_from(["none", "any", "ten_up"]),
        "trick_table": st.sampled_from(["each_and_last", "first_and_second"]),
        "last_trick_points": st.sampled_from([1, 2]),
        "capot": st.sampled_from(["replaces", "adds"]),
        "blank_opponent": st.booleans(),
        "younger_min_exchange": st.sampled_from([0, 1]),
        "deal_batch": st.sampled_from([2, 3]),
    },
)


# --- a second reading of the rules, on the cards that were shown -------------------------------------------------


def counts(rule: str, card: str) -> bool:
    """piquet §5.2"""
    least = {"nine_up": "9", "ten_up": "T", "any": "7"}.get(rule)
    return least is not None and RANKS.index(card[0]) >= RANKS.index(least)


def claims_of(cards: list[str], what: str, least: str) -> list[set[str]]:
    """All that could be claimed of a category: every run that no card lengthens, every set (piquet §4.2)."""
    if what == "set":
        groups = [{card for card in cards if card[0] == rank} for rank in RANKS[RANKS.index(least) :]]
        return [group for group in groups if len(group) >= 3]
    found: list[set[str]] = []
    for suit in "shdc":
        for low, high in combinations(range(9), 2):
            run = {rank + suit for rank in RANKS[low:high]}
            around = {RANKS[place] + suit for place in (low - 1, high) if 0 <= place < 8}
            if len(run) >= 3 and run <= set(cards) and not around & set(cards):
                found.append(run)
    return found


def worth(option: Any, what: str, groups: list[set[str]]) -> int:
    """piquet §4.2"""
    enough = {"point": 99, "sequence": option.sequence_bonus_from, "set": option.set_bonus_from}[what]
    return sum(len(group) + (10 if len(group) >= enough else 0) for group in groups)


def merit(option: Any, what: str, groups: list[set[str]]) -> Any:
    """piquet §4.2"""
    if what == "point":
        return sum({"A": 11, "9": 9, "8": 8, "7": 7}.get(card[0], 10) for card in groups[0])
    tops = [(len(group), max(RANKS.index(card[0]) for card in group)) for group in groups]
    size, rank = max(tops)
    return (size, len(groups), rank) if what == "set" and option.set_tie == "sets_then_rank" else (size, rank)


class Reckoning:
    """Points in order of time, and the bonus that comes with 30."""

    def __init__(self, option: Any) -> None:
        self.option = option
        self.parts: list[dict[str, int]] = [{}, {}]

    def running(self, seat: int) -> int:
        """piquet §5.3"""
        return sum(points for part, points in self.parts[seat].items() if part in COUNTED)

    def add(self, seat: int, part: str, points: int, *, played: bool) -> None:
        """Points, and what comes of them."""
        someone = any(self.running(each) >= 30 for each in (0, 1))
        self.parts[seat][part] = self.parts[seat].get(part, 0) + points
        blank = self.running(1 - seat) == 0 or not self.option.blank_opponent
        if not someone and self.running(seat) >= 30 and blank and part in COUNTED:
            self.parts[seat]["pique" if played else "repique"] = 30 if played else 60


def reckoned(first: Any, moves: list[Any]) -> list[dict[str, int]]:
    """The breakdown of a hand, from what was seen of it."""
    option, dealer = first.options, first.phase.hand.dealer
    book = Reckoning(option)
    claims: list[Declared] = []
    cards: list[tuple[int, str]] = []
    for seat, action, events in moves:
        claims += [event for event in events if isinstance(event, Declared)]
        if action.get("what") == "carte_blanche":
            book.add(seat, "carte_blanche", 10, played=False)
        cards += [(event.seat, event.card) for event in events if isinstance(event, Played)]
    for what in ("point", "sequence", "set"):
        groups = {claim.seat: [set(group) for group in claim.groups] for claim in claims if claim.what == what}
        best = {seat: merit(option, what, own) for seat, own in groups.items()}
        winners = [seat for seat in best if best[seat] == max(best.values())]
        if len(winners) == 1:
            book.add(winners[0], what, worth(option, what, groups[winners[0]]), played=False)
    return tricks(book, cards, leader=1 - dealer)


def tricks(book: Reckoning, cards: list[tuple[int, str]], *, leader: int) -> list[dict[str, int]]:
    """piquet §5.2, §5.4"""
    option, won = book.option, [0, 0]
    each = option.trick_table == "each_and_last"
    for number in range(1, 13):
        (first, lead), (second, card) = cards[2 * number - 2 : 2 * number]
        assert (first, second) == (leader, 1 - leader)
        led = counts(option.lead_points, lead) and (each or number == 1)
        if led:
            book.add(first, "lead", 1, played=True)
        wins = lead[1] == card[1] and RANKS.index(card[0]) > RANKS.index(lead[0])
        leader = second if wins else first
        won[leader] += 1
        if not each and number == 2:
            book.add(leader, "last", 2, played=True)
        if each and number < 12 and wins and counts(option.capture_points, card):
            book.add(second, "capture", 1, played=True)
        if each and number == 12:
            book.add(leader, "last", option.last_trick_points - (led and not wins), played=True)
    for seat in (0, 1):
        if won[seat] == 12:
            book.add(seat, "capot", 40, played=True)
        if 7 <= won[seat] < 12 or (won[seat] == 12 and option.capot == "adds"):
            book.add(seat, "cards", 10, played=True)
    return [{part: points for part, points in own.items() if points} for own in book.parts]


@settings(max_examples=120)
@given(options, st.binary(min_size=32, max_size=32))
def test_a_hand_scores_what_a_second_reading_of_the_rules_makes_of_it(option: dict[str, Any], seed: bytes) -> None:
    hand = list(positions("piquet", option, seats=2, seed=seed))
    last = hand_of(hand[-1].after)
    assert last is not None
    got = [{part: getattr(own, part) for part in Parts.__struct_fields__ if getattr(own, part)} for own in last.parts]
    assert got == reckoned(hand[0].state, [(each.seat, each.action, each.events) for each in hand])


@settings(max_examples=120)
@given(options, st.binary(min_size=32, max_size=32))
def test_what_may_be_declared_is_all_that_is_held_and_no_less(option: dict[str, Any], seed: bytes) -> None:
    """piquet §4.2"""
    for state, seat, action, events, _ in positions("piquet", option, seats=2, seed=seed):
        claims = [event for event in events if isinstance(event, Declared)]
        if action["type"] not in ("declare", "pass") or action.get("what") == "carte_blanche":
            continue
        held, what = list(state.phase.hand.held[seat]), state.phase.what
        if what == "point":
            totals = {s: merit(None, "point", [{c for c in held if c[1] == s}]) for s in "shdc"}
            best = {s for s in totals if totals[s] == max(totals.values())}
            table = Scene("piquet", {"hands": [[], []]}, seats=2)
            table.state = state
            assert {choice["suit"] for choice in table.choices(seat) if "suit" in choice} == best
            assert all(set(claim.groups[0]) == {c for c in held if c[1] == action["suit"]} for claim in claims)
            continue
        expected = claims_of(held, what, state.options.set_min_rank)
        for claim in claims:
            assert sorted(map(sorted, claim.groups)) == sorted(map(sorted, expected))
        table = Scene("piquet", {"hands": [[], []]}, seats=2)
        table.state = state
        assert len(table.choices(seat)) == 1 + bool(expected)


# --- the match (piquet §6) ---------------------------------------------------------------------------------------


def played(**scenario: Any) -> Scene:
    """A hand played by time-outs, as it comes from a canonical deck."""
    deck = [rank + suit for suit in "shdc" for rank in RANKS]
    option = scenario.pop("options", {})
    table = Scene("piquet", {"deck": deck, **scenario}, seats=2, **option)
    table.play_by_time_outs()
    return table


def test_a_match_over_a_target_ends_above_it_and_one_that_reaches_it_at_it() -> None:
    scores = played().fact("scores")
    to_target = [100 - score for score in scores]
    for match_end, is_over in (("over", False), ("reach", True)):
        totals = [to_target[0], 0]
        assert played(totals=totals, options={"match_end": match_end}).fact("match_over") == is_over
    assert played(totals=[to_target[0] + 1, 0]).fact("match_over")


@pytest.mark.parametrize("match_end", ["over", "reach"])
def test_equal_totals_play_on(match_end: str) -> None:
    first, second = played().fact("scores")
    table = played(totals=[200 - first, 200 - second], options={"match_end": match_end})
    assert (table.fact("totals"), table.fact("match_over"), table.fact("winner")) == ((200, 200), False, None)


@pytest.mark.parametrize(
    ("played_before", "lead", "is_over"), [(4, 1, False), (5, 1, True), (5, 0, False), (6, 1, False), (7, 0, True)]
)
def test_a_partie_has_its_hands_and_two_more_where_it_stands_equal(
    played_before: int,
    lead: int,
    is_over: bool,  # noqa: FBT001
) -> None:
    first, second = played(options={"match_end": "partie"}).fact("scores")
    totals = [300 + lead - first, 300 - second]
    table = played(totals=totals, hands_played=played_before, options={"match_end": "partie"})
    assert table.fact("totals") == (300 + lead, 300)
    assert table.fact("match_over") == is_over
    assert table.fact("winner") == (0 if is_over and lead else None)
    assert table.fact("settlement") == (((100 + lead, -100 - lead) if lead else (0, 0)) if is_over else None)


@pytest.mark.parametrize(
    ("totals", "settlement"), [((100, 260), (-260, 260)), ((99, 260), (-459, 459)), ((99, 60), (259, -259))]
)
def test_the_rubicon(totals: tuple[int, int], settlement: tuple[int, int]) -> None:
    """A loser below 100 pays both totals, whatever the winner has."""
    scores = played(options={"match_end": "partie"}).fact("scores")
    before = [total - score for total, score in zip(totals, scores, strict=True)]
    assert played(totals=before, hands_played=5, options={"match_end": "partie"}).fact("settlement") == settlement


def test_the_deal_alternates() -> None:
    assert played(dealer=1).fact("next_dealer") == 0
    assert played(dealer=0).fact("next_dealer") == 1


@pytest.mark.parametrize(("batch", "elder"), [(2, "7s 8s"), (3, "7s 8s 9s")])
def test_so_many_cards_at_a_time_go_to_elder_first(batch: int, elder: str) -> None:
    """piquet §3"""
    deck = tuple(rank + suit for suit in "shdc" for rank in RANKS)
    table = Scene("piquet", {"deck": deck, "dealer": 0}, seats=2, deal_batch=batch)
    hand = hand_of(table.state)
    assert hand is not None
    assert hand.held[1][:batch] == tuple(elder.split())
    assert hand.held[0][0] == deck[batch]
    assert hand.talon == deck[24:]
    assert sorted((*hand.held[0], *hand.held[1], *hand.talon)) == sorted(deck)


def test_dice_of_the_tests_make_capots_and_bonuses() -> None:
    """The comparison above is not of empty columns: carte blanche aside, every part comes up."""
    seen: set[str] = set()
    for number in range(400):
        dice = Stream(number.to_bytes(32, "big"))
        option = {"preset": ("seed", "classic")[number % 2], "blank_opponent": False, "set_bonus_from": 3}
        *_, last = positions("piquet", option, seats=2, seed=dice.block())
        hand = hand_of(last.after)
        assert hand is not None
        seen |= {part for own in hand.parts for part in Parts.__struct_fields__ if getattr(own, part)}
    assert seen >= set(Parts.__struct_fields__) - {"carte_blanche", "capot"}
