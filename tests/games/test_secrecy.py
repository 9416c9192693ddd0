"""No viewer's bytes depend on what is hidden from him: in a world where only that differs they are the same.

How such worlds are made, and why they are fair, stands in tests/worlds.py. Leaks planted on purpose are found.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace as changed
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from replay.archive import export
from replay.fold import archive_of
from schemas.actions import Action
from schemas.cards import JOKERS, PACK, Seat
from schemas.codec import from_frame, to_service
from schemas.commands import Sync
from schemas.digest import digest
from schemas.events import Events
from schemas.refusals import Code
from schemas.sealed import Hidden
from schemas.subjects import sync_subject
from schemas.views import Legal, Table
from services.gallery.frames import Shown
from services.gallery.gallery import Gallery
from services.games import GAMES
from services.games.game import Game, Refused
from services.games.match import Match
from services.games.shuffle import Stream
from services.games.view import legal
from services.games.view import table as table_of
from services.referee.desk import Desk
from services.runtime.log import Entry, MemoryLog
from tests.house import SETTINGS, Played, a_worker, played
from tests.templates import covers
from tests.worlds import Viewer, replaced

MATCHES = range(2 * len(SETTINGS))
"""One of each setting, and a wild one of each."""

AFTER_DEAL = ((0, 3, 20), (1, 4, 34), (2, 9, 45))
"""How many commits after a deal worlds are made: while all answer, and now and then in play; by turns."""


@pytest.fixture(scope="module", params=MATCHES)
def match(request: pytest.FixtureRequest) -> Played:
    """One of the matches."""
    return played(request.param)


def viewers(match: Played) -> list[Viewer]:
    """Everybody who gets frames."""
    return [*range(match.setting.seats), "rail"]


def moments(match: Played) -> Iterator[tuple[int, int]]:
    """The index of each of the first deals, with those at which worlds are made that differ since then."""
    deals = [m.commit.index for m in match.messages if any(secret.slot == "deck" for secret in m.secrets)]
    for number, deal in enumerate(deals[:4]):
        yield from ((deal, deal + n) for n in AFTER_DEAL[number % len(AFTER_DEAL)] if deal + n <= len(match.entries))


def frames(entries: list[Entry], viewer: Viewer, since: int) -> list[bytes]:
    """The viewer's frames from an index on."""
    shown = Shown(entries[0].subject.split(".")[1])
    steps = [shown.follow(*entry) for entry in entries]
    return [step.frame(viewer) for step in steps[since - 1 :] if step is not None]


async def synced(match: Played, entries: list[Entry], viewer: Viewer, since: int) -> bytes:
    """What the gallery answers the viewer who has missed all from an index on."""

    async def nowhere(subject: str, data: bytes) -> None:
        raise AssertionError("a sync publishes nothing")

    seat = None if viewer == "rail" else viewer
    token = b"" if viewer == "rail" else match.house.players[viewer].token
    gallery = Gallery(await log_of(entries), nowhere)
    return await gallery.answer(sync_subject(match.house.match, seat), to_service(Sync(after=since - 1, token=token)))


async def refusals(match: Played, entries: list[Entry], viewer: Viewer) -> list[bytes]:
    """What the referee answers the viewer to everything that he may not do."""
    if viewer == "rail":
        return []
    desk = Desk(a_worker("referee", await log_of(entries)))
    listed = legal(match.states[len(entries) - 1], viewer)
    unlisted = [a for a in match.vocabulary if not any(covers(choice, a) for choice in listed.choices)]
    player = match.house.players[viewer]
    commands = [player.command(str(i), action) for i, action in enumerate(unlisted)]
    return [await desk.answer(f"cmd.{player.match}.{viewer}", to_service(command)) for command in commands]


async def log_of(entries: list[Entry]) -> MemoryLog:
    """A log that holds these messages."""
    log, last = MemoryLog(), 0
    for entry in entries:
        last = await log.append(entry.subject, entry.data, expected=last)
    return log


async def differences(match: Played) -> list[str]:
    """Where a viewer's bytes differ in a world that looks the same to him."""
    found: list[str] = []
    seen = {viewer: frames(list(match.entries), viewer, 1) for viewer in viewers(match)}
    for deal, upto in moments(match):
        real = list(match.entries[:upto])
        for viewer in viewers(match):
            other = replaced(match, viewer, upto, Stream(digest("tests/world", match.house.match, upto, viewer)))
            assert other != real or match.states[upto - 1].revealed >= upto - 1  # the commit that reveals hides nothing
            place = f"{viewer} at {upto}"
            if frames(other, viewer, deal) != seen[viewer][deal - 1 : upto]:
                found.append(f"frames of {place}")
            if await synced(match, real, viewer, deal) != await synced(match, other, viewer, deal):
                found.append(f"sync of {place}")
            if await refusals(match, real, viewer) != await refusals(match, other, viewer):
                found.append(f"refusals of {place}")
    return found


async def test_no_viewers_bytes_depend_on_what_is_hidden_from_him(match: Played) -> None:
    assert await differences(match) == []


def test_no_viewers_file_after_the_match_depends_on_what_is_still_hidden_from_him(match: Played) -> None:
    """Mucked hands, burned cards and the rest of a deck too, where nothing is revealed."""
    last = len(match.entries)
    for viewer in viewers(match):
        other = replaced(match, viewer, last, Stream(digest("tests/file", match.house.match, viewer)))
        ours, theirs = (archive_of(entries)[0] for entries in (match.entries, other))
        assert export(theirs, viewer) == export(ours, viewer)
        if match.states[-1].game.reveal == "never":
            assert export(theirs, "auditor") != export(ours, "auditor")


# --- what plainly must not be there ------------------------------------------------------------------------------


def exposed(match: Played, entries: list[Entry]) -> list[str]:
    """The hands, decks and shares that stand in a frame of somebody else before they were revealed or laid open."""
    hidden: dict[tuple[int, str], Any] = {}
    found: list[str] = []
    seen = {viewer: frames(entries, viewer, 1) for viewer in viewers(match)}
    for message, state in zip(match.messages, match.states, strict=True):
        index = message.commit.index
        if any(secret.slot == "deck" for secret in message.secrets):
            hidden = {}  # the same cards may now lie openly elsewhere
        for secret in message.secrets:
            if secret.slot in ("deck", "share") or secret.slot.startswith("hand."):
                hidden[index, secret.slot] = secret.value
        for (since, slot), value in list(hidden.items()):
            if since <= state.revealed or (isinstance(value, list) and {*value} <= face_up(state)):
                del hidden[since, slot]
        for (_, slot), value in hidden.items():
            others = [viewer for viewer in viewers(match) if slot != f"hand.{viewer}"]
            written = msgspec.msgpack.encode(value)
            found += [f"{slot} to {viewer} at {index}" for viewer in others if written in seen[viewer][index - 1]]
    return found


def face_up(match: Match) -> set[str]:
    """The cards that lie open on the table."""
    shown = table_of(match)
    piles = [*shown.piles, *(pile for place in shown.places for pile in place.piles)]
    return {card for pile in piles for card in pile.cards}


def test_no_hand_deck_or_share_is_in_a_frame_of_another_before_it_is_revealed(match: Played) -> None:
    assert exposed(match, list(match.entries)) == []


def test_a_seat_sees_its_own_hand_and_everybody_sees_all_of_it_once_revealed(match: Played) -> None:
    """So that it is no wonder that nothing was found."""
    hands = [
        (message.commit.index, secret)
        for message in match.messages
        for secret in message.secrets
        if secret.slot.startswith("hand.")
    ]
    assert {len(secret.audience) for _, secret in hands} - {0} == {1}
    for viewer in viewers(match):
        seen = [from_frame(data)[0] for data in frames(list(match.entries), viewer, 1)]
        own = [(frame.index, opening.slot, opening.value) for frame in seen for opening in frame.secrets]
        told = [(opening.index, opening.slot, opening.value) for frame in seen for opening in frame.revealed]
        for index, secret in hands:
            hand = (index, secret.slot, secret.value)
            assert own.count(hand) == (viewer in secret.audience)
            assert told.count(hand) == (index <= match.states[-1].revealed)


# --- planted leaks -----------------------------------------------------------------------------------------------


def hands_of(game: Game[Any, Any], state: Any) -> list[tuple[str, ...]]:
    """The cards in every hand."""
    return [place.hand.value for place in game.table(state).places]


def open_hands(game: Game[Any, Any]) -> Game[Any, Any]:
    """The hands lie open on the table."""

    def table(state: Any) -> Table:
        shown = game.table(state)
        hands = [Hidden(place.hand.value, audience="everybody", n=place.hand.n) for place in shown.places]
        return replace(shown, places=tuple(replace(p, hand=hand) for p, hand in zip(shown.places, hands, strict=True)))

    return changed(game, table=table)


def a_fact_of_the_hands(game: Game[Any, Any]) -> Game[Any, Any]:
    """The table tells who holds most cards of one suit."""

    def table(state: Any) -> Table:
        shown = game.table(state)
        counts = [sum(card[1] == "h" for card in hand) for hand in hands_of(game, state)]
        return replace(shown, facts={**shown.facts, "most": counts.index(max(counts))})

    return changed(game, table=table)


def a_telling_number(game: Game[Any, Any]) -> Game[Any, Any]:
    """The number of a hand's cards says whether there is a king among them."""

    def table(state: Any) -> Table:
        shown = game.table(state)
        hands = [
            Hidden(place.hand.value, audience=place.hand.audience, n=sum(card[0] == "K" for card in place.hand.value))
            for place in shown.places
        ]
        return replace(shown, places=tuple(replace(p, hand=hand) for p, hand in zip(shown.places, hands, strict=True)))

    return changed(game, table=table)


def helpful_choices(game: Game[Any, Any]) -> Game[Any, Any]:
    """What a seat may do begins with a hint at its neighbour's best card."""

    def legal_(state: Any, seat: Seat | None) -> Legal:
        listed = game.legal(state, seat)
        hands = hands_of(game, state)
        best = max(hands[((seat or 0) + 1) % len(hands)], key=(*PACK, *JOKERS).index, default="")
        return replace(listed, also=({"type": "hint", "card": best}, *listed.also))

    return changed(game, legal=legal_)


def talkative_refusals(game: Game[Any, Any]) -> Game[Any, Any]:
    """A refusal says in whose hand the card is."""

    def act(state: Any, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: FBT001 - as Game has it
        try:
            return game.act(state, seat, action, auto)
        except Refused as refused:
            holders = [s for s, hand in enumerate(hands_of(game, state)) if {*action.get("cards", ())} & {*hand}]
            raise Refused(refused.code, f"held by {holders}") from None

    return changed(game, act=act)


def telling_codes(game: Game[Any, Any]) -> Game[Any, Any]:
    """The code of a refusal hangs on what the next seat holds."""

    def act(state: Any, seat: Seat | None, action: Action, auto: bool) -> Events:  # noqa: FBT001 - as Game has it
        try:
            return game.act(state, seat, action, auto)
        except Refused:
            hands = hands_of(game, state)
            held = {*action.get("cards", ())} & {*hands[((seat or 0) + 1) % len(hands)]}
            raise Refused(Code.NOT_IN_HAND if held else Code.NOT_ALLOWED) from None

    return changed(game, act=act)


@pytest.mark.parametrize(
    ("leak", "where"),
    [
        (open_hands, "frames"),
        (a_fact_of_the_hands, "sync"),
        (a_telling_number, "frames"),
        (helpful_choices, "frames"),
        (talkative_refusals, "refusals"),
        (telling_codes, "refusals"),
    ],
)
async def test_a_leak_in_a_game_is_found(
    leak: Callable[[Game[Any, Any]], Game[Any, Any]], where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played(0)
    leaky = {name: leak(game) for name, game in GAMES.items()}
    monkeypatch.setattr("services.games.match.GAMES", leaky)
    found = await differences(match)
    assert any(text.startswith(where) for text in found)


async def test_a_secret_given_to_everybody_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the codec did not ask who may open a secret."""
    monkeypatch.setattr("schemas.codec.viewers.may_open", lambda audience, viewer: True)
    assert any(text.startswith("frames") for text in await differences(played(0)))


def test_a_secret_addressed_to_too_many_is_found() -> None:
    """As if the rules sealed the first hand to all seats; what they then see depends on nothing hidden from them."""
    match = played(0)
    everybody = tuple(range(match.setting.seats))

    def widened(entry: Entry) -> Entry:
        public, secrets, signature = msgspec.msgpack.decode(entry.data)
        wider = [[slot, everybody if slot == "hand.0" else to, salt, value] for slot, to, salt, value in secrets]
        return entry._replace(data=msgspec.msgpack.encode([public, wider, signature]))

    found = exposed(match, [widened(entry) for entry in match.entries])
    assert {text.split(" at ")[0] for text in found} == {f"hand.0 to {seat}" for seat in everybody[1:]}
