"""What a player's own client checks of the referee: that what he sent, and nothing else, is done in his name."""

import msgspec

from schemas.actions import Action
from schemas.cards import Seat
from schemas.events import SeatJoined, SeatLeft, SeatLost
from schemas.log import Commit


class Altered(Exception):
    """The log says that this seat did what it did not send."""


class Dropped(Exception):
    """The referee said that an action is in the log, and it is not."""


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
        self.anew = 0
        """Index of the last commit that freed a seat after this one was taken: all commit to other entropy; 0: none."""
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
        if commit.seat == seat and not commit.auto:
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
                    self.anew = 0
                case SeatLost() | SeatLeft(free=True):
                    self.anew = commit.index
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
