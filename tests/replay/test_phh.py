"""Hands of other programs: read as logs that audit, written so that PokerKit reads them to the same stacks."""

import asyncio
import json
import tomllib
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory

from replay.archive import Archive, export, read
from replay.audit import audit
from replay.fold import archive_of, fold
from replay.formats.phh import archive_of_hand, as_file, hands_in, written
from replay.formats.phh.hand import recorded
from schemas.codec import Viewer
from schemas.digest import digest
from schemas.refusals import Code
from services.games.game import Refused
from services.simulate import Simulation

FOLDER = Path(__file__).parent / "phh"
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"), parse_float=Decimal)
SALT = bytes(range(32))

HAND: dict[str, Any] = {
    "variant": "NT",
    "ante_trimming_status": True,
    "antes": [0, 0, 0],
    "blinds_or_straddles": [50, 100, 0],
    "min_bet": 100,
    "starting_stacks": [1000, 1000, 1000],
    "actions": ["d dh p1 AsAh", "d dh p2 KsKh", "d dh p3 QsQh", "p3 cbr 300", "p1 cc", "p2 f"],
}
"""A hand that stops on the flop."""

STUD: dict[str, Any] = {
    "variant": "F7S",
    "antes": [5, 5],
    "bring_in": 10,
    "small_bet": 20,
    "big_bet": 40,
    "starting_stacks": [500, 500],
    "actions": ["d dh p1 AsAh2c", "d dh p2 KsKhKd", "p1 pb", "p2 f"],
}


def hand_files() -> list[tuple[str, int]]:
    """The hands that must be read: file and place."""
    return [(name, place) for name, hands in EXPECTED.items() if isinstance(hands, list) for place in range(len(hands))]


def imported(fields: dict[str, Any]) -> Archive:
    """The log of a hand."""
    return archive_of_hand(fields, SALT)


def stacks(archive: Archive) -> tuple[int, ...]:
    """The stacks at the end of a log."""
    match = fold(archive.messages)
    assert match is not None
    result: tuple[int, ...] = match.play.stacks
    return result


@pytest.mark.parametrize(("name", "place"), hand_files())
def test_a_recorded_hand_ends_with_the_recorded_stacks_and_audits(name: str, place: int) -> None:
    fields = dict(hands_in((FOLDER / name).read_bytes())[place])
    archive = imported(fields)
    report = audit(export(archive, "auditor"))
    assert (report.ok, report.deal, report.ended) == (True, "given", True)
    scale = recorded(fields).scale
    assert [Decimal(stack) / scale for stack in stacks(archive)] == EXPECTED[name][place]


@pytest.mark.parametrize("name", [name for name, hands in EXPECTED.items() if isinstance(hands, str)])
def test_what_is_not_supported_is_refused(name: str) -> None:
    (fields,) = hands_in((FOLDER / name).read_bytes())
    with pytest.raises(Refused) as refused:
        imported(dict(fields))
    assert refused.value.code == Code.UNSUPPORTED_VARIANT


def test_a_hand_that_stops_early_is_a_match_that_goes_on() -> None:
    report = audit(export(imported(HAND), "auditor"))
    assert (report.ok, report.ended) == (True, False)


def test_the_same_hand_and_key_give_the_same_log() -> None:
    assert export(imported(HAND), "auditor") == export(imported(HAND), "auditor")
    assert export(imported(HAND), "auditor") != export(archive_of_hand(HAND, bytes(32)), "auditor")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"variant": "PO"}, Code.UNSUPPORTED_VARIANT),
        ({"variant": None}, Code.UNSUPPORTED_VARIANT),
        ({"blinds_or_straddles": [50, 100, 200]}, Code.UNSUPPORTED_VARIANT),
        ({"blinds_or_straddles": [0, 100, 0]}, Code.UNSUPPORTED_VARIANT),
        ({"blinds_or_straddles": [50, 100, -100]}, Code.UNSUPPORTED_VARIANT),
        ({"antes": [0, 0, 10]}, Code.UNSUPPORTED_VARIANT),
        ({"min_bet": 200}, Code.UNSUPPORTED_VARIANT),
        ({"starting_stacks": [Decimal("inf"), 1000, 1000]}, Code.UNSUPPORTED_VARIANT),
        ({"starting_stacks": [1000, 1000, "many"]}, Code.BAD_MESSAGE),
        ({"starting_stacks": 1000}, Code.BAD_MESSAGE),
        ({"starting_stacks": [Decimal("1e9999999"), 1000, 1000]}, Code.BAD_MESSAGE),
        ({"starting_stacks": [Decimal("1e-400"), 1000, 1000]}, Code.BAD_MESSAGE),
        ({"starting_stacks": []}, Code.BAD_MESSAGE),
        ({"antes": []}, Code.BAD_MESSAGE),
        ({"antes": [5, 5]}, Code.BAD_MESSAGE),
        ({"blinds_or_straddles": [50, 100]}, Code.BAD_MESSAGE),
        ({"actions": ["p3 cbr 1e9999999"]}, Code.BAD_MESSAGE),
        ({"actions": ["p3 dances"]}, Code.BAD_MESSAGE),
        ({"actions": ["p9 f"]}, Code.BAD_MESSAGE),
        ({"actions": ["d dh p1 AsAs"]}, Code.BAD_DEAL),
        ({"actions": ["d dh p1 AsAx"]}, Code.BAD_DEAL),
        ({"actions": ["d dh p1 AsAhAd"]}, Code.BAD_DEAL),
        ({"actions": ["p1 f"]}, Code.NOT_YOUR_TURN),
        ({"actions": ["p3 cbr 150"]}, Code.AMOUNT_TOO_SMALL),
        ({"actions": ["p3 f", "p1 f"], "finishing_stacks": [1000, 1000, 1000]}, Code.UNSUPPORTED_VARIANT),
    ],
    ids=str,
)
def test_a_hand_is_refused_with_a_code(change: dict[str, Any], code: Code) -> None:
    with pytest.raises(Refused) as refused:
        imported(HAND | change)
    assert refused.value.code == code


def test_a_file_that_is_no_toml_is_refused() -> None:
    for data in (b"variant = ", b"\xff\xfe"):
        with pytest.raises(Refused) as refused:
            hands_in(data)
        assert refused.value.code == Code.BAD_MESSAGE


def test_broken_amounts_are_scaled_to_whole_chips() -> None:
    change = {
        "blinds_or_straddles": [Decimal("0.5"), 1, 0],
        "min_bet": 1,
        "starting_stacks": [Decimal("10.25"), 20, 30],
        "actions": ["p3 cbr 2.50", "p1 f", "p2 f"],
    }
    assert recorded(HAND | change).scale == 100
    assert stacks(imported(HAND | change)) == (975, 1900, 3150)


def test_unknown_cards_are_filled_so_that_who_showed_wins() -> None:
    actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 2s7h", "p3 cc", "p1 cc", "p2 cc", "d db AcKcQc"]
    checks = ["p1 cc", "p2 cc", "p3 cc"]
    actions += [*checks, "d db Jd", *checks, "d db 3d", *checks, "p3 sm 2s7h", "p1 sm ????"]
    assert stacks(imported(HAND | {"actions": actions})) == (900, 900, 1200)


def test_cards_shown_later_are_those_that_were_dealt() -> None:
    actions = [
        "d dh p1 ????",
        "d dh p2 ??Kh",
        "d dh p3 QsQh",
        "p3 cbr 1000",
        "p1 f",
        "p2 cc",
        "p2 sm KsKh",
        "p3 sm QsQh",
    ]
    match = fold(imported(HAND | {"actions": actions}).messages)
    assert match is not None
    assert {*match.play.phase.last.down[1]} == {"Ks", "Kh"}


def test_a_fold_for_nothing_shows_a_house_rule() -> None:
    archive = imported(HAND | {"actions": ["p3 cc", "p1 cc", "p2 f"]})
    match = fold(archive.messages)
    assert match is not None
    assert match.play.options.free_fold


def test_a_call_that_our_rules_do_not_ask_for_is_passed_over() -> None:
    actions = ["d dh p1 AsAh", "d dh p2 KsKh", "p3 f", "p1 cbr 1000", "p2 cc", "d db 2c5d8h", "p1 cc", "p2 cc"]
    assert stacks(imported(HAND | {"actions": actions})) == (2000, 0, 1000)


def test_a_stud_hand_is_read_with_standard_ranking() -> None:
    archive = imported(STUD)
    match = fold(archive.messages)
    assert match is not None
    assert match.play.options.ranking == "standard"
    assert stacks(archive) == (505, 495)


# --- writing -----------------------------------------------------------------------------------------------------


def read_by_pokerkit(text: str) -> tuple[list[int], list[int]]:
    """The stacks that PokerKit comes to, and those that the text records."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        history = HandHistory.loads(text)
        state = None
        for state in history:  # noqa: B007  # the last one counts
            pass
    assert state is not None
    assert history.finishing_stacks is not None
    return [int(stack) for stack in state.stacks], [int(stack) for stack in history.finishing_stacks]


@pytest.mark.parametrize(("name", "place"), hand_files())
def test_an_imported_hand_is_read_back_by_pokerkit(name: str, place: int) -> None:
    (text,) = written(imported(dict(hands_in((FOLDER / name).read_bytes())[place])), "auditor")
    ours, theirs = read_by_pokerkit(text)
    if "half-chips" in name:
        assert [abs(a - b) for a, b in zip(ours, theirs, strict=True)] in ([0] * 6, [1, 0, 0, 0, 1, 0])
    else:
        assert ours == theirs


MATCHES: list[tuple[str, dict[str, Any], int]] = [
    ("texas_holdem", {}, 2),
    ("texas_holdem", {}, 6),
    ("texas_holdem", {"structure": "limit", "ante": 10}, 5),
    ("texas_holdem", {"button_rule": "dead", "big_blind_ante": 100}, 4),
    ("texas_holdem", {"big_blind_ante": 100}, 2),
    ("seven_card_stud", {"ranking": "standard", "starting_stack": 300}, 2),
    ("seven_card_stud", {"ranking": "standard", "starting_stack": 300}, 6),
]


def simulated(game: str, options: dict[str, Any], seats: int, number: int) -> Archive:
    """A match of random hands."""
    seed = digest("tests/phh", game, seats, number)
    match = Simulation(game, {"starting_stack": 3000, "max_hands": 8, **options}, seats=seats, seed=seed)
    archive, _ = archive_of(asyncio.run(match.run()))
    return archive


@pytest.mark.parametrize(("game", "options", "seats"), MATCHES, ids=str)
def test_random_hands_are_read_by_pokerkit_to_the_same_stacks(game: str, options: dict[str, Any], seats: int) -> None:
    """But where PokerKit has other rules: a short blind is the blind, and an odd remainder goes to one winner."""
    count = 0
    for number in range(6):
        for text in written(simulated(game, options, seats, number), "auditor"):
            if min(tomllib.loads(text)["starting_stacks"]) >= 200:
                ours, theirs = read_by_pokerkit(text)
                assert sum(abs(a - b) for a, b in zip(ours, theirs, strict=True)) <= 2
                assert sum(ours) == sum(theirs)
                count += 1
    assert count > 5


def test_a_hand_of_several_is_a_table_of_a_phhs_file() -> None:
    hands = written(simulated("texas_holdem", {}, 6, 0), "auditor")
    assert len(hands) > 1
    assert [dict(fields) for fields in hands_in(as_file(hands).encode())] == [tomllib.loads(hand) for hand in hands]
    assert as_file(hands[:1]) == hands[0]


@pytest.mark.parametrize("viewer", [0, 1, "rail"])
def test_cards_that_a_viewer_may_not_see_are_unknown(viewer: Viewer) -> None:
    """Of his own file as of the auditor's; what is shown is known."""
    archive = imported(dict(hands_in((FOLDER / "pluribus-102-0-half-chips.phh").read_bytes())[0]))
    (text,) = written(archive, viewer)
    assert (text,) == tuple(written(read(export(archive, viewer)), viewer))
    dealt = tomllib.loads(text)["actions"][:6]
    own = {0: "2cAc", 1: "9sTc"}
    assert dealt == [f"d dh p{seat + 1} {own[seat] if seat == viewer else '????'}" for seat in range(6)]
    assert "p5 sm 6dAd" in text


def test_a_file_of_one_viewer_cannot_tell_what_another_may_see() -> None:
    archive = read(export(imported(HAND), 0))
    with pytest.raises(ValueError, match="cannot tell"):
        written(archive, "auditor")


@pytest.mark.parametrize(
    ("game", "options", "seats"),
    [
        ("show_hand", {"starting_stack": 100}, 3),
        ("seven_card_stud", {}, 3),
        ("seven_card_stud", {"structure": "no_limit", "ranking": "standard", "starting_stack": 100}, 3),
        ("seven_card_stud", {"ranking": "standard", "bring_in": 20}, 3),
        ("gongzhu", {"hands_limit": 1}, 4),
    ],
    ids=str,
)
def test_games_without_a_code_are_not_written(game: str, options: dict[str, Any], seats: int) -> None:
    seed = digest("tests/phh", game)
    archive, _ = archive_of(asyncio.run(Simulation(game, options, seats=seats, seed=seed).run()))
    with pytest.raises(Refused) as refused:
        written(archive, "auditor")
    assert refused.value.code == Code.UNSUPPORTED_VARIANT


def test_a_hand_with_a_fifth_bet_in_a_round_is_not_written() -> None:
    """PokerKit reads four; before the flop the blind is none of them."""
    fields = {"variant": "FT", "small_bet": 100, "big_bet": 200, "starting_stacks": [5000] * 3}
    deal = ["d dh p1 AsAh", "d dh p2 KsKh", "d dh p3 QsQh", "p3 f"]
    four = ["p1 cbr 200", "p2 cbr 300", "p1 cbr 400", "p2 cbr 500", "p1 cc", "d db 2c5d8h"]
    five = ["p1 cbr 100", "p2 cbr 200", "p1 cbr 300", "p2 cbr 400", "p1 cbr 500"]
    (text,) = written(imported(HAND | fields | {"actions": [*deal, *four, *five[:4], "p1 f"]}), "auditor")
    ours, theirs = read_by_pokerkit(text)
    assert ours == theirs
    with pytest.raises(Refused) as refused:
        written(imported(HAND | fields | {"actions": [*deal, *four, *five, "p2 f"]}), "auditor")
    assert refused.value.code == Code.UNSUPPORTED_VARIANT
