"""Who asks too much at once is sent away, so that he holds up nobody but himself."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from schemas.refusals import Code
from services.games.game import Refused

PER_MATCH = 64
PER_SENDER = 4
"""How many requests may wait for a match, and of one sender in it."""


class Mailboxes:
    """What waits in this process, counted by match and by sender."""

    def __init__(self) -> None:
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def place(self, match: str, sender: str, most: int = PER_SENDER) -> Generator[None]:
        """A place for one request, until it is answered; the sender has at most so many. Raises Refused: busy."""
        places = (match, f"{match}.{sender}")
        if self._waiting[places[0]] >= PER_MATCH or self._waiting[places[1]] >= most:
            raise Refused(Code.BUSY, "too many requests are waiting; try again with the same command id")
        self._waiting.update(places)
        try:
            yield
        finally:
            self._waiting.subtract(places)
            for place in places:
                if not self._waiting[place]:
                    del self._waiting[place]
