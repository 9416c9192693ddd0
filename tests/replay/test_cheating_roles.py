"""Roles that cheat while a match is played: the audit names the commit, and what is wrong with it.

Each is a real worker whose turn is another than its role's; the others, and the players, are honest.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from replay.audit import audit_entries
from replay.report import Kind, Report
from schemas.cards import PACK, Card, Cards, Seat
from schemas.codec import from_log
from schemas.digest import digest
from schemas.events import Event, HandRevealed, MatchClosed, SeatManaged, ShareUsed
from schemas.gongzhu import HandScored, PenaltyGiven, Played
from schemas.log import Commit, Role
from services.games.decide import Draft, act, cause_of, deal, score
from services.games.match import Match, asked
from services.games.shuffle import Stream, seed_of, share, shuffle
from services.games.view import legal
from services.runtime.log import Entry
from services.runtime.worker import Turn, Worker
from tests.house import TURNS, House, Setting, agreed, play, run, secret_of

SETTING = Setting("gongzhu", "standard", 4)
"""A match of many hands."""

Named = tuple[int, Kind, str]


def cheated(role: Role, turn: Turn) -> House:
    """A house in which this role takes its turns in another way."""
    house = House(SETTING, "cheated")
    house.workers[role] = Worker(role, house.log, salt_key=secret_of(role), turn=turn, clock=int)
    return house


def finished(house: House) -> list[Entry]:
    """The log of a match that was played to its end."""
    run(play(house, Stream(digest("tests/cheated")), wild=False))
    return run(house.entries())


def named(report: Report) -> list[Named]:
    """All findings."""
    return [(finding.index, finding.kind, finding.text) for finding in report.findings]


def indexes(entries: Sequence[Entry], kind: type[Any]) -> list[int]:
    """The commits with an event of this type."""
    commits = map(commit_in, entries)
    return [commit.index for commit in commits if any(isinstance(event, kind) for event in commit.events)]


def commit_in(entry: Entry) -> Commit:
    """The commit that is stored there."""
    return from_log(entry.data).commit


def test_honest_roles_are_not_suspected() -> None:
    report = audit_entries(finished(House(SETTING, "cheated")))
    assert (report.ok, report.ended) == (True, True)


# --- the dealer --------------------------------------------------------------------------------------------------


def dealt(match: str, secret: bytes, entropy: Sequence[bytes]) -> Cards:
    """The first deal that comes of a dealer's secret and the entropy of all seats."""
    return shuffle(PACK, seed_of(share(secret, match, 1), entropy, 1))


def worth(order: Cards) -> int:
    """What the dealer wants of a deal: high cards for seat 0, which is dealt every fourth card."""
    return sum("23456789TJQKA".index(card[0]) for card in order[::4])


def best_secret(match: str, entropy: Sequence[bytes]) -> bytes:
    """The one of many secrets whose first deal is best, were this the entropy."""
    return max((digest("tests/ground", i) for i in range(64)), key=lambda secret: worth(dealt(match, secret, entropy)))


def test_a_dealer_who_knows_all_entropy_but_one_seats_does_not_get_the_deal_he_wants() -> None:
    """He picks his shares by what he knows, and guesses the last seat's; what is dealt has nothing to do with it."""
    house = House(SETTING, "cheated")
    known = [player.entropy for player in house.players[:3]]
    secret = best_secret(house.match, [*known, bytes(32)])
    wanted, real = (dealt(house.match, secret, [*known, last]) for last in (bytes(32), house.players[3].entropy))
    assert worth(real) < worth(wanted)
    assert sum(map(str.__eq__, real, wanted)) < 5  # of 52 places, one has the same card by chance


def test_a_dealer_who_deals_what_he_wanted_all_the_same_is_named() -> None:
    """The deal that would have come, had his guess of one seat's entropy been right."""
    house = House(SETTING, "cheated")
    known = [player.entropy for player in house.players]
    wanted = dealt(house.match, secret_of("shares"), [*known[:3], bytes(32)])

    def stacked(match: Match) -> Draft:
        draft = deal(match, partial(share, secret_of("shares"), match.id), "tests")
        if match.deals or not match.root:
            return draft
        shares = [event for event in draft.events if isinstance(event, ShareUsed)]
        return replace(draft, events=(*shares, *match.game.deal(match.play, lambda _: wanted)))

    cheat = cheated("dealer", stacked)
    entries = finished(cheat)
    index = indexes(entries, ShareUsed)[0]
    assert named(audit_entries(entries))[0] == (
        index,
        Kind.DECISION,
        "event 1 is gongzhu.hand_dealt, not with the deck, hands decided",
    )


def test_a_dealer_who_swaps_his_share_for_the_second_hand_is_named() -> None:
    """All entropy is known by then, so he could choose; his chain was fixed before, and the next share tells again."""

    def swapped(match: Match) -> Draft:
        secret = best_secret(match.id, [holder.entropy for holder in match.holders])
        return deal(match, partial(share, secret if match.deals == 1 else secret_of("shares"), match.id), "tests")

    entries = finished(cheated("dealer", swapped))
    _, second, third, *_ = indexes(entries, ShareUsed)
    assert named(audit_entries(entries)) == [
        (second, Kind.SHARE, "share 2 does not follow the one before in the dealer's chain"),
        (third, Kind.SHARE, "share 3 does not follow the one before in the dealer's chain"),
    ]


# --- referee and scorer ------------------------------------------------------------------------------------------


async def until_somebody_must_follow(house: House) -> tuple[Match, Seat, Card]:
    """Play until a seat holds a card that it may not play to the trick."""
    await house.seat_all()
    while True:
        state = await house.settle()
        seat = asked(state)[0]
        choices = legal(state, seat).choices
        hand = state.game.table(state.play).places[seat].hand.value
        allowed = {card for choice in choices for card in choice.get("cards", ())}
        barred = [card for card in hand if card not in allowed]
        if choices[0]["type"] == "play" and len(allowed) > 1 and barred:  # one alone may be the card to open with
            return state, seat, barred[0]
        agreed(await house.send(seat, choices[-1]))


async def test_a_referee_who_accepts_what_the_rules_forbid_is_named() -> None:
    """A seat that could follow suit discards."""
    house = House(SETTING, "cheated")
    state, seat, barred = await until_somebody_must_follow(house)
    allowed = act(state, seat, legal(state, seat).choices[0])
    played = tuple(replace(e, cards=(barred,)) if isinstance(e, Played) else e for e in allowed.events)
    revoke = replace(allowed, action={"type": "play", "cards": [barred]}, events=played)
    await house.workers["referee"].answer(house.match, cause_of(b"a player", "revoke"), lambda _: revoke)
    report = audit_entries(await house.entries())
    assert named(report) == [(state.index + 1, Kind.DECISION, "decided again, it is refused: must_follow")]


def test_a_scorer_who_adds_wrongly_is_named() -> None:
    """Once; all later totals are added to his."""

    def generous(match: Match) -> Draft:
        draft = score(match)
        return draft if match.deals != 2 else replace(draft, events=tuple(map(given_ten, draft.events)))

    def given_ten(event: Event) -> Event:
        if not isinstance(event, HandScored):
            return event
        return replace(event, totals=(event.totals[0] + 10, *event.totals[1:]))

    entries = finished(cheated("scorer", generous))
    second = indexes(entries, HandScored)[1]
    text = "event 0 is gongzhu.hand_scored, not with the totals decided"
    assert named(audit_entries(entries)) == [(second, Kind.DECISION, text)]


@pytest.mark.parametrize(
    ("role", "of_another"),
    [
        ("dealer", PenaltyGiven(seat=1, points=-100)),
        ("dealer", HandRevealed(first=1, last=5)),
        ("scorer", SeatManaged(seat=1, on=True)),
        ("scorer", MatchClosed(reason="void")),
    ],
)
def test_a_role_that_writes_what_is_anothers_to_write_is_named(role: Role, of_another: Event) -> None:
    """Behind its own events, in its own turn, on its own subject."""

    def overreaching(match: Match) -> Draft:
        draft = TURNS[role](match)
        return replace(draft, events=(*draft.events, of_another)) if match.deals == 1 else draft

    cheat = cheated(role, overreaching)
    entries = finished(cheat)
    index = next(c.index for c in map(commit_in, entries) if of_another in c.events)
    at, kind, text = named(audit_entries(entries))[0]
    assert (at, kind) == (index, Kind.DECISION)
    assert text.startswith("recorded ")
    assert str(of_another.__struct_config__.tag) in text.split("; decided ")[0]
