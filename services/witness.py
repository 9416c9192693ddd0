"""What a viewer's own client checks: that frames follow one another, and that a player's actions are those he sent."""

from typing import Any

import msgspec

from schemas.actions import Action
from schemas.cards import Seat
from schemas.codec import Message, opens, sealed_in
from schemas.events import EntropyCommitted, HandRevealed, SeatJoined, SeatLeft, SeatLost
from schemas.log import NO_CHAIN, Commit, acting
from schemas.sealed import Sealed
from schemas.views import Frame


class BrokenChain(Exception):
    """A frame does not follow the one before, or opens a secret to something else: it was changed on its way."""


class Altered(Exception):
    """The log says that this seat did what it did not send."""


class Dropped(Exception):
    """The referee said that an action is in the log, and it is not."""


class Verifier:
    """Holds the frames of one viewer against each other: their chain, and what they open against what was committed to.

    Attributes:
        index: that of the last frame that was taken.
    """

    def __init__(self, match: str, seat: Seat | None) -> None:
        self.index = 0
        self._match = match
        self._seat = seat
        self._head = NO_CHAIN
        self._shut: dict[int, dict[str, Sealed[Any]]] = {}
        """What was committed to and may be revealed yet, by index and slot."""

    def take(self, frame: Frame, message: Message) -> None:
        """Take the next frame. Raises BrokenChain where it is not that, and then nothing has changed."""
        commit = message.commit
        place = (frame.match, frame.seat, frame.index, commit.match, commit.index, commit.prev)
        follows = (self._match, self._seat, self.index + 1, self._match, self.index + 1, self._head)
        if place != follows:
            raise BrokenChain(f"frame {frame.index} of match {frame.match} does not follow commit {self.index}")
        published = {sealed.slot: sealed for sealed in sealed_in(commit)}
        for secret in message.secrets:
            if not opens(secret, published[secret.slot], self._match, commit.index):
                raise BrokenChain(f"the secret of {secret.slot} in commit {commit.index} does not open its commitment")
        for shown in frame.revealed:
            sealed = self._shut.get(shown.index, {}).get(shown.slot)
            if sealed is None or not opens(shown, sealed, self._match, shown.index):
                raise BrokenChain(f"the secret of {shown.slot} in commit {shown.index} is revealed as another one")
        self.index, self._head = commit.index, message.chain
        self._keep(commit, published)

    def _keep(self, commit: Commit, published: dict[str, Sealed[Any]]) -> None:
        for event in commit.events:
            if isinstance(event, HandRevealed):
                for index in [index for index in self._shut if event.first <= index <= event.last]:
                    del self._shut[index]
        if published:
            self._shut[commit.index] = published


class Witness:
    """Holds what a seat sent, and was told of it, against the frames that the seat is shown (design §5).

    A commit names the command that brought it about by its `cause`. With `alone`, nobody else has the token of this
    seat, so that from its join on until it is lost no command of it is unknown here.
    """

    def __init__(self, *, alone: bool) -> None:
        self._alone = alone
        self._sent: dict[bytes, Action] = {}
        self._told: dict[int, bytes] = {}
        self._shown: dict[int, bytes] = {}
        self.seen = 0
        """Index of the last commit that was shown."""
        self.rounds = [0]
        """0, and the index of each commit that freed a seat after this one was taken: then all commit to other entropy.
        """
        self.commitment = b""
        """What this seat has committed to since; empty: nothing is known of it."""
        self._furthest = 0

    @property
    def told(self) -> int:
        """The highest index at which an action of this seat is said to be."""
        return max(self._told, default=0)

    def send(self, cause: bytes, action: Action) -> None:
        """A command is about to be sent."""
        self._sent[cause] = msgspec.msgpack.decode(msgspec.msgpack.encode(action))

    def tell(self, cause: bytes, index: int) -> None:
        """The command is said to be in the log at `index`. Raises Dropped where something else is there."""
        if self._told.setdefault(index, cause) != cause or (index <= self.seen and self._shown.get(index) != cause):
            raise Dropped(f"commit {index} is not the action that was accepted as such")

    def show(self, commit: Commit, seat: Seat | None) -> None:
        """A commit is shown to `seat`. Raises Altered and Dropped."""
        self.seen = commit.index
        if acting(commit) == (seat, False):
            self._shown[commit.index] = commit.cause
            if self._is_altered(commit):
                raise Altered(f"commit {commit.index} holds an action that seat {seat} did not send")
        if self._told.get(commit.index, commit.cause) != commit.cause:
            raise Dropped(f"commit {commit.index} is not the action that was accepted as such")
        if commit.index > self._furthest:
            self._furthest = commit.index
            self._count(commit, seat)

    def _count(self, commit: Commit, seat: Seat | None) -> None:
        for event in commit.events:
            match event:
                case SeatJoined() if event.seat == seat:
                    self.rounds, self.commitment = [0], event.commitment
                case EntropyCommitted() if event.seat == seat:
                    self.commitment = event.commitment
                case SeatLost() | SeatLeft(free=True):
                    self.rounds.append(commit.index)
                    self.commitment = b""
                    self._alone = self._alone and event.seat != seat
                case _:
                    pass

    def end(self, told: int) -> None:
        """No more is shown, though an action was said to be at index `told`. Raises Dropped if that was not shown."""
        if self.seen < told:
            raise Dropped(f"there is no commit {told}, as which an action was accepted")

    def _is_altered(self, commit: Commit) -> bool:
        if commit.cause in self._sent:
            return self._sent[commit.cause] != _action(commit)
        return self._alone and 0 < min(self._told, default=0) < commit.index


def _action(commit: Commit) -> Action | None:
    sealed = commit.sealed_action
    if sealed is None:
        return commit.action
    return sealed.value if sealed.is_open else None
