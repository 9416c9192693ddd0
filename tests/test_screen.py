"""The picture of a table in a terminal of 100×30, as text."""

import io

import pytest
from rich.console import Console

from schemas.cards import RANKS, Cards
from schemas.sealed import Hidden
from schemas.views import Pile, Place, Table
from services.screen import cards_text, in_order, table_panel

COLUMNS, LINES = 100, 30
HAND: Cards = ("Ts", "3c", "Qs", "2h", "Ah", "Td", "9d", "8c", "7c", "6c", "5c", "4c", "Ks")


def picture(table: Table, *, watched: int | None = None) -> list[str]:
    """The lines of the picture."""
    file = io.StringIO()
    Console(file=file, width=COLUMNS, height=LINES).print(table_panel(table, watched=watched))
    return file.getvalue().splitlines()


def place(*, hand: Cards, taken: Cards = (), trick: Cards = (), exposed: Cards = (), is_open: bool = False) -> Place:
    """A seat's place; the hand is open or only counted."""
    piles = {"trick": trick, "exposed": exposed, "taken": taken}
    return Place(
        hand=Hidden(hand, n=len(hand)) if is_open else Hidden(n=len(hand)),
        piles=tuple(Pile(name=name, cards=cards) for name, cards in piles.items()),
        facts={"total": -1240, "raw_total": -1240, "tricks": 13},
    )


def table(*places: Place, turn: tuple[int, ...] = (1,), piles: tuple[Pile, ...] = ()) -> Table:
    """A table of Gongzhu in play."""
    turns: Hidden[tuple[int, ...]] = Hidden(turn)
    facts = {"hand_no": 3, "leader": 1, "exposed": ()}
    return Table(game="gongzhu", phase="play", turn=turns, places=places, piles=piles, facts=facts)


def row(lines: list[str], seat: int) -> str:
    """The line of a seat."""
    return next(line for line in lines if f"seat {seat} " in line and "hand of" not in line)


@pytest.mark.parametrize(("card", "text"), [("Qs", "Q♠"), ("Td", "10♦"), ("2h", "2♥"), ("Ac", "A♣"), ("Xr", "🃏")])
def test_a_card_is_written_as_players_read_it(card: str, text: str) -> None:
    assert cards_text([card]).plain == text


def test_a_hand_is_ordered_by_suit_and_from_high_to_low() -> None:
    assert cards_text(in_order(HAND)).plain == "K♠ Q♠ 10♠ A♥ 2♥ 10♦ 9♦ 8♣ 7♣ 6♣ 5♣ 4♣ 3♣"


def test_the_watched_hand_is_shown_and_the_others_are_counted() -> None:
    lines = picture(table(place(hand=HAND, is_open=True), place(hand=HAND[:9])), watched=0)
    assert any("hand of seat 0  K♠ Q♠ 10♠ A♥ 2♥ 10♦ 9♦ 8♣ 7♣ 6♣ 5♣ 4♣ 3♣ " in line for line in lines)
    assert "13 cards" in row(lines, 0)
    assert "9 cards" in row(lines, 1)


def test_an_open_hand_of_another_seat_is_shown_in_its_row() -> None:
    lines = picture(table(place(hand=HAND[:3], is_open=True), place(hand=("Ac", "Kc"), is_open=True)), watched=0)
    assert "A♣ K♣" in row(lines, 1)


def test_trick_exposed_and_taken_cards_and_totals_stand_under_their_headings() -> None:
    seat = place(hand=HAND[:4], trick=("Td",), exposed=("Qs",), taken=("Jd", "5h"))
    lines = picture(table(seat, seat), watched=0)
    heading = next(line for line in lines if "taken" in line)
    for name, text in (("trick", "10♦"), ("exposed", "Q♠"), ("taken", "J♦ 5♥")):
        start = heading.rindex(name)
        assert row(lines, 1)[start:].startswith(text)
    assert row(lines, 1)[: heading.index("raw total")].endswith("-1240  ")


def test_who_is_waited_for_managed_or_not_there_is_marked() -> None:
    here = place(hand=())
    managed = Place(hand=Hidden(n=0), managed=True)
    lines = picture(table(here, here, managed, Place(hand=Hidden(n=0), joined=False), turn=(1,)), watched=0)
    assert [("▶" in row(lines, seat)) for seat in range(4)] == [False, True, False, False]
    assert "seat 2 (managed)" in row(lines, 2)
    assert "seat 3 (free)" in row(lines, 3)


def test_a_secret_turn_and_a_hand_of_secret_size_tell_nothing() -> None:
    secret = Table(game="g", phase="p", turn=Hidden(), places=(Place(hand=Hidden()),))
    lines = picture(secret)
    assert not any("▶" in line for line in lines)
    assert "?" in row(lines, 0)


def test_piles_in_the_middle_are_shown_or_counted() -> None:
    piles = (Pile(name="board", cards=("Ah", "Kd")), Pile(name="stock", hidden=Hidden(n=31)))
    text = "\n".join(picture(table(place(hand=()), piles=piles)))
    assert "A♥ K♦" in text
    assert "31 cards" in text


def test_the_fullest_table_fits_a_terminal_of_100_by_30() -> None:
    """One seat has taken all sixteen point cards, and each has exposed one; nothing is cut off."""
    points: Cards = (*(f"{rank}h" for rank in RANKS), "Qs", "Jd", "Tc")
    seats = [place(hand=HAND, exposed=(card,), trick=("Td",)) for card in ("Qs", "Jd", "Tc", "Ah")]
    seats[0] = place(hand=HAND, is_open=True, taken=points, trick=("Td",), exposed=("Qs", "Jd", "Tc", "Ah"))
    lines = picture(table(*seats, turn=(0,)), watched=0)
    assert {len(line) for line in lines} == {COLUMNS}
    assert len(lines) < LINES
    text = "".join(lines)
    assert "…" not in text
    for card in points:
        assert cards_text([card]).plain in text


def test_what_changes_does_not_move_the_columns() -> None:
    """From one picture to the next the headings stay where they are, however many cards are held or were taken."""
    early = table(place(hand=HAND, is_open=True), place(hand=HAND))
    late = table(
        place(hand=HAND[:1], is_open=True, taken=HAND[:9]), place(hand=HAND[:1], trick=("Td",), taken=HAND[:2])
    )
    headings = [next(line for line in picture(each, watched=0) if "taken" in line) for each in (early, late)]
    assert headings[0] == headings[1]
