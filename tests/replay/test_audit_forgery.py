"""The audit of forged logs: whole, well chained and well sealed, but not what the rules make of it.

A cheating service writes such a log; here a commit of a true one is changed and all after it is chained anew.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from replay.archive import Archive, export
from replay.audit import audit
from replay.report import Finding, Kind
from schemas.cards import PACK
from schemas.codec import Message, from_log, to_log
from schemas.events import DealerCommitted, EntropyShown, HandRevealed, MatchOpened, ShareUsed
from schemas.gongzhu import HandDealt, HandScored, Played, TrickTaken
from schemas.log import NO_CHAIN, Commit, Role
from schemas.sealed import Sealed
from services.games.decide import cause_of, deal
from services.games.fold import Fold
from services.games.match import Match

Change = Callable[[Commit], Commit]


def chained(commits: list[Commit]) -> Archive:
    """The log of these commits, sealed and chained anew."""
    messages: list[Message] = []
    for commit in commits:
        prev = messages[-1].chain if messages else NO_CHAIN
        messages.append(from_log(to_log(replace(commit, prev=prev), b"a forger's key")))
    return Archive("auditor", tuple(messages))


def forged(log: Archive, index: int, change: Change) -> Archive:
    """The log with another commit at `index`."""
    commits = [message.commit for message in log.messages]
    commits[index - 1] = change(commits[index - 1])
    return chained(commits)


def findings(log: Archive) -> tuple[Finding, ...]:
    return audit(export(log, "auditor")).findings


def first_finding(log: Archive) -> tuple[int, Kind]:
    """Where and what; later ones may follow from it."""
    found = findings(log)[0]
    return found.index, found.kind


def first(log: Archive, kind: type[Any]) -> int:
    """Index of the first commit with an event of this type."""
    return next(m.commit.index for m in log.messages if any(isinstance(event, kind) for event in m.commit.events))


def before(log: Archive, index: int) -> Match:
    """The match before a commit."""
    fold = Fold(log.messages[0].commit.match)
    for message in log.messages[: index - 1]:
        fold.advance(message, fold.check(message.commit))
    assert fold.state is not None
    return fold.state


def chosen(log: Archive, message: Message) -> bool:
    """Whether the seat played another card than the one that stands in for an answer."""
    match, commit = before(log, message.commit.index), message.commit
    assert commit.action is not None
    return list(match.game.timeout(match.play, commit.seat)["cards"]) != list(commit.action["cards"])


def with_event(kind: type[Any], **changes: Any) -> Change:
    """Other fields of the events of this type."""

    def change(commit: Commit) -> Commit:
        events = tuple(replace(e, **changes) if isinstance(e, kind) else e for e in commit.events)
        return replace(commit, events=events)

    return change


def test_a_log_sealed_and_chained_anew_is_sound(log: Archive) -> None:
    """So what the tests below find is what they have changed."""
    again = chained([message.commit for message in log.messages])
    assert again.messages != log.messages
    assert findings(again) == ()


# --- the referee -------------------------------------------------------------------------------------------------


def test_a_card_not_in_hand_is_named(log: Archive) -> None:
    """Accepted by the referee, in action and event alike."""
    index = first(log, Played)
    hands = next(e.hands for e in log.messages[first(log, HandDealt) - 1].commit.events if isinstance(e, HandDealt))
    seat = log.messages[index - 1].commit.seat
    assert seat is not None
    foreign = next(card for card in PACK if card not in hands[seat].value)

    def play(commit: Commit) -> Commit:
        return with_event(Played, cards=(foreign,))(replace(commit, action={"type": "play", "cards": [foreign]}))

    report = findings(forged(log, index, play))
    assert (report[0].index, report[0].kind, report[0].text) == (
        index,
        Kind.DECISION,
        "decided again, it is refused: not_in_hand",
    )


def test_a_trick_given_to_another_is_named(log: Archive) -> None:
    index = first(log, TrickTaken)
    winner = next(e.winner for e in log.messages[index - 1].commit.events if isinstance(e, TrickTaken))
    found = findings(forged(log, index, with_event(TrickTaken, winner=(winner + 1) % 4)))
    assert (found[0].index, found[0].kind) == (index, Kind.DECISION)
    assert found[0].text == "event 1 is gongzhu.trick_taken, not with the winner decided"


def test_an_action_by_another_seat_is_named(log: Archive) -> None:
    index = first(log, Played)
    assert first_finding(forged(log, index, lambda c: replace(c, seat=((c.seat or 0) + 1) % 4))) == (
        index,
        Kind.DECISION,
    )


def test_a_play_passed_off_as_a_time_out_is_named(log: Archive) -> None:
    """What stands in for an answer is fixed by the rules, so `auto` cannot excuse a choice."""
    index = next(m.commit.index for m in log.messages if isinstance(m.commit.events[0], Played) and chosen(log, m))
    assert first_finding(forged(log, index, lambda c: replace(c, auto=True))) == (index, Kind.DECISION)


def test_an_open_action_that_should_be_sealed_is_named(log: Archive) -> None:
    index = next(m.commit.index for m in log.messages if m.commit.sealed_action)

    def unseal(commit: Commit) -> Commit:
        assert commit.sealed_action is not None
        return replace(commit, action=commit.sealed_action.value, sealed_action=None)

    assert first_finding(forged(log, index, unseal)) == (index, Kind.DECISION)


def test_other_options_than_those_asked_for_are_named(log: Archive) -> None:
    opened = log.messages[0].commit.events[0]
    assert isinstance(opened, MatchOpened)
    change = with_event(MatchOpened, options=opened.options | {"lose_at": -500})
    assert first_finding(forged(log, 1, change)) == (1, Kind.DECISION)


def test_a_match_that_cannot_be_opened_is_named(log: Archive) -> None:
    """And the audit does not make room for a thousand million seats."""
    assert first_finding(forged(log, 1, with_event(MatchOpened, seats=10**9))) == (1, Kind.ENTITLEMENT)


def test_swapped_entropy_is_named(log: Archive) -> None:
    """A seat's entropy must open what the seat committed to when it joined."""
    index = first(log, EntropyShown)
    other = b"e" * 32

    def swap(commit: Commit) -> Commit:
        action = {"type": "show_entropy", "entropy": other}
        return with_event(EntropyShown, entropy=other)(replace(commit, action=action))

    assert first_finding(forged(log, index, swap)) == (index, Kind.ENTROPY)


def test_a_commit_without_events_is_named(log: Archive) -> None:
    index = first(log, Played)
    assert first_finding(forged(log, index, lambda c: replace(c, events=()))) == (index, Kind.DECISION)


def test_two_commits_for_one_cause_are_named(log: Archive) -> None:
    cause = log.messages[20].commit.cause
    assert findings(forged(log, 30, lambda c: replace(c, cause=cause))) == (
        Finding(index=30, kind=Kind.CAUSE, text="commit 21 has the same cause"),
    )


# --- dealer and scorer -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "by"),
    [(HandDealt, "referee"), (HandScored, "referee"), (Played, "scorer"), (DealerCommitted, "scorer")],
)
def test_a_commit_of_another_role_is_named(log: Archive, kind: type[Any], by: Role) -> None:
    """The referee may not deal or score, nor the scorer play."""
    index = first(log, kind)
    assert first_finding(forged(log, index, lambda commit: replace(commit, by=by))) == (index, Kind.ENTITLEMENT)


def test_a_wrong_score_is_named(log: Archive) -> None:
    index = first(log, HandScored)
    assert first_finding(forged(log, index, with_event(HandScored, totals=(1, 2, 3, 4)))) == (index, Kind.DECISION)


@pytest.mark.parametrize("change", [{"first": 2}, {"last": 3}, {"last": 10**9}])
def test_revealing_other_commits_than_those_of_the_hand_is_named(log: Archive, change: dict[str, int]) -> None:
    index = first(log, HandRevealed)
    assert first_finding(forged(log, index, with_event(HandRevealed, **change))) == (index, Kind.DECISION)


def test_a_share_out_of_the_chain_is_named(log: Archive) -> None:
    """The cards are dealt rightly from it, so nothing but the chain tells."""
    index = first(log, ShareUsed)
    match = before(log, index)

    def redeal(commit: Commit) -> Commit:
        return replace(commit, events=deal(match, lambda _: b"s" * 32, "").events)

    found = [f for f in findings(forged(log, index, redeal)) if f.index == index]
    assert [finding.kind for finding in found] == [Kind.SHARE]


def test_a_stacked_deck_is_named(log: Archive) -> None:
    """Two hands change places; share and entropy say otherwise."""
    index = first(log, HandDealt)

    def stack(commit: Commit) -> Commit:
        dealt = next(event for event in commit.events if isinstance(event, HandDealt))
        one, two, *rest = (hand.value for hand in dealt.hands)
        hands = tuple(
            Sealed(f"hand.{seat}", cards, audience=(seat,), n=len(cards))
            for seat, cards in enumerate((two, one, *rest))
        )
        return with_event(HandDealt, hands=hands)(commit)

    assert first_finding(forged(log, index, stack)) == (index, Kind.DECISION)


def test_a_hand_that_others_may_open_is_named(log: Archive) -> None:
    """The slot is named, and nothing else is wrong."""
    index = first(log, HandDealt)

    def peek(commit: Commit) -> Commit:
        dealt = next(event for event in commit.events if isinstance(event, HandDealt))
        cards = dealt.hands[1].value
        hands = (dealt.hands[0], Sealed("hand.1", cards, audience=(1, 3), n=len(cards)), *dealt.hands[2:])
        return with_event(HandDealt, hands=hands)(commit)

    assert findings(forged(log, index, peek)) == (
        Finding(index=index, kind=Kind.AUDIENCE, text="hand.1 may be opened by others than decided"),
    )


def test_a_card_count_that_is_not_that_of_the_cards_is_named(log: Archive) -> None:
    index = first(log, HandDealt)

    def miscount(commit: Commit) -> Commit:
        dealt = next(event for event in commit.events if isinstance(event, HandDealt))
        return with_event(HandDealt, deck=Sealed("deck", dealt.deck.value, n=51))(commit)

    found = [f.kind for f in findings(forged(log, index, miscount)) if f.index == index]
    assert found == [Kind.OPENING, Kind.DECISION]


def test_a_card_count_of_what_is_no_list_is_named(log: Archive) -> None:
    index = first(log, ShareUsed)
    change = with_event(ShareUsed, share=Sealed("share", b"s" * 32, n=32))
    assert first_finding(forged(log, index, change)) == (index, Kind.OPENING)


# --- messages ----------------------------------------------------------------------------------------------------


def test_a_signature_where_there_are_no_keys_is_named(log: Archive) -> None:
    messages = tuple(replace(m, signature=b"s") if m.commit.index == 9 else m for m in log.messages)
    assert [(f.index, f.kind) for f in findings(Archive("auditor", messages))] == [(9, Kind.SIGNATURE)]


def test_an_event_of_a_newer_version_is_named_and_not_taken_for_damage(log: Archive) -> None:
    last = log.messages[-1]
    public = msgspec.msgpack.decode(last.public)
    public["events"][0]["type"] = "gongzhu.novelty"
    newer = replace(last, public=msgspec.msgpack.encode(public))
    report = audit(export(Archive("auditor", (*log.messages[:-1], newer)), "auditor"))
    assert [(f.index, f.kind) for f in report.findings] == [(len(log.messages), Kind.NEWER)]
    assert report.decided == len(log.messages) - 1


def test_newer_rules_are_named(log: Archive) -> None:
    assert first_finding(forged(log, 1, with_event(MatchOpened, rules=99))) == (1, Kind.NEWER)


# --- given deals -------------------------------------------------------------------------------------------------


def given_deals(log: Archive) -> list[Commit]:
    """The same match with its decks given: no shares, no joining."""
    kept = [m.commit for m in log.messages if m.commit.index == 1 or m.commit.index >= first(log, HandDealt)]
    gone = len(log.messages) - len(kept)

    def moved(commit: Commit) -> Commit:
        events = tuple(
            replace(e, first=max(e.first - gone, 1), last=e.last - gone) if isinstance(e, HandRevealed) else e
            for e in commit.events
            if not isinstance(e, ShareUsed)
        )
        index = max(commit.index - gone, 1)
        cause = commit.cause if commit.by == "referee" else cause_of(commit.by, index - 1)
        return replace(commit, index=index, cause=cause, events=events)

    opened, *others = map(moved, kept)
    return [with_event(MatchOpened, deal="given")(opened), *others]


def test_a_given_deal_is_not_provable_and_all_else_is_checked(log: Archive) -> None:
    commits = given_deals(log)
    report = audit(export(chained(commits), "auditor"))
    assert (report.ok, report.deal, report.ended, report.decided) == (True, "given", True, len(commits))
    wrong = with_event(HandScored, totals=(0, 0, 0, 0))
    index = first(chained(commits), HandScored)
    assert first_finding(forged(chained(commits), index, wrong)) == (index, Kind.DECISION)


def test_a_given_deck_must_be_the_pack(log: Archive) -> None:
    """A card twice is named as a bad deal."""
    given = chained(given_deals(log))

    def twice(commit: Commit) -> Commit:
        dealt = next(event for event in commit.events if isinstance(event, HandDealt))
        deck = dealt.deck.value
        return with_event(HandDealt, deck=Sealed("deck", (deck[1], *deck[1:]), n=52))(commit)

    found = findings(forged(given, 2, twice))
    assert (found[0].index, found[0].text) == (2, "decided again, it is refused: bad_deal")
