"""The table in a terminal, drawn for any game from the lay-out that a viewer is sent."""

from collections.abc import Iterable
from typing import cast

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from schemas.cards import RANKS, SUITS, Card, Cards, Seat
from schemas.sealed import Hidden
from schemas.views import Pile, Place, Table

SUIT_SIGNS = {"s": ("♠", "bright_white"), "h": ("♥", "red"), "d": ("♦", "red"), "c": ("♣", "bright_white")}
JOKERS = {"Xr": ("🃏", "red"), "Xb": ("🃏", "bright_white")}


NAME_WIDTH = 8
FACT_WIDTH = 6
PILE_WIDTH = 8
"""The least widths of the columns, wide enough for what mostly stands in them."""


def card_text(card: Card) -> Text:
    """One card as a player reads it: `Q♠`, `10♦`."""
    if card in JOKERS:
        return Text(*JOKERS[card])
    rank = "10" if card[0] == "T" else card[0]
    sign, colour = SUIT_SIGNS[card[1]]
    return Text(rank + sign, colour)


def cards_text(cards: Iterable[Card]) -> Text:
    """Several cards beside each other."""
    return Text(" ").join(map(card_text, cards))


def in_order(cards: Cards) -> Cards:
    """The cards by suit, then from high to low, as one holds them."""
    return tuple(sorted(cards, key=_place_in_hand))


def _place_in_hand(card: Card) -> tuple[int, int]:
    return (SUITS.find(card[1]), -RANKS.find(card[0]))


def table_panel(table: Table, *, watched: Seat | None = None) -> RenderableType:
    """The whole table; `watched` is the seat whose eyes we look through, and whose hand has a line of its own.

    What changes its width stands on the right, so that the rest stays where it is from one picture to the next.
    """
    seats = Grid(box=None, header_style="bold", pad_edge=False)
    seats.add_column("", min_width=NAME_WIDTH)
    for heading in _fact_names(table):
        seats.add_column(_words(heading), justify="right", min_width=FACT_WIDTH)
    for heading in ("hand", *_pile_names(table)):
        seats.add_column(_words(heading), min_width=PILE_WIDTH)
    turn = table.turn.value if table.turn.is_open else ()
    for seat, place in enumerate(table.places):
        name = _name(seat, place, waited=seat in turn, watched=seat == watched)
        seats.add_row(name, *_cells(table, place, apart=seat == watched))
    parts: list[RenderableType] = [seats]
    if table.piles:
        parts.append(Columns([Panel(_pile(pile), title=_words(pile.name)) for pile in table.piles]))
    if watched is not None:
        parts.append(Text.assemble("\n", (f"hand of seat {watched}  ", "bold"), _hidden(table.places[watched].hand)))
    facts = "  ".join(f"{_words(name)} {said}" for name, fact in table.facts.items() if (said := _fact(fact)))
    return Panel(Group(*parts), title=f"{table.game} · {_words(table.phase)}", subtitle=facts)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _pile_names(table: Table) -> list[str]:
    return list(dict.fromkeys(pile.name for place in table.places for pile in place.piles))


def _fact_names(table: Table) -> list[str]:
    return list(dict.fromkeys(name for place in table.places for name in place.facts))


def _fact(fact: object) -> str:
    """A fact in a few words: a number, a word, or a list of such; other facts are for programs."""
    members = cast(list[object], fact if isinstance(fact, list | tuple) else [fact])
    if not all(isinstance(member, int | str) and not isinstance(member, bool) for member in members):
        return ""
    return " ".join(map(str, members))


def _cells(table: Table, place: Place, *, apart: bool) -> list[Text]:
    """Facts, hand and piles of a seat; only the size of a hand that is shown `apart`."""
    piles = {pile.name: pile for pile in place.piles}
    return [
        *(Text(str(place.facts.get(name, ""))) for name in _fact_names(table)),
        _size(place.hand) if apart else _hidden(place.hand),
        *(_pile(piles[name]) if name in piles else Text() for name in _pile_names(table)),
    ]


def _name(seat: Seat, place: Place, *, waited: bool, watched: bool) -> Text:
    state = "" if place.joined else " (free)"
    marks = f"{'▶' if waited else ' '} seat {seat}{' (managed)' if place.managed else state}"
    return Text(marks, "bold cyan" if watched else "")


def _pile(pile: Pile) -> Text:
    return cards_text(pile.cards) if pile.hidden is None else _hidden(pile.hidden)


def _hidden(cards: Hidden[Cards]) -> Text:
    if cards.is_open:
        return cards_text(in_order(cards.value))
    return _size(cards)


def _size(cards: Hidden[Cards]) -> Text:
    return Text("?" if cards.n is None else "1 card" if cards.n == 1 else f"{cards.n} cards", "dim")
