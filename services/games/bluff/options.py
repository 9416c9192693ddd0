"""The options of Bluff (bluff §1)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from schemas.cards import PACK, Cards
from services.games.shared.cards import FULL_PACK
from services.games.shared.options import check_seats, read_options

SEAT_COUNTS = (4, 5, 6, 7, 8)

_CARDS_A_DECK = 6


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options of Bluff (bluff §1). Opened, `auto` is resolved to numbers.

    Attributes:
        decks: how many packs are played with; `auto` is one up to six seats, then two.
        jokers: they count as any rank (`wild`), are a rank of their own (`own_rank`), or are not there (`none`).
        claim: what a play claims: the `leader_rank`, any rank (`free_rank`), one rank after the other (`sequence`), or
            only that all are `of_a_kind`.
        max_cards: the most cards that may be led; `auto` is six a deck.
        liar_takes: whether a liar takes the whole `pile` or his `own` turned cards.
        allow_pass: a play may be left to the next seat.
        target: the total that wins the match.
        target_mode: whether so many points below zero end it too: `positive` or `absolute`.
        turn_limit: after so many actions a hand is stopped; 0 for no limit.
    """

    decks: Literal["auto", 1, 2] = "auto"
    jokers: Literal["wild", "own_rank", "none"] = "wild"
    claim: Literal["leader_rank", "free_rank", "sequence", "of_a_kind"] = "leader_rank"
    max_cards: Literal["auto"] | Annotated[int, Meta(ge=1, le=12)] = "auto"
    liar_takes: Literal["pile", "own"] = "pile"
    allow_pass: bool = False
    target: Annotated[int, Meta(ge=10, le=1000)] = 50
    target_mode: Literal["positive", "absolute"] = "positive"
    turn_limit: Annotated[int, Meta(ge=0)] = 0


PRESETS: Mapping[str, Mapping[str, Any]] = {"standard": {}}
"""Differences from the defaults."""


def open_(raw: Mapping[str, Any], seats: int) -> Options:
    """The resolved options of a match. Raises Refused: bad_option."""
    check_seats(seats, SEAT_COUNTS)
    options = read_options(raw, Options, PRESETS)
    decks = options.decks
    if decks == "auto":
        decks = 1 if seats <= 6 else 2
    most = _CARDS_A_DECK * decks if options.max_cards == "auto" else options.max_cards
    return replace(options, decks=decks, max_cards=most)


def pack(options: Options) -> Cards:
    """The cards that are played with."""
    deck = PACK if options.jokers == "none" else FULL_PACK
    return deck * (2 if options.decks == 2 else 1)


def most_led(options: Options) -> int:
    """The most cards that may be led."""
    return 0 if options.max_cards == "auto" else options.max_cards
