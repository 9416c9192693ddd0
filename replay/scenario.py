"""Scenarios: a fixed deal, a list of actions, and what must come out; the one interface for tests of rules."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import UNSET, Struct, UnsetType

from replay.projection import cards_shown
from schemas.actions import Action
from schemas.cards import Card, Cards, Seat
from schemas.events import MatchOpened
from services.games import GAMES
from services.games.decide import Draft, act
from services.games.game import DONE, Game, Refused, Scenarios, Shuffle
from services.games.match import FREE, Match, Time, apply, due


class Failure(Struct, frozen=True, kw_only=True):
    """One thing that came out otherwise.

    Attributes:
        step: number of the step from 1; None for what belongs to the set-up or to the end.
        what: the key that was compared.
    """

    step: int | None = None
    what: str
    expected: Any
    got: Any

    def __str__(self) -> str:
        where = "" if self.step is None else f"step {self.step}: "
        return f"{where}{self.what}: expected {_text(self.expected)}, got {_text(self.got)}"


class _Secret(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards that may not occur in what a seat, or a spectator (None), is sent."""

    seat: Seat | None
    cards: list[Card]


class _Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seat: int | None
    action: Any
    legal: list[Any] | UnsetType = UNSET
    legal_n: int | None = None
    legal_sha: str | None = None
    timeout: Any = UNSET
    error: str | None = None
    then: dict[str, Any] = {}
    after: dict[str, Any] = {}
    secret: list[_Secret] = []


class _Scenario(Struct, frozen=True, kw_only=True):
    game: str
    seats: int
    options: dict[str, Any] = {}
    steps: tuple[_Step, ...] = ()
    expect: dict[str, Any] = {}
    setup_error: str | None = None


class _Record(Struct, frozen=True):
    scenario: dict[str, Any]


_ACCEPTED = "accepted"


def run_paths(paths: Iterable[Path]) -> Iterator[tuple[str, list[Failure]]]:
    """Run every scenario in these files and folders: where each stands, and its failures."""
    for source, data in _sources(paths):
        try:
            scenario = msgspec.json.decode(data)
        except msgspec.DecodeError as error:
            yield source, [Failure(what="file", expected="JSON", got=str(error))]
        else:
            yield source, run(_within(scenario))


def _within(record: object) -> object:
    """The scenario of a record that tells beside it where it comes from."""
    try:
        return msgspec.convert(record, _Record).scenario
    except msgspec.ValidationError:
        return record


def run(scenario: object) -> list[Failure]:
    """Run one scenario, as decoded from JSON; no failures mean that it passes."""
    try:
        form = msgspec.convert(scenario, _Scenario)
    except msgspec.ValidationError as error:
        return [Failure(what="file", expected="a scenario", got=str(error))]
    if form.game not in GAMES:
        return [Failure(what="game", expected=list(GAMES), got=form.game)]
    try:
        match, decks = _set_up(form, cast(Mapping[str, Any], scenario))
    except Refused as refused:
        return _differences(None, {"setup_error": form.setup_error}, {"setup_error": refused.code})
    if form.setup_error is not None:
        return [Failure(what="setup_error", expected=form.setup_error, got=_ACCEPTED)]
    return _play(match, form, decks)


def _sources(paths: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        if path.is_dir():
            yield from _sources(sorted(p for p in path.rglob("*") if p.suffix in (".json", ".jsonl")))
        elif path.suffix == ".jsonl":
            for number, line in enumerate(path.read_bytes().splitlines(), start=1):
                if line.strip():
                    yield f"{path}:{number}", line
        else:
            yield str(path), path.read_bytes()


def _set_up(form: _Scenario, scenario: Mapping[str, Any]) -> tuple[Match, Iterator[Cards]]:
    """A match with all seats taken, the game in the state that the scenario starts from, and the decks to come.

    Raises Refused.
    """
    game: Game[Any, Any] = GAMES[form.game]
    options = game.open(form.options, form.seats)
    opened = MatchOpened(
        game=game.name,
        rules=game.version,
        options=msgspec.to_builtins(options),
        seats=form.seats,
        reveal=game.reveal,
        deal="given",
        key=b"",
    )
    decks = iter(game.scenarios.decks(options, scenario))
    match = Match(
        id="SCENARIO",
        opened=opened,
        game=game,
        play=game.scenarios.begin(options, scenario),
        holders=(FREE,) * form.seats,
        times=(Time(),) * form.seats,
    )
    return _settled(match, decks), decks


def _settled(match: Match, decks: Iterator[Cards]) -> Match:
    """The match after scorer and dealer have done what they are due to do, as far as there are decks."""
    while True:
        who = due(match)
        if who == "scorer":
            events = match.game.score(match.play)
        elif who == "dealer" and match.game.phase(match.play) != DONE:
            events = match.game.deal(match.play, _recorded)
        elif who == "dealer" and (deck := next(decks, None)) is not None:
            events = match.game.deal(match.play, _given(deck))
        else:
            return match
        match = apply(match, events)


def _given(deck: Cards) -> Shuffle:
    return lambda _: deck


def _recorded(_deck: Cards) -> Cards:
    raise AssertionError("a later step of a deal goes by the recorded deck")


def _play(match: Match, form: _Scenario, decks: Iterator[Cards]) -> list[Failure]:
    failures: list[Failure] = []
    for number, step in enumerate(form.steps, start=1):
        failures += _before(match, number, step)
        before = _canonical(match.play)
        try:
            draft = act(match, step.seat, step.action, auto=_is_auto(step.action))
            outcome: str = _ACCEPTED
        except Refused as refused:
            draft, outcome = None, refused.code
            failures += _differences(number, {"state": before}, {"state": _canonical(match.play)})
        if outcome != (step.error or _ACCEPTED):
            return [*failures, Failure(step=number, what="action", expected=step.error or _ACCEPTED, got=outcome)]
        if draft is not None:
            match = _settled(apply(match, draft.events), decks)
            failures += _told(match, number, step, draft)
        failures += _facts(match, number, {**step.then, **step.after})
    return failures + _facts(match, None, form.expect)


def _before(match: Match, number: int, step: _Step) -> list[Failure]:
    """What a step says of the position before it."""
    failures: list[Failure] = []
    scenarios = match.game.scenarios
    if not isinstance(step.legal, UnsetType):
        expected, got = (
            sorted(_comparable(entry, scenarios) for entry in each) for each in (step.legal, _listed(match, step.seat))
        )
        failures += _differences(number, {"legal": expected}, {"legal": got})
    if step.legal_n is not None:
        failures += _differences(number, {"legal_n": step.legal_n}, {"legal_n": len(_listed(match, step.seat))})
    if step.legal_sha is not None:
        failures += _differences(
            number, {"legal_sha": step.legal_sha}, {"legal_sha": _sha(match, _listed(match, step.seat))}
        )
    if step.timeout is not UNSET:
        expected_action, got_action = {"timeout": step.timeout}, {"timeout": _time_out(match, step.seat)}
        failures += _differences(number, expected_action, got_action, scenarios)
    return failures


def _listed(match: Match, seat: Seat | None) -> Sequence[Action]:
    """What a seat may do, as scenarios of this game write it."""
    return () if seat is None else match.game.scenarios.listed(match.game.legal(match.play, seat))


def _sha(match: Match, listed: Sequence[Action]) -> str:
    """The first 16 hex digits of SHA-256 over the entries, one a line, in order of code points."""
    scenarios = match.game.scenarios
    lines = sorted(scenarios.line(entry) if scenarios.line else _comparable(entry, scenarios) for entry in listed)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _is_auto(action: object) -> bool:
    """Whether a step is marked as standing in for an answer that did not come, as the services mark it."""
    return isinstance(action, dict) and cast(dict[str, object], action).get("auto") is True


def _told(match: Match, number: int, step: _Step, draft: Draft) -> list[Failure]:
    """What a step shows to those from whom it is to be secret."""
    failures: list[Failure] = []
    for secret in step.secret:
        what = "secret from " + ("the rail" if secret.seat is None else f"seat {secret.seat}")
        failures += _differences(number, {what: []}, {what: cards_shown(draft, match, secret.seat, secret.cards)})
    return failures


def _time_out(match: Match, seat: Seat | None) -> object:
    try:
        return match.game.timeout(match.play, seat)
    except Refused as refused:
        return refused.code


def _facts(match: Match, number: int | None, expected: Mapping[str, Any]) -> list[Failure]:
    scenarios = match.game.scenarios
    known = {key: scenarios.facts[key](match.play) for key in expected if key in scenarios.facts}
    unknown = [
        Failure(step=number, what=key, expected=value, got="no such key")
        for key, value in expected.items()
        if key not in known
    ]
    named = {key: value for key, value in expected.items() if key in known}
    return unknown + _differences(number, named, known, scenarios)


def _differences(
    number: int | None,
    expected: Mapping[str, Any],
    got: Mapping[str, Any],
    scenarios: Scenarios[Any, Any] | None = None,
) -> list[Failure]:
    return [
        Failure(step=number, what=key, expected=value, got=_plain(got[key]))
        for key, value in expected.items()
        if _comparable({key: value}, scenarios) != _comparable({key: got[key]}, scenarios)
    ]


def _comparable(value: object, scenarios: Scenarios[Any, Any] | None) -> str:
    """A text to compare by; the lists that are sets are put in order."""
    return _canonical(_plain(value) if scenarios is None else _sorted(_plain(value), scenarios))


def _sorted(value: object, scenarios: Scenarios[Any, Any]) -> object:
    match value:
        case dict():
            members = {key: _sorted(member, scenarios) for key, member in cast(dict[str, object], value).items()}
            return {key: _as_sets(key, member, scenarios) for key, member in members.items()}
        case list():
            return [_sorted(member, scenarios) for member in cast(list[object], value)]
        case _:
            return value


def _as_sets(key: str, value: object, scenarios: Scenarios[Any, Any]) -> object:
    if key in scenarios.sets and isinstance(value, list):
        return [_in_order(member) for member in cast(list[object], value)]
    return _in_order(value) if key in scenarios.unordered else value


def _in_order(value: object) -> object:
    return sorted(cast(list[object], value), key=_canonical) if isinstance(value, list) else value


def _plain(value: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(value))


def _canonical(value: object) -> str:
    """JSON with sorted keys: by it numbers and booleans differ, lists and tuples do not."""
    return msgspec.json.encode(value, order="deterministic").decode()


def _text(value: object) -> str:
    return msgspec.json.encode(_plain(value)).decode()
