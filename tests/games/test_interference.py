"""Decisions tell a viewer nothing of cards that he has not seen, but what the rules say they may (design §7.4).

How a hand is dealt again with such cards exchanged stands in tests/redeals.py. Where his frames differ for the first
time, another card has come face up, or the game's `shown.json` names the difference, with the rule that allows it
(`time-out`: whatever an automatic action does). Leaks planted on purpose are found.
"""

from collections.abc import Iterator
from dataclasses import replace as changed
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import services.games
from schemas.actions import Action
from schemas.cards import Seat
from schemas.codec import Message, PublicBytes, from_log, may_open, sealed_in, to_frame, to_log
from schemas.commitment import commitment_of
from schemas.digest import digest
from schemas.events import Events
from schemas.gongzhu import DealStood
from schemas.log import acting
from services.games.game import Game, Refused, Shuffle
from services.games.shuffle import Stream
from tests.house import SETTINGS, Played, played, secret_of
from tests.redeals import (
    Doctor,
    Exchange,
    Hand,
    World,
    answers,
    differences,
    exchange_of,
    face_up,
    hands_of,
    redealt,
    undoctored,
)
from tests.worlds import Viewer, cards_in

GAMES = Path(__file__).parent

HANDS = 2
"""So many hands of a match are dealt again."""

SOON = 3
"""So many commits after the deal the worlds end in which all cards are exchanged; in the others it is a pair."""


@pytest.fixture(scope="module", params=range(len(SETTINGS)))
def match(request: pytest.FixtureRequest) -> Played:
    """One of each setting; by turns an orderly one and a wild one."""
    number: int = request.param
    return played(number + len(SETTINGS) * (number % 2))


@cache
def allowed(game: str) -> dict[str, str]:
    """The differences that the rules of the game allow, each with the rule."""
    path = GAMES / game / "shown.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.is_file() else {}


def viewers(match: Played) -> list[Viewer]:
    """Everybody who gets frames."""
    return [*range(match.setting.seats), "rail"]


def worlds(match: Played, viewer: Viewer) -> Iterator[tuple[Hand, Exchange]]:
    """Hands of the match, and the cards to be exchanged in each."""
    for hand in hands_of(match)[:HANDS]:
        dice = Stream(digest("tests/redeal", match.house.match, hand.deal, viewer))
        soon = Hand(hand.deal, min(hand.deal + SOON, hand.last))
        for short, most in ((soon, 108), (hand, 2)):
            if exchange := exchange_of(match, viewer, short, dice, most=most):
                yield short, exchange


def leaks(match: Played, doctor: Doctor = undoctored) -> Iterator[str]:
    """What a viewer learns, besides what the rules allow."""
    for viewer in viewers(match):
        for hand, exchange in worlds(match, viewer):
            real, other = (redealt(match, hand, viewer, each, doctor) for each in ({}, exchange))
            same = 0
            for same, (ours, theirs) in enumerate(zip(real.frames, other.frames, strict=False)):
                if found := differences(ours, theirs):
                    if acting(real.messages[same].commit)[1]:
                        found = ["time-out"]
                    if come_up(real, same, viewer) == come_up(other, same, viewer):
                        yield from (f"{each} to {viewer} at {hand.deal + same}" for each in found)
                    break
            else:
                same = min(len(real.frames), len(other.frames))
            pairs = zip(*(answers(match, hand, world.states[same], viewer) for world in (real, other)), strict=True)
            yield from (f"answer to {verb} of {viewer} at {hand.deal + same}" for (verb, a), (_, b) in pairs if a != b)


def come_up(world: World, place: int, viewer: Viewer) -> set[str]:
    """The cards that lie face up after a commit, and those that the viewer is shown by it."""
    message = world.messages[place]
    own = [secret.value for secret in message.secrets if may_open(secret.audience, viewer)]
    return {*face_up(message.commit, world.states[place + 1]), *cards_in(own)}


def test_decisions_tell_a_viewer_nothing_of_what_he_has_not_seen(match: Played) -> None:
    rules = allowed(match.setting.game)
    assert [leak for leak in leaks(match) if leak.split(" to ")[0] not in rules] == []


def test_the_same_cards_and_decisions_make_the_same_log(match: Played) -> None:
    """So that it is the exchange alone that the worlds differ by."""
    for hand in hands_of(match)[:HANDS]:
        again = redealt(match, hand, "rail", {})
        assert tuple(again.messages) == match.messages[hand.deal - 1 : hand.last]


def test_there_is_much_that_each_viewer_has_not_seen(match: Played) -> None:
    """So that it is no wonder that nothing was found: for each hand there is a world, and its deck is another one."""
    for viewer in viewers(match):
        made = list(worlds(match, viewer))
        assert {hand.deal for hand, _ in made} == {hand.deal for hand in hands_of(match)[:HANDS]}
        for hand, exchange in made:
            dealt = redealt(match, Hand(hand.deal, hand.deal), viewer, exchange).messages[0]
            assert dealt.secrets != match.messages[hand.deal - 1].secrets


# --- commitments -------------------------------------------------------------------------------------------------


def guessable(messages: tuple[Message, ...]) -> list[str]:
    """The commitments that are the same whatever the salt is: who guesses the value can check his guess."""
    found: list[str] = []
    for message in messages:
        again = from_log(to_log(message.commit, secret_of("another salt key")))
        pairs = zip(sealed_in(message.commit), sealed_in(again.commit), strict=True)
        found += [
            f"{ours.slot} at {message.commit.index}" for ours, theirs in pairs if ours.commitment == theirs.commitment
        ]
    return found


def test_no_commitment_can_be_guessed_and_no_salt_is_used_twice(match: Played) -> None:
    assert guessable(match.messages) == []
    salts = [secret.salt for message in match.messages for secret in message.secrets]
    assert len(set(salts)) == len(salts)
    assert {len(salt) for salt in salts} == {16}


# --- planted leaks -----------------------------------------------------------------------------------------------


def open_deck(game: Game[Any, Any]) -> Game[Any, Any]:
    """A public field of the deal tells the first card of the deck."""

    def deal(state: Any, shuffle: Shuffle) -> Events:
        decks: list[tuple[str, ...]] = []

        def noted(deck: tuple[str, ...]) -> tuple[str, ...]:
            decks.append(shuffle(deck))
            return decks[0]

        events = game.deal(state, noted)
        return tuple(replace(e, opening=decks[0][0]) if isinstance(e, DealStood) else e for e in events)

    return changed(game, deal=deal)


def test_the_order_of_the_deck_in_a_public_field_is_found() -> None:
    """In the log itself, where a recorded match would not tell that it depends on what is hidden."""
    assert any(leak.startswith("gongzhu.deal_stood.opening to rail") for leak in leaks(played(0), open_deck))


def test_an_unsalted_hash_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsalted(match: str, index: int, slot: str, salt: bytes, value: Any, n: int | None) -> bytes:
        return commitment_of(match, index, slot, b"", value, n)

    monkeypatch.setattr("schemas.codec.log.commitment_of", unsalted)
    again = tuple(from_log(to_log(message.commit, secret_of("referee"))) for message in played(0).messages)
    hidden = sum(len(sealed_in(message.commit)) for message in again)
    assert len(guessable(again)) == hidden > 100


def test_a_size_that_tells_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each frame is longer by how many spades the first hand holds."""

    def padded(message: Message, viewer: Viewer, **shown: Any) -> PublicBytes:
        spades = sum(card[1] == "s" for secret in message.secrets if secret.slot == "hand.0" for card in secret.value)
        return to_frame(replace(message, signature=bytes(spades)), viewer, **shown)

    monkeypatch.setattr("services.gallery.frames.to_frame", padded)
    found = {leak.split(" at ")[0] for leak in leaks(played(0))}
    assert {"size to 1", "size to 2", "size to 3", "size to rail"} <= found
    assert "size to 0" not in found


def test_an_answer_that_tells_is_found() -> None:
    """A refusal says whether the next seat holds the ace of spades."""

    def talkative(game: Game[Any, Any]) -> Game[Any, Any]:
        def act(state: Any, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: FBT001 - as Game has it
            try:
                return game.act(state, seat, action, auto)
            except Refused as refused:
                hands = [place.hand.value for place in game.table(state).places]
                raise Refused(refused.code, "ace" if "As" in hands[((seat or 0) + 1) % len(hands)] else "") from None

        return changed(game, act=act)

    assert any(leak.startswith("answer to ") for leak in leaks(played(0), talkative))


def test_each_difference_that_is_allowed_has_its_rule() -> None:
    """By its number in the rules of the game."""
    for path in GAMES.glob("*/shown.json"):
        rules = Path(services.games.__file__).parent / path.parent.name / "RULES.md"
        headings = {line.split()[1].rstrip(".") for line in rules.read_text().splitlines() if line.startswith("##")}
        for reason in allowed(path.parent.name).values():
            assert reason.startswith("§")
            assert reason.split()[0].removeprefix("§").rstrip(":") in headings
