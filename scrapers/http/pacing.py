"""Keeps a minimum time between the requests to one host."""

import random
import time
from collections.abc import Callable


class Pacer:
    """Keeps at least `delay` seconds, plus jitter, between requests to one host.

    The delay counts from the moment the earlier response began to arrive, not from the moment
    its request was sent: so the server sees the full delay, however long a request travels. The
    jitter counts from the sending, so that a slow network does not add to it.
    """

    def __init__(
        self,
        delay: float,
        jitter: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.delay = delay
        self._jitter = jitter
        self._clock = clock
        self._sleep = sleep
        self._next = self._sent = clock()
        # Spreads load; nothing secret depends on it.
        self._random = random.Random()  # noqa: S311  jitter is not a secret

    def wait(self) -> None:
        """Sleep until the next request may be sent."""
        while (left := self._next - self._clock()) > 0:
            self._sleep(left)
        self._sent = self._clock()

    def mark(self, extra: float = 0.0) -> None:
        """Record that the server has just responded; `extra` seconds are added to the wait."""
        spread = self.delay * self._jitter * self._random.random()
        now = self._clock()
        self._next = max(now + self.delay, self._sent + self.delay + spread, now + extra)
