"""One decision made again, with the functions that the services decide with, and compared with what was recorded."""

from collections.abc import Iterator

from msgspec.structs import fields, replace

from replay.report import Kind
from schemas.cards import Cards
from schemas.codec import Message, from_log, sealed_in, to_log
from schemas.events import DealerCommitted, Event, MatchOpened, ShareUsed
from schemas.log import Commit, acting
from schemas.refusals import Code
from services.games.clock import deadline, remind, seat_deadline
from services.games.decide import Draft, act, cause_of, commit_of, deal, join, open_match, score
from services.games.game import Refused
from services.games.match import Match, managed, provable
from services.games.shuffle import follows

Flaw = tuple[Kind, str]


def flaws(before: Match | None, message: Message, *, audiences: bool) -> list[Flaw]:
    """What is wrong with a decision taken in the match `before` it (None: the opening). Never raises.

    Every secret of the commit is known; `audiences` says whether who may open them is known too.
    """
    commit = message.commit
    try:
        draft = _decide(before, commit)
        again = _placed(draft, commit)
        if again != commit:
            again = from_log(to_log(again, b"")).commit  # what the service would have read back
        found = [*_false_shares(before, commit), *_hasty(before, commit), *_differences(commit, again)]
        if commit.by != "referee" and commit.cause != cause_of(commit.by, commit.index - 1):
            found.append((Kind.CAUSE, "its cause is not the turn that the commit before it gave"))
    except Refused as refused:
        kind = Kind.ENTROPY if refused.code is Code.BAD_ENTROPY else Kind.DECISION
        return [(kind, f"decided again, it is refused: {refused.code}")]
    except Exception as error:  # noqa: BLE001 - a forged log reaches states that no rules know; whatever comes is a flaw
        return [(Kind.DECISION, f"it cannot be decided again ({type(error).__name__})")]
    if not found and audiences and message.slots:
        found = _wrong_audiences(commit, again)
    return found


def _placed(draft: Draft, commit: Commit) -> Commit:
    """The draft where the commit stands; its time is free."""
    return commit_of(draft, match=commit.match, index=commit.index, at=commit.at, cause=commit.cause, prev=commit.prev)


def _decide(before: Match | None, commit: Commit) -> Draft:
    if before is None:
        return _open(commit)
    match commit.by:
        case "dealer":
            return _deal(before, commit)
        case "scorer":
            return score(before)
        case "referee":
            return _act(before, commit)


def _open(commit: Commit) -> Draft:
    """The opening; the house's key is the operator's choice, and whether the deals are provable is in the report."""
    draft = open_match(commit.action or {})
    match draft.events, commit.events:
        case (MatchOpened() as decided,), (MatchOpened() as recorded,):
            return replace(draft, events=(replace(decided, deal=recorded.deal, house=recorded.house),))
        case _:
            return draft


def _act(before: Match, commit: Commit) -> Draft:
    """An action of a seat or of the house; what stands in for an answer must be what the game says.

    Where nobody acted, a role was only reminded that it is due.
    """
    action = commit.action if commit.sealed_action is None else commit.sealed_action.value
    seat, auto = acting(commit)
    if auto:
        return act(before, seat, {"type": "timeout"})
    if action is None and seat is None:
        return remind(before)
    if action is not None and action.get("type") == "join":
        return join(before, action)
    return act(before, seat, action)


def _deal(before: Match, commit: Commit) -> Draft:
    """The dealer's turn, from the shares that he recorded, or from the recorded deck where the deal is given."""
    if not provable(before):
        return Draft(by="dealer", events=before.game.deal(before.play, lambda deck: _given(commit, deck)))
    shares = {event.deal: event.share.value for event in commit.events if isinstance(event, ShareUsed)}
    match commit.events:
        case (DealerCommitted() as committed,):
            return deal(before, lambda _: committed.root, committed.key_id)
        case _:
            return deal(before, lambda number: shares.get(number, b""), "")


def _given(commit: Commit, deck: Cards) -> Cards:
    recorded: Cards = next(sealed.value for sealed in sealed_in(commit) if sealed.slot == "deck")
    if sorted(recorded) != sorted(deck):
        raise Refused(Code.BAD_DEAL)
    return recorded


def _false_shares(before: Match | None, commit: Commit) -> Iterator[Flaw]:
    if commit.by != "dealer" or before is None:
        return
    for event in commit.events:
        if isinstance(event, ShareUsed) and not follows(event.share.value, before.share):
            yield Kind.SHARE, f"share {event.deal} does not follow the one before in the dealer's chain"


def _hasty(before: Match | None, commit: Commit) -> Iterator[Flaw]:
    """A time-out before its time, by the times that the log itself tells; managed seats are played for at once."""
    seat, auto = acting(commit)
    if before is None or not auto or not provable(before) or seat in managed(before):
        return
    limit = deadline(before) if seat is None else seat_deadline(before, seat)
    if limit is None or commit.at < limit:
        yield Kind.DECISION, "a time-out, before the time was up"


def _differences(recorded: Commit, decided: Commit) -> Iterator[Flaw]:
    """What differs, by name; never the values, which may be hidden."""
    if recorded == decided:
        return
    for field in ("seat", "sealed_actor", "action", "sealed_action", "auto"):
        if getattr(recorded, field) != getattr(decided, field):
            yield Kind.DECISION, f"{field.replace('_', ' ')} is not as decided"
    if len(recorded.events) != len(decided.events):
        yield Kind.DECISION, f"recorded {_tags(recorded)}; decided {_tags(decided)}"
        return
    for place, (event, other) in enumerate(zip(recorded.events, decided.events, strict=True)):
        if event != other:
            yield Kind.DECISION, f"event {place} is {_difference(event, other)}"


def _difference(event: Event, other: Event) -> str:
    tag = event.__struct_config__.tag
    if type(event) is not type(other):
        return f"{tag}, decided {other.__struct_config__.tag}"
    names = [field.name for field in fields(event) if getattr(event, field.name) != getattr(other, field.name)]
    return f"{tag}, not with the {', '.join(names)} decided"


def _tags(commit: Commit) -> str:
    return ", ".join(str(event.__struct_config__.tag) for event in commit.events) or "nothing"


def _wrong_audiences(recorded: Commit, decided: Commit) -> list[Flaw]:
    pairs = zip(sealed_in(recorded), sealed_in(decided), strict=True)
    return [
        (Kind.AUDIENCE, f"{ours.slot} may be opened by others than decided")
        for ours, theirs in pairs
        if ours.audience != theirs.audience
    ]
