"""A quota as a token bucket: so many at once, and so many a second in the long run."""

from collections.abc import Callable


class Quota:
    """A bucket that is full at first.

    Args:
        rate: how many are added in a second.
        burst: how many it holds.
        clock: seconds, never going back.
    """

    def __init__(self, rate: float, burst: int, *, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = float(burst)
        self._at = clock()

    def take(self) -> bool:
        """Take one, if there is one."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
