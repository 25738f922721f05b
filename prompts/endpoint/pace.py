"""Limit requests and tokens per minute, and space them evenly."""

import asyncio
import time

SECONDS_PER_MINUTE = 60.0


class Pace:
    """Lets `rate` units per minute through, evenly spaced; None lets everything through."""

    def __init__(self, rate: float | None) -> None:
        self._seconds = 0.0 if rate is None else SECONDS_PER_MINUTE / rate
        self._next = 0.0

    async def wait(self, units: float = 1.0) -> None:
        """Wait until `units` may pass; callers pass in the order in which they called."""
        if not self._seconds:
            return
        now = time.monotonic()
        start = max(now, self._next)
        self._next = start + units * self._seconds
        if start > now:
            await asyncio.sleep(start - now)

    def give_back(self, units: float) -> None:
        """Return `units` that an estimate had too many; take more if it is negative."""
        self._next -= units * self._seconds
