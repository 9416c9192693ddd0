"""What is written to the log and to viewers, and what is read back."""

import hashlib
from collections.abc import Callable
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.cards import Cards
from schemas.codec import (
    BadMessage,
    Covered,
    NeedsNewer,
    Viewer,
    false_openings,
    from_frame,
    from_log,
    from_player,
    from_synced,
    to_frame,
    to_log,
    to_reply,
)
from schemas.commands import Command
from schemas.commitment import commitment_of, salt_of
from schemas.digest import digest
from schemas.events import SeatManaged, ShareUsed
from schemas.gongzhu import HandDealt
from schemas.log import Commit
from schemas.sealed import Audience, Everybody, Hidden, Sealed, StillSealed
from schemas.views import Legal, Place, Revealed, Synced, Table

KEY = b"k" * 32
MATCH = "A" * 26
SHARE = bytes(range(32))


def a_commit(**changes: Any) -> Commit:
    """A commit with a value sealed to nobody and an action sealed to seat 1."""
    fields: dict[str, Any] = {
        "match": MATCH,
        "index": 7,
        "by": "referee",
        "at": 0,
        "cause": bytes(16),
        "prev": bytes(32),
        "seat": 1,
        "sealed_action": Sealed("action", {"type": "pass"}, audience=(1,)),
        "events": (ShareUsed(deal=1, share=Sealed("share", SHARE)), SeatManaged(seat=1, on=True)),
    }
    return Commit(**(fields | changes))


def a_table() -> Table:
    """A table on which seat 1 holds two cards."""
    hand = Hidden[Cards](("Qs", "2h"), audience=(1,), n=2)
    return Table(game="g", phase="p", turn=Hidden((1,), audience="everybody"), places=(Place(hand=hand),))


def test_a_commit_comes_back_from_the_log_as_it_went_in() -> None:
    message = from_log(to_log(a_commit(), KEY))
    assert message.commit == a_commit()
    assert [sealed.audience for sealed in (message.commit.sealed_action,) if sealed] == [(1,)]


def test_the_public_part_holds_commitments_and_no_value() -> None:
    public = from_log(to_log(a_commit(), KEY)).public
    assert SHARE not in public
    assert b"pass" not in public
    assert msgspec.msgpack.decode(public)["events"][0]["share"].keys() == {"slot", "commitment"}


def test_a_secret_opens_only_the_commitment_it_was_made_for() -> None:
    data = to_log(a_commit(), KEY)
    assert false_openings(from_log(data)) == []
    public, secrets, signature = msgspec.msgpack.decode(data)
    secrets[0][3] = bytes(32)
    assert false_openings(from_log(msgspec.msgpack.encode([public, secrets, signature]))) == ["share"]


def test_what_is_hidden_is_committed_with_a_salt_of_its_own() -> None:
    """The same value in another slot, commit or match, or with another key, is not recognised."""
    salts = {salt_of(key, match, i, slot) for key in (KEY, b"l") for match in "AB" for i in (1, 2) for slot in "xy"}
    assert len(salts) == 16
    assert commitment_of(MATCH, 1, "x", b"s" * 16, "v", None) != commitment_of(MATCH, 1, "x", b"t" * 16, "v", None)


def test_a_card_list_is_committed_card_by_card() -> None:
    """One card can be proved by its path in the Merkle tree without the others being opened."""
    salt = b"s" * 16
    cards = ("Qs", "2h", "Jd")
    leaves = [
        digest("fairdeal/leaf", MATCH, 1, "hand.0", i, digest("fairdeal/salt", salt, i)[:16], card)
        for i, card in enumerate(cards)
    ]
    root = commitment_of(MATCH, 1, "hand.0", salt, cards, 3)
    assert root == digest("fairdeal/node", digest("fairdeal/node", leaves[0], leaves[1]), leaves[2])


def test_a_list_without_cards_is_bound_to_its_place_and_salt() -> None:
    places = [(MATCH, 7, "dark.1", bytes(16)), (MATCH, 8, "dark.1", bytes(16)), (MATCH, 7, "dark.2", bytes(16))]
    places.append((MATCH, 7, "dark.1", b"s" * 16))
    assert len({commitment_of(*place, value=[], n=0) for place in places}) == len(places)


def test_a_value_is_not_given_without_its_secret() -> None:
    with pytest.raises(StillSealed):
        _ = Sealed[int]("x").value


NO_SLOT = ["other", [], bytes(16), 1]
NO_BYTES = ["share", [], bytes(16), "no bytes"]


@pytest.mark.parametrize(
    ("wire", "complaint"),
    [
        pytest.param(lambda public, secrets: [public, secrets[:1], b""], "without its secret", id="left out"),
        pytest.param(lambda public, secrets: [public, [*secrets, NO_SLOT], b""], "not those of its", id="too many"),
        pytest.param(lambda public, secrets: [public, [secrets[0]] * 2, b""], "not those of its", id="twice"),
        pytest.param(lambda public, secrets: [public, secrets[::-1], b""], "in their order", id="in another order"),
        pytest.param(lambda public, secrets: [public[:-1], secrets, b""], "not a commit", id="cut off"),
        pytest.param(lambda public, secrets: [public, [NO_BYTES, secrets[1]], b""], "not a commit", id="wrong type"),
        pytest.param(lambda public, secrets: [public], "length 3", id="short"),
        pytest.param(lambda public, secrets: {"public": public}, "Expected `array`", id="a map"),
    ],
)
def test_a_message_of_another_form_is_refused_with_a_reason(
    wire: Callable[[bytes, list[Any]], object], complaint: str
) -> None:
    public, secrets, _ = msgspec.msgpack.decode(to_log(a_commit(), KEY))
    with pytest.raises(BadMessage, match=complaint):
        from_log(msgspec.msgpack.encode(wire(public, secrets)))


@pytest.mark.parametrize("value", ["hush", "hush 'hush' - at `hush", "hush\" 'hush\nhush"])
def test_a_reason_does_not_quote_what_is_sealed(value: str) -> None:
    """Given a hand that holds what is no card; then it is refused, and what is told of it does not say what."""
    deck, hand = (Sealed[Cards](slot, ("Qs",), n=1) for slot in ("deck", "hand.0"))
    dealt = HandDealt(hand_no=1, dealer=0, deck=deck, hands=(hand,))
    public, secrets, _ = msgspec.msgpack.decode(to_log(a_commit(events=(dealt,)), KEY))
    next(secret for secret in secrets if secret[0] == "hand.0")[3] = [value]
    with pytest.raises(BadMessage, match="not a commit") as refusal:
        from_log(msgspec.msgpack.encode([public, secrets, b""]))
    assert "hush" not in str(refusal.value)


@given(st.binary(max_size=200))
def test_no_bytes_are_read_as_a_message_by_accident(data: bytes) -> None:
    """Whatever arrives either is a message or is refused as a BadMessage; nothing else is raised."""
    with pytest.raises(BadMessage):
        from_log(data)


def test_an_event_from_the_future_stops_the_reader_instead_of_being_passed_over() -> None:
    public, secrets, signature = msgspec.msgpack.decode(to_log(a_commit(), KEY))
    commit = msgspec.msgpack.decode(public)
    commit["events"][1]["type"] = "something_new"
    with pytest.raises(NeedsNewer, match="something_new"):
        from_log(msgspec.msgpack.encode([msgspec.msgpack.encode(commit), secrets, signature]))


def test_an_unknown_field_is_ignored_and_a_missing_one_has_its_default() -> None:
    """So that a newer service may add fields while an older one still runs."""
    public, secrets, signature = msgspec.msgpack.decode(to_log(a_commit(), KEY))
    commit = msgspec.msgpack.decode(public) | {"something": 1}
    read = from_log(msgspec.msgpack.encode([msgspec.msgpack.encode(commit), secrets, signature])).commit
    assert (read, read.auto) == (a_commit(), False)


def test_a_viewer_gets_the_public_part_unchanged_and_his_own_secrets() -> None:
    message = from_log(to_log(a_commit(), KEY))
    slots_of: dict[Literal[1, 0, "rail"], list[str]] = {1: ["action"], 0: [], "rail": []}
    for viewer, slots in slots_of.items():
        data = to_frame(message, viewer, table=Covered(a_table()), legal=Legal(), waited=False, revealed=())
        frame, seen = from_frame(data)
        assert frame.public == message.public
        assert seen.chain == hashlib.sha256(message.public).digest()
        assert [secret.slot for secret in frame.secrets] == slots
        assert data.count(b"pass") == (viewer == 1)


def test_only_its_audience_sees_what_is_hidden_on_the_table() -> None:
    viewers: dict[Viewer, bool] = {1: True, 0: False, "rail": False, "auditor": True}
    for viewer, sees in viewers.items():
        data = Covered(a_table()).opened_to(viewer)
        assert data.count(b"Qs") == sees
        assert data.count(b"audience") == 0


@pytest.mark.parametrize("audience", [(), (0,), "everybody"])
@pytest.mark.parametrize("viewer", [0, 1, "rail", "auditor"])
def test_of_what_the_reader_cannot_open_no_viewer_sees_more_than_how_much_it_is(
    audience: Audience | Everybody, viewer: Viewer
) -> None:
    table = replace(a_table(), places=(Place(hand=Hidden[Cards](audience=audience, n=3)),))
    shown = msgspec.msgpack.decode(Covered(table).opened_to(viewer))
    assert shown["places"] == [{"hand": {"n": 3}}]


GAP = b"\xc1fairdeal/hidden\0"


@pytest.mark.parametrize("planted", [GAP, GAP + GAP, b"x" + GAP + b"x"])
def test_bytes_that_stand_for_what_is_hidden_open_nothing(planted: bytes) -> None:
    """On a table they are refused, and an answer holds them as any others."""
    with pytest.raises(TypeError):
        Covered(replace(a_table(), facts={"a": planted}))
    synced = Synced(match=MATCH, seat=None, frames=(planted,), more=False)
    assert from_synced(to_reply(synced)) == synced


@pytest.mark.parametrize("length", range(1, len(GAP)))
def test_bytes_that_begin_as_a_gap_does_leave_it_where_it_is(length: int) -> None:
    planted, hidden = GAP[:length], Hidden[Cards](("Qs",), audience=(1,), n=1)
    table = replace(a_table(), facts={"a": [planted, hidden]})
    for viewer, seen in ((0, {"n": 1}), (1, {"n": 1, "value": ["Qs"]})):
        shown = msgspec.msgpack.decode(Covered(table).opened_to(viewer))
        assert shown["facts"] == {"a": [planted, seen]}


def test_what_the_codec_does_not_know_never_leaves() -> None:
    """A sealed value is not for viewers, and a hidden one has no place in the log."""
    with pytest.raises(TypeError):
        Covered(replace(a_table(), facts={"share": Sealed("share", SHARE)}))
    for closed in (Hidden(1, audience="everybody"), Sealed("share", SHARE)):
        with pytest.raises(TypeError):
            to_reply(Revealed(1, "share", bytes(16), closed))
    with pytest.raises(TypeError):
        to_log(a_commit(sealed_action=Hidden(1)), KEY)


@pytest.mark.parametrize("number", [2**53, -(2**53), 2**63, 1e300])
def test_numbers_from_outside_end_at_two_to_the_53(number: float) -> None:
    command = {"id": "1", "token": bytes(32), "action": {"type": "bet", "nested": [{"amount": number}]}}
    with pytest.raises(BadMessage, match="2\\^53"):
        from_player(msgspec.msgpack.encode(command), Command)


def test_what_is_too_long_or_too_deep_is_refused() -> None:
    with pytest.raises(BadMessage, match="bytes"):
        from_player(bytes(16 * 1024 + 1), Command)
    with pytest.raises(BadMessage):
        from_player(b"\x91" * 16_000, Command)
