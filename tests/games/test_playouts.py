"""Whole matches of every game, played at random: 50 here, and as many as you like with `--matches N`.

They go through every preset with every number of seats; in every second round answers fail to come, seats are lost
before the deal, and seats are managed for a while.
"""

from collections import Counter
from collections.abc import Callable

import pytest

from replay.audit import audit_entries
from schemas.log import ROLES, Commit, Role, role_due
from schemas.subjects import log_subject
from schemas.views import Table
from services.games.decide import Draft, act, commit_of, play_managed, score
from services.games.fold import Fold, NotValid
from services.games.game import Refused
from services.games.match import Match, asked, due, has_begun
from services.games.view import table
from tests.house import TIMEOUT, Played, dealer_turn, played

NAMES = ("open", "dealer", "referee", "house", "scorer", "none")


@pytest.fixture(scope="module")
def match(match_number: int) -> Played:
    """One of the matches."""
    return played(match_number)


def test_a_match_ends_and_nobody_is_due_any_more(match: Played) -> None:
    assert due(match.states[-1]) == "none"
    assert all(due(state) != "none" for state in match.states[:-1])


def test_the_audit_finds_nothing(match: Played) -> None:
    report = audit_entries(match.entries)
    assert (report.findings, report.undecided, report.ended) == ((), "", True)
    assert report.decided == report.commits == len(match.entries)


def test_exactly_one_is_due_at_every_position(match: Played) -> None:
    """A name of the list, or seats of this match, at least one, each once and in order."""
    for state in match.states:
        who = due(state)
        if isinstance(who, tuple):
            assert who
            assert list(who) == sorted({*who} & {*range(match.setting.seats)})
            assert who == asked(state)
        else:
            assert who in NAMES


def test_the_subject_says_who_wrote_a_commit_and_who_is_due_after_it(match: Played) -> None:
    for entry, message, state in zip(match.entries, match.messages, match.states, strict=True):
        assert entry.subject == log_subject(state.id, message.commit.by, due(state))


def test_a_commit_of_a_role_that_is_not_due_leaves_due_as_it_was(match: Played) -> None:
    for before, message, state in zip(match.states, match.messages[1:], match.states[1:], strict=False):
        if message.commit.by != role_due(due(before)):
            assert message.commit.by == "referee"
            assert due(state) == due(before)


def test_only_the_role_that_is_due_moves_the_match_on(match: Played) -> None:
    """Every other role decides nothing there, or what it decides is passed over by every fold."""
    fold = Fold(match.house.match)
    for entry, state in zip(match.entries, match.states, strict=True):
        fold.apply(*entry)
        for commit in commits_of_those_not_due(state, fold.head):
            with pytest.raises(NotValid):
                fold.check(commit)


def commits_of_those_not_due(state: Match, head: bytes) -> list[Commit]:
    """What the roles that are not due would write all the same, as far as they find anything to decide."""
    turns: dict[Role, Callable[[Match], Draft]] = {
        "dealer": dealer_turn,
        "scorer": score,
        "referee": lambda match: act(match, 0, TIMEOUT),
    }
    found: list[Commit] = []
    for role in ROLES:
        if role != role_due(due(state)):
            try:
                draft = turns[role](state)
            except (Refused, ValueError):
                continue
            found.append(commit_of(draft, match=state.id, index=state.index + 1, at=0, cause=bytes(16), prev=head))
    return found


def test_a_time_out_is_accepted_of_every_seat_waited_for_and_of_no_other(match: Played) -> None:
    for state in match.states:
        for seat in range(match.setting.seats):
            if seat in asked(state):
                assert act(state, seat, TIMEOUT).auto
            else:
                with pytest.raises(Refused):
                    act(state, seat, TIMEOUT)


def test_what_stands_in_for_an_answer_is_an_action_that_the_game_accepts(match: Played) -> None:
    for state in match.states:
        for seat in asked(state) if has_begun(state) else ():
            assert state.game.act(state.play, seat, state.game.timeout(state.play, seat), True)  # noqa: FBT003


def test_the_referee_plays_for_a_managed_seat_that_is_waited_for(match: Played) -> None:
    for state in match.states:
        if due(state) == "referee":
            draft = play_managed(state)
            assert draft.auto
            assert draft.seat is not None
            assert state.holders[draft.seat].managed


def test_every_card_is_of_the_recorded_deck_and_in_one_place(match: Played) -> None:
    """At the deal no card goes to two places, and at every position none is in two hands."""
    deck = Counter[str]()
    for message, state in zip(match.messages, match.states, strict=True):
        lists = {
            secret.slot: Counter[str](secret.value) for secret in message.secrets if isinstance(secret.value, list)
        }
        if "deck" in lists:
            deck = lists.pop("deck")
            assert sum(lists.values(), Counter[str]()) <= deck
        assert hands(table(state)) <= deck


def hands(shown: Table) -> Counter[str]:
    """The cards in all hands."""
    return Counter(card for place in shown.places for card in place.hand.value)
