"""Who asks too much at once is sent away, so that he holds up nobody but himself."""

from types import TracebackType

from schemas.refusals import Code
from services.games.game import Refused

PER_MATCH = 64
PER_SENDER = 4
"""How many requests may wait for a match, and of one sender in it."""


class Mailboxes:
    """What waits in this process, counted by match and by sender."""

    def __init__(self) -> None:
        self._waiting: dict[str, int] = {}

    def place(self, match: str, sender: str, most: int = PER_SENDER) -> "_Place":
        """A place for one request, until it is answered; the sender has at most so many. Raises Refused: busy."""
        box = f"{match}.{sender}"
        waiting = self._waiting
        if waiting.get(match, 0) >= PER_MATCH or waiting.get(box, 0) >= most:
            raise Refused(Code.BUSY, "too many requests are waiting; try again with the same command id")
        return _Place(waiting, (match, box))


class _Place:
    """Taken where it is entered, and free again where it is left."""

    def __init__(self, waiting: dict[str, int], boxes: tuple[str, str]) -> None:
        self._waiting = waiting
        self._boxes = boxes

    def __enter__(self) -> None:
        for box in self._boxes:
            self._waiting[box] = self._waiting.get(box, 0) + 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for box in self._boxes:
            left = self._waiting[box] - 1
            if left:
                self._waiting[box] = left
            else:
                del self._waiting[box]
