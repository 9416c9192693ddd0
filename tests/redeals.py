"""Other worlds by decision (design §7.4): a hand dealt again with cards exchanged that a viewer has not seen.

The same decisions come to the same roles in the same order, each with its recorded cause, clock and salts; the cards of
an action that is hidden from the viewer are exchanged like the rest. So nothing may differ for him but commitments, as
long as no exchanged card comes face up or changes what the rules allow.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from schemas.actions import Action
from schemas.cards import Seat
from schemas.codec import Message, from_log, may_open, to_log
from schemas.events import ShareUsed
from schemas.log import Commit, acting, role_due
from schemas.subjects import log_subject
from services.gallery.frames import Mark, Shown
from services.games.decide import Draft, act, commit_of, score
from services.games.game import Game, Refused
from services.games.match import Match, due
from services.games.shuffle import Stream
from services.games.view import legal, table
from tests.house import TIMEOUT, Played, secret_of
from tests.templates import ends
from tests.worlds import Viewer, cards_in

Exchange = Mapping[str, str]
"""The card that takes the place of each that is exchanged."""

Doctor = Callable[[Game[Any, Any]], Game[Any, Any]]
"""Makes a game into one that leaks."""


def undoctored(game: Game[Any, Any]) -> Game[Any, Any]:
    """The game as it is."""
    return game


class Hand(NamedTuple):
    """The commit that deals a hand, and the last one before its secrets are shown or the next hand is dealt."""

    deal: int
    last: int


def hands_of(match: Played) -> list[Hand]:
    """All hands of a match."""
    deals = [message.commit.index for message in match.messages if deck_of(message) is not None]
    ends = [*(deal - 1 for deal in deals[1:]), len(match.messages)]
    shut = [state.index for state in match.states if state.revealed < state.index - 1]
    return [Hand(deal, max(i for i in shut if i <= end)) for deal, end in zip(deals, ends, strict=True)]


def deck_of(message: Message) -> list[str] | None:
    """The order of the deck that was fixed in this commit."""
    return next((secret.value for secret in message.secrets if secret.slot == "deck"), None)


def exchange_of(match: Played, viewer: Viewer, hand: Hand, dice: Stream, *, most: int) -> Exchange:
    """At most so many cards that the viewer does not see in this hand, each put in another's place."""
    seen, unseen = set[str](), set[str]()
    within = slice(hand.deal - 1, hand.last)
    for message, state in zip(match.messages[within], match.states[within], strict=True):
        seen.update(face_up(message.commit, state))
        for secret in message.secrets:
            (seen if may_open(secret.audience, viewer) else unseen).update(cards_in(secret.value))
    left = sorted(unseen - seen)
    cards = [left.pop(dice.below(len(left))) for _ in range(min(most, len(left)))]
    return dict(zip(cards, [*cards[1:], *cards[:1]], strict=True)) if len(cards) > 1 else {}


def face_up(commit: Commit, state: Match) -> Iterator[str]:
    """The cards that an open action names, and those that lie open on the table."""
    yield from cards_in(commit.action)
    shown = table(state)
    for place in shown.places:
        if place.hand.audience == "everybody":
            yield from place.hand.value
    for pile in (*shown.piles, *(pile for place in shown.places for pile in place.piles)):
        yield from pile.cards
        if pile.hidden is not None and pile.hidden.audience == "everybody":
            yield from pile.hidden.value


def exchanged(value: Any, exchange: Exchange) -> Any:
    """The value with these cards exchanged, wherever they stand in it."""
    match value:
        case str():
            return exchange.get(value, value)
        case dict():
            return {key: exchanged(member, exchange) for key, member in value.items()}
        case list():
            return [exchanged(member, exchange) for member in value]
        case _:
            return value


class World:
    """A match from a hand on, decided again, and what the gallery shows one viewer of it.

    Attributes:
        states: the match before the hand, and after each commit.
        messages: the commits.
        frames: what the viewer is shown of them.
    """

    def __init__(self, match: Played, hand: Hand, viewer: Viewer, doctor: Doctor) -> None:
        place = hand.deal - 2
        before = match.states[place]
        before = replace(before, game=doctor(before.game))
        mark = Mark(before, match.messages[place].chain, match.entries[place].sequence, ())
        self._shown = Shown(before.id, mark)
        self._viewer: Viewer = viewer
        self.states = [before]
        self.messages: list[Message] = []
        self.frames: list[bytes] = []

    def decide(self, recorded: Message, exchange: Exchange) -> None:
        """Take the commit that this world makes of a recorded decision. Raises Refused."""
        fold, commit = self._shown.fold, recorded.commit
        draft = _decided(self.states[-1], recorded, exchange)
        again = commit_of(
            draft, match=fold.match, index=fold.index + 1, at=commit.at, cause=commit.cause, prev=fold.head
        )
        data = to_log(again, secret_of(draft.by))
        subject = log_subject(fold.match, draft.by, due(fold.check(from_log(data).commit)))
        step = self._shown.follow(fold.sequence + 1, subject, data)
        assert step is not None
        self.states.append(step.state)
        self.messages.append(step.message)
        self.frames.append(step.frame(self._viewer))


def _decided(state: Match, recorded: Message, exchange: Exchange) -> Draft:
    commit = recorded.commit
    match commit.by:
        case "dealer":
            order = tuple(exchanged(deck_of(recorded), exchange) or ())
            shares = tuple(event for event in commit.events if isinstance(event, ShareUsed))
            return Draft(by="dealer", events=(*shares, *state.game.deal(state.play, lambda _: order)))
        case "scorer":
            return score(state)
        case "referee":
            seat, auto = acting(commit)
            action = commit.action if commit.sealed_action is None else exchanged(commit.sealed_action.value, exchange)
            return act(state, seat, TIMEOUT if auto else action)


def redealt(match: Played, hand: Hand, viewer: Viewer, exchange: Exchange, doctor: Doctor = undoctored) -> World:
    """The hand with these cards exchanged, as far as the same decisions can be made."""
    world = World(match, hand, viewer, doctor)
    for message in match.messages[hand.deal - 1 : hand.last]:
        if role_due(due(world.states[-1])) != message.commit.by:
            break
        try:
            world.decide(message, exchange)
        except Refused:
            break
    return world


def answers(match: Played, hand: Hand, state: Match, viewer: Viewer) -> list[tuple[str, str]]:
    """What the referee says if the viewer does what was done in this hand, or what is allowed and not listed."""
    if viewer == "rail":
        return []
    done = [message.commit for message in match.messages[hand.deal - 1 : hand.last]]
    actions = [commit.sealed_action.value if commit.sealed_action else commit.action for commit in done]
    unlisted = [action for template in legal(state, viewer).also for action in ends(template)]
    return [(str(action["type"]), _answer(state, viewer, action)) for action in (*actions, *unlisted) if action]


def _answer(state: Match, seat: Seat, action: Action) -> str:
    try:
        act(state, seat, action)
    except Refused as refused:
        return f"{refused.code}: {refused.detail}"
    return "accepted"


# --- frames compared ---------------------------------------------------------------------------------------------


def differences(real: bytes, other: bytes) -> list[str]:
    """Where two frames of one viewer differ, commitments apart; of what follows from an event, the event alone."""
    ours, theirs = _plain(real), _plain(other)
    events = list(_of_events(ours.pop("events"), theirs.pop("events")))
    if events:
        return events
    return [*_of_values("", ours, theirs), *(["size"] if len(real) != len(other) else [])]


def _plain(frame: bytes) -> dict[str, Any]:
    _, match, seat, index, public, secrets, signature, table, legal, waited, revealed = msgspec.msgpack.decode(frame)
    commit = _uncommitted(msgspec.msgpack.decode(public))
    del commit["prev"]
    rest = {"match": match, "seat": seat, "index": index, "secrets": secrets, "signature": signature}
    shown = {"table": table, "legal": legal, "waited": waited, "revealed": revealed}
    return {"events": commit.pop("events"), "commit": commit, **rest, **shown}


def _uncommitted(value: Any) -> Any:
    match value:
        case {"slot": _, "commitment": bytes()}:
            return {key: member for key, member in value.items() if key != "commitment"}
        case dict():
            return {key: _uncommitted(member) for key, member in value.items()}
        case list():
            return [_uncommitted(member) for member in value]
        case _:
            return value


def _of_events(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> Iterator[str]:
    for one, other in zip(ours, theirs, strict=False):
        if one["type"] != other["type"]:
            yield f"{one['type']} or {other['type']}"
            return
        yield from (f"{one['type']}.{key}" for key in {**one, **other} if one.get(key) != other.get(key))
    if len(ours) != len(theirs):
        longer = max(ours, theirs, key=len)
        yield f"{longer[min(len(ours), len(theirs))]['type']} or nothing"


def _of_values(path: str, ours: Any, theirs: Any) -> Iterator[str]:
    match ours, theirs:
        case dict(), dict():
            for key in {**ours, **theirs}:
                yield from _of_values(f"{path}.{key}".lstrip("."), ours.get(key), theirs.get(key))
        case _ if ours != theirs:
            yield path
        case _:
            pass
