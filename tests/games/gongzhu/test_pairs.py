"""What may be led and followed with, against a word-by-word reading of gongzhu §5.2 to §5.5 over physical cards."""

from itertools import combinations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from schemas.cards import Cards
from schemas.gongzhu import Exposure, Mode, Played
from services.games.gongzhu import GAME
from services.games.gongzhu.plays import choices
from services.games.gongzhu.state import Deal, Hand, Playing
from services.games.shared.cards import in_order
from tests.games.gongzhu.hands import NORTH, SOUTH

RED = ("h", "d")


class Copy(Struct, frozen=True):
    """One physical card: which of several in a hand, what it is, and how it is exposed, if it is."""

    number: int
    card: str
    mode: Mode | None = None

    @property
    def suit(self) -> str:
        """Its suit."""
        return self.card[1]


Play = tuple[Copy, ...]


def read_by_the_letter(hand: list[Copy], led: Cards, unopened: str, *, strict: bool) -> set[Cards]:
    """The plays that the rules allow to a follower, found by trying every choice of cards."""
    suit, count = led[0][1], len(led)
    own = [copy for copy in hand if copy.suit == suit]
    plays = [play for play in combinations(hand, count) if plays_the_unexposed_copy_first(play, hand)]
    # §5.4: n >= 2: two cards of the suit; n = 1: that card and one other; n = 0: any two (§5.2: a card likewise)
    plays = [play for play in plays if sum(copy.suit == suit for copy in play) == min(count, len(own))]
    # §5.4: among these only those with the fewest banned cards; §5.3: banned in following suit
    plays = fewest(plays, suit, unopened)
    # §5.4: if one of those is a pair of the led suit, only such pairs are legal
    pairs = [play for play in plays if count == 2 and is_pair(play) and play[0].suit == suit]
    plays = pairs or plays
    if strict:  # §5.5: at least min(d, r) discards of the right colour
        plays = [play for play in plays if right(play, suit) >= min(discards(play, suit), right(hand, suit))]
    return {in_order(tuple(copy.card for copy in play)) for play in plays}


def lead_by_the_letter(hand: list[Copy], unopened: str) -> set[Cards]:
    """The leads that the rules allow, one card or a pair, where no opening card must be led."""
    plays = [(copy,) for copy in hand] + [play for play in combinations(hand, 2) if is_pair(play)]
    legal = set[Cards]()
    for play in plays:
        own = [copy for copy in hand if copy.suit == play[0].suit]
        all_banned = all(is_banned(copy, unopened) for copy in own)
        if plays_the_unexposed_copy_first(play, hand) and (all_banned or not any(is_banned(c, unopened) for c in play)):
            legal.add(tuple(copy.card for copy in play))
    return legal


def plays_the_unexposed_copy_first(play: Play, hand: list[Copy]) -> bool:
    """§4: of an exposed and an unexposed copy of the same code, playing one plays the unexposed one."""
    kept = [copy for copy in hand if copy not in play]
    return not any(
        copy.mode is not None and other.mode is None and other.card == copy.card for copy in play for other in kept
    )


def is_banned(copy: Copy, unopened: str) -> bool:
    """§5.3: an exposed card of mode open or forced, while its suit is not opened."""
    return copy.mode in ("open", "forced") and copy.suit in unopened


def fewest(plays: list[Play], suit: str, unopened: str) -> list[Play]:
    """The plays with the fewest banned cards of the led suit."""
    banned = [sum(is_banned(copy, unopened) and copy.suit == suit for copy in play) for play in plays]
    return [play for play, number in zip(plays, banned, strict=True) if number == min(banned)]


def is_pair(play: Play) -> bool:
    """Two cards of the same suit and rank."""
    return len(play) == 2 and play[0].card == play[1].card


def discards(play: Play, suit: str) -> int:
    """How many cards of the play are not of the led suit."""
    return sum(copy.suit != suit for copy in play)


def right(copies: Play | list[Copy], suit: str) -> int:
    """How many cards outside the led suit are of its colour."""
    return sum(copy.suit != suit and (copy.suit in RED) == (suit in RED) for copy in copies)


# --- the rules beside the reading --------------------------------------------------------------------------------

FEW_CARDS = ("2s", "3s", "Qs", "Ks", "2h", "Ah", "Kh", "2d", "Jd", "Qd", "2c", "Tc")
MODES: tuple[Mode | None, ...] = (None, None, "open", "open", "forced", "dark", "first")


@st.composite
def hands(draw: st.DrawFn) -> list[Copy]:
    """A few cards of a few kinds, so that pairs and exposed cards are many."""
    cards = draw(st.lists(st.sampled_from(FEW_CARDS), min_size=2, max_size=9))
    cards = [card for place, card in enumerate(cards) if cards[:place].count(card) < 2]
    return [
        Copy(number, card, draw(st.sampled_from(MODES)) if card in ("Qs", "Ah", "Jd", "Tc") else None)
        for number, card in enumerate(in_order(tuple(cards)))
    ]


def position(hand: list[Copy], led: Cards, unopened: str) -> Playing:
    """South is to follow, or to lead."""
    held: list[Cards] = [(), (), tuple(copy.card for copy in hand), ()]
    exposures = tuple(Exposure(copy.card, SOUTH, copy.mode) for copy in hand if copy.mode is not None)
    bare = Hand(
        deal=Deal(hand_no=1, dealer=0, leader=None),
        leader=NORTH,
        opening=None,
        held=tuple(held),
        exposed=exposures,
        unplayed=exposures,
        unopened=unopened,
    )
    trick = (Played(seat=1, cards=led, next=2),) if led else ()
    return Playing(hand=bare, turn=SOUTH, trick=trick)


def copies(text: str) -> list[Copy]:
    """`Qs:open Qs 3s` as physical cards in canonical order."""
    parts = [part.partition(":")[::2] for part in text.split()]
    return [Copy(number, card, mode or None) for number, (card, mode) in enumerate(parts)]  # type: ignore[arg-type]  # modes


COLOUR = {False: "off", True: "strict"}
OPTIONS = {strict: GAME.open({"decks": 2, "discard_colour": colour}, 4) for strict, colour in COLOUR.items()}
suits = st.sets(st.sampled_from("shdc")).map(lambda suits: "".join(sorted(suits)))


@settings(max_examples=1500)
@given(hand=hands(), card=st.sampled_from(FEW_CARDS), count=st.integers(1, 2), unopened=suits, strict=st.booleans())
@example(hand=copies("2h Kh Kh Ah"), card="3h", count=2, unopened="shdc", strict=False)  # §13.14
@example(hand=copies("2h Kh Ah"), card="3h", count=2, unopened="shdc", strict=False)
@example(hand=copies("3s Qs:open Qs"), card="Ks", count=2, unopened="shdc", strict=False)  # §13.16
@example(hand=copies("Qs:open Qs:first 3s"), card="Ks", count=1, unopened="shdc", strict=False)
def test_followers_may_play_what_the_rules_say(
    *, hand: list[Copy], card: str, count: int, unopened: str, strict: bool
) -> None:
    if len(hand) < count:
        return
    led = (card,) * count
    expected = read_by_the_letter(hand, led, unopened, strict=strict)
    listed = choices(OPTIONS[strict], position(hand, led, unopened))
    assert len(set(listed)) == len(listed)
    assert set(listed) == expected


@settings(max_examples=700)
@given(hands(), suits)
@example(copies("Qs:open Qs 3s"), "shdc")
@example(copies("Qs:open Qs:forced"), "s")
def test_leaders_may_lead_what_the_rules_say(hand: list[Copy], unopened: str) -> None:
    listed = choices(OPTIONS[False], position(hand, (), unopened))
    assert len(set(listed)) == len(listed)
    assert set(listed) == lead_by_the_letter(hand, unopened)


def test_the_examples_of_the_rules_come_out_of_the_reading() -> None:
    """gongzhu §13.14, §13.16: the reading is held against what the rules say of single hands."""
    assert read_by_the_letter(copies("2h Kh Kh Ah"), ("3h", "3h"), "shdc", strict=False) == {("Kh", "Kh")}
    assert len(read_by_the_letter(copies("2h Kh Ah"), ("3h", "3h"), "shdc", strict=False)) == 3
    assert read_by_the_letter(copies("3s Qs:open Qs"), ("Ks", "Ks"), "shdc", strict=False) == {("3s", "Qs")}
