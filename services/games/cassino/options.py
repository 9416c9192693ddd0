"""The options of the fishing game and their presets (cassino §2)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from schemas.cards import PACK, Card, Cards
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shared.options import check_dealer, check_seats, read_options
from services.games.shuffle import SHARES

SEAT_COUNTS = (2, 3, 4)

RANKS = "A23456789TJQK"
"""By value; J Q K have none, and are only in the pack of 52 (cassino §1)."""


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options of the fishing game, resolved (cassino §2).

    Attributes:
        deck: 40 cards from ace to ten, or all 52.
        teams: four seats play as two sides, opposite seats together.
        hand_size: how many cards a hand has.
        table_size: how many cards are kept open on the table.
        first_player: the `next` seat after the dealer acts first, or the `dealer`.
        first_dealer: dealer of hand 1.
        build_needs_card: who builds must hold another card that takes the build.
        build_condition: no build while a take would win a scoring card (`strict`), or builds are `free`.
        build_lapse: a build that its maker did not take is free for all (`release`), or stays his (`keep`).
        multi_take: one card may take several groups at once.
        wrong_take: a take that does not add up costs a point (`penalty`), or is refused (`reject`).
        majority: who has enough cards or spades gets the bonus (`threshold`), or only who also has `most`.
        last_takes_table: the last taker gets what lies on the table at the end of a hand.
        match_hands: the number of hands in a match without a target.
        match_target: a match goes on until a total reaches this; None for a number of hands.
    """

    deck: Literal[40, 52] = 40
    teams: bool = False
    hand_size: Annotated[int, Meta(ge=3, le=10)] = 4
    table_size: Annotated[int, Meta(ge=2, le=10)] = 4
    first_player: Literal["next", "dealer"] = "next"
    first_dealer: Annotated[int, Meta(ge=0, lt=SEAT_COUNTS[-1])] = 0
    build_needs_card: bool = True
    build_condition: Literal["strict", "free"] = "strict"
    build_lapse: Literal["release", "keep"] = "release"
    multi_take: bool = False
    wrong_take: Literal["penalty", "reject"] = "penalty"
    majority: Literal["threshold", "most"] = "threshold"
    last_takes_table: bool = False
    match_hands: Annotated[int, Meta(ge=1, le=SHARES)] = 1
    match_target: Annotated[int, Meta(ge=1)] | None = None


PRESETS: Mapping[str, Mapping[str, Any]] = {"seed": {}, "online": {"wrong_take": "reject"}}
"""Differences from the defaults (cassino §2)."""


def open_(raw: Mapping[str, Any], seats: int) -> Options:
    """The resolved options of a match. Raises Refused: bad_option."""
    check_seats(seats, SEAT_COUNTS)
    options = read_options(raw, Options, PRESETS)
    check_dealer(options.first_dealer, seats=seats)
    if options.teams and seats != 4:
        raise Refused(Code.BAD_OPTION, "teams are for four seats")
    if seats * options.hand_size + options.table_size > options.deck:
        raise Refused(Code.BAD_OPTION, "there are not so many cards")
    return options


_PACKS: Mapping[int, Cards] = {
    40: tuple(card for card in PACK if card[0] not in "JQK"),
    52: PACK,
}


_CARDS = {size: frozenset(cards) for size, cards in _PACKS.items()}


def pack(options: Options) -> Cards:
    """The cards that are played with."""
    return _PACKS[options.deck]


def cards_of(options: Options) -> frozenset[Card]:
    """The same cards, to look one up."""
    return _CARDS[options.deck]
