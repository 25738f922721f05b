"""Places for clients: a bounded number, given to new ones where nobody uses them."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
GRACE = 60.0
"""Seconds for which a place is kept after its last use, however many others come: a model that
thinks about its first call has opened its session long before."""


class Slots(Generic[T]):
    """At most `most` values by id, each for `idle` seconds after its last use.

    Where all places are taken, a new value gets the place of the one that was not used for longest,
    if that is `GRACE` seconds ago.
    """

    def __init__(
        self, *, most: int, idle: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._idle = idle
        self._clock = clock
        self._values: OrderedDict[str, tuple[float, T]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._values))

    def add(self, ident: str, value: T) -> None:
        """Take a place; `make_room` has to have said that there is one."""
        self._values[ident] = (self._clock(), value)

    def find(self, ident: str) -> T | None:
        """The value of an id, which is used by that."""
        if ident not in self._values:
            return None
        _, value = self._values[ident]
        self._values[ident] = (self._clock(), value)
        self._values.move_to_end(ident)
        return value

    def remove(self, ident: str) -> T | None:
        """Free a place; what was in it."""
        _, value = self._values.pop(ident, (0.0, None))
        return value

    def expired(self) -> list[str]:
        """The ids that were not used for too long."""
        return self._unused_for(self._idle)

    def make_room(self) -> list[str] | None:
        """The ids that have to go so that a new value fits; None where all of them are in use."""
        leaving = self.expired()
        if len(self._values) - len(leaving) < self._most:
            return leaving
        return self._unused_for(GRACE)[:1] or None

    def _unused_for(self, seconds: float) -> list[str]:
        """The ids that were not used for so long; the longest unused stands first."""
        oldest = self._clock() - seconds
        found = []
        for ident, (last_use, _) in self._values.items():
            if last_use > oldest:
                break
            found.append(ident)
        return found
