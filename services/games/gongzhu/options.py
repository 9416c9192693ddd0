"""The options of Gongzhu and their presets (gongzhu §2)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from schemas.cards import PACK, Cards, SuitedCard
from schemas.refusals import Code
from services.games.game import Refused
from services.games.shared.options import check_seats, read_options

SEATS = 4
SEAT_COUNTS = (SEATS,)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options of Gongzhu, resolved (gongzhu §2).

    Attributes:
        decks: how many packs are played with; with 2, pairs may be led.
        partnership: `opposite` seats are partners, or those dealt the pig and the sheep (`pig_sheep`).
        opening_card: who holds it leads the first trick, where the leader is found by it.
        opening_must_play: he must lead that very card.
        leader_rule: who leads the first trick of a hand: the `pig_taker` of the last hand, the holder of the
            `opening_card` in every hand, or the seats in turn (`rotate`).
        first_dealer: dealer of hand 1.
        cut: whether the next `player` after the dealer cuts the deck.
        misdeal: wrong card counts void the hand (`redeal`), or may be mended if all agree (`consent`).
        expose: seats expose as they like (`optional`), `none` may, or all four specials are exposed by force
            (`all`; `except_sheep` all but the sheep).
        expose_order: all seats answer at once and `sealed`, or in `turns`, openly, from the leader on.
        first_expose: a seat may expose the first card dealt to it before it sees the others, for a factor of 4.
        dark_expose: whether only the number of exposed cards is told: `off`, `allowed` or `always`.
        force_fourth: when all exposable cards but one are exposed, so is the last.
        self_capture: a special card taken by the seat that was dealt it counts double.
        discard_colour: a discard must be of the colour of the led suit: `off`, `strict` (else refused), or `penalty`
            (else its player takes the trick's point cards).
        all_red_unit: who must take all hearts for all-red, and all point cards for a slam: a `seat` or a `side`.
        pig_flip: the pig turns positive with a `grand_slam`, or with `all_hearts` and all pigs.
        slam_exposed: exposing raises a grand slam card by card (`component`) or as a `whole`.
        heart_values: what hearts count: `standard`, or their `face` value.
        final_score: a hand's final is the score itself (`raw`), or what the others pay one (`zero_sum`).
        lose_at: the total at which a match is lost; None for no such end.
        win_at: the total at which a match is won; None for no such end.
        threshold: a total must `reach` lose_at or win_at to end the match, or `pass` it.
        threshold_on: which totals are compared: `raw` or `final`.
        hands_limit: the number of hands in a match; None for no limit.
        double_pig: the best and the worst seat both lose.
        early_end: a hand ends as soon as all point cards are taken.
        claim: whether seats may claim the rest of a hand.
        claim_dispute: after a challenge, play goes on (`play_on`) or the `referee` rules.
        claim_grace: a last chance to challenge when all have accepted.
        event: tie-breaks and the cost of managed seats: `casual`, `tournament`, `swiss` or `island`.
        registration: the seats in the order of their registration, earliest first; breaks ties.
    """

    decks: Literal[1, 2] = 1
    partnership: Literal["none", "opposite", "pig_sheep"] = "none"
    opening_card: SuitedCard = "2c"
    opening_must_play: bool = True
    leader_rule: Literal["pig_taker", "opening_card", "rotate"] = "pig_taker"
    first_dealer: Annotated[int, Meta(ge=0, lt=SEATS)] = 0
    cut: Literal["none", "player"] = "none"
    misdeal: Literal["redeal", "consent"] = "redeal"
    expose: Literal["optional", "none", "except_sheep", "all"] = "optional"
    expose_order: Literal["sealed", "turns"] = "sealed"
    first_expose: bool = False
    dark_expose: Literal["off", "allowed", "always"] = "off"
    force_fourth: bool = False
    self_capture: bool = False
    discard_colour: Literal["off", "strict", "penalty"] = "off"
    all_red_unit: Literal["seat", "side"] = "seat"
    pig_flip: Literal["grand_slam", "all_hearts"] = "grand_slam"
    slam_exposed: Literal["component", "whole"] = "component"
    heart_values: Literal["standard", "face"] = "standard"
    final_score: Literal["raw", "zero_sum"] = "raw"
    lose_at: Annotated[int, Meta(lt=0)] | None = -1000
    win_at: Annotated[int, Meta(gt=0)] | None = 1000
    threshold: Literal["reach", "pass"] = "reach"
    threshold_on: Literal["raw", "final"] = "raw"
    hands_limit: Annotated[int, Meta(ge=1)] | None = None
    double_pig: bool = False
    early_end: bool = False
    claim: bool = True
    claim_dispute: Literal["play_on", "referee"] = "play_on"
    claim_grace: bool = False
    event: Literal["casual", "tournament", "swiss", "island"] = "casual"
    registration: tuple[int, int, int, int] = (0, 1, 2, 3)


_SEED000: Mapping[str, Any] = {
    "opening_card": "3s",
    "opening_must_play": False,
    "leader_rule": "opening_card",
    "first_expose": True,
    "self_capture": True,
    "threshold": "pass",
    "misdeal": "consent",
    "claim_dispute": "referee",
    "claim_grace": True,
}
_PARTNERS: Mapping[str, Any] = {"partnership": "opposite", "all_red_unit": "side"}
_PIG_SHEEP: Mapping[str, Any] = {"partnership": "pig_sheep", "all_red_unit": "side", "expose": "none"}
_ORDINARY: Mapping[str, Any] = {"force_fourth": True, "final_score": "zero_sum"}
_HUAPAI: Mapping[str, Any] = {**_ORDINARY, "partnership": "opposite", "leader_rule": "rotate"}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "public": {"opening_card": "2s", "pig_flip": "all_hearts"},
    "seed000": _SEED000,
    "seed000_partners": {**_SEED000, **_PARTNERS},
    "seed000_pig_sheep": {**_SEED000, **_PIG_SHEEP, "first_expose": False},
    "seed000_double": {**_SEED000, "decks": 2},
    "seed000_double_partners": {**_SEED000, **_PARTNERS, "decks": 2},
    "seed000_dark": {**_SEED000, "dark_expose": "always"},
    "seed000_except_sheep": {**_SEED000, "expose": "except_sheep", "first_expose": False},
    "seed000_all_exposed": {**_SEED000, "expose": "all", "first_expose": False},
    "seed000_force_fourth": {**_SEED000, "force_fourth": True},
    "seed000_colour": {**_SEED000, "discard_colour": "penalty"},
    "seed000_double_pig": {**_SEED000, "double_pig": True},
    "seed001_ordinary": _ORDINARY,
    "seed001_huapai": _HUAPAI,
    "seed001_huapai_800": {**_HUAPAI, "lose_at": -800, "win_at": 800},
    "seed001_island": {**_HUAPAI, "event": "island"},
    "seed001_tournament": {**_HUAPAI, "event": "tournament"},
}
"""Differences from the defaults (gongzhu §2.2)."""


def open_(raw: Mapping[str, Any], seats: int) -> Options:
    """The resolved options of a match. Raises Refused: bad_option (gongzhu §2.1)."""
    check_seats(seats, SEAT_COUNTS)
    options = read_options(raw, Options, PRESETS)
    if contradiction := _contradiction(options):
        raise Refused(Code.BAD_OPTION, contradiction)
    return options


def pack(options: Options) -> Cards:
    """The cards that are played with (gongzhu §1)."""
    return PACK * options.decks


def _contradiction(options: Options) -> str:
    """Why these options do not go together; empty where they do (gongzhu §2.1)."""
    partners = options.partnership != "none"
    if options.lose_at is None and options.win_at is None and options.hands_limit is None:
        return "a match needs an end: lose_at, win_at or hands_limit"
    if sorted(options.registration) != list(range(SEATS)):
        return "registration names each seat once"
    plain = (options.decks, options.expose, options.final_score) == (1, "none", "raw")
    if options.partnership == "pig_sheep" and not plain:
        return "pig_sheep goes with one deck, no exposing and raw finals"
    if (options.first_expose or options.dark_expose != "off") and options.expose != "optional":
        return "first_expose and dark_expose go with optional exposing"
    if options.all_red_unit == "side" and not partners:
        return "a side needs partners"
    if options.double_pig and partners:
        return "double_pig is for seats without partners"
    return ""
