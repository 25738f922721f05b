"""Limit the number of open sessions; a new session replaces the longest idle session."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypedDict, TypeVar, Unpack

import msgspec

T = TypeVar("T")
MOST = 200
"""The default maximum number of open sessions."""
IDLE = 1800.0
"""The default number of seconds without a call after which a session is closed."""
CLOSED = "it ended, was idle for too long, or was replaced by a new client (see --clients)"


class Limits(TypedDict, total=False):
    """The arguments of `Slots`: the number of slots, the idle time in seconds, and a clock."""

    most: int
    idle: float
    clock: Callable[[], float]


class Served(msgspec.Struct):
    """Counts of the sessions that a server opened and of the tool calls that it answered."""

    sessions: int = 0
    calls: int = 0


class Closing(Protocol):
    """A value that uses memory until it is closed."""

    def close(self) -> None:
        """Free the memory of the value."""
        ...


C = TypeVar("C", bound=Closing)


class Slots(Generic[T]):
    """A mapping from ids to at most `most` values, such as the open sessions of a server.

    A value expires `idle` seconds after its last use. If all slots are taken, a new value replaces
    the value whose last use is longest ago. A value keeps its slot while a request about the value
    is answered (`in_use`).
    """

    def __init__(
        self, *, most: int = MOST, idle: float = IDLE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.most = most
        self.idle = idle
        self._clock = clock
        # Ordered by last use.
        self._values: OrderedDict[str, tuple[float, T]] = OrderedDict()
        self._requests: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._values))

    def items(self) -> list[tuple[str, T]]:
        """Return all ids and values, longest idle first; this does not count as a use."""
        return [(slot_id, value) for slot_id, (_, value) in self._values.items()]

    def add(self, slot_id: str, value: T) -> None:
        """Store a value under an id; first remove the ids that `make_room` returns."""
        self._values[slot_id] = (self._clock(), value)

    def find(self, slot_id: str) -> T | None:
        """Return the value of an id, or None, and count this as a use of the value."""
        if slot_id not in self._values:
            return None
        _, value = self._values[slot_id]
        self._values[slot_id] = (self._clock(), value)
        self._values.move_to_end(slot_id)
        return value

    @contextmanager
    def in_use(self, slot_id: str) -> Iterator[None]:
        """Keep the slot of an id inside the block, which answers a request about its value.

        The id may be unknown.
        """
        self._requests[slot_id] += 1
        try:
            yield
        finally:
            self._requests[slot_id] -= 1
            if not self._requests[slot_id]:
                del self._requests[slot_id]
            self.find(slot_id)

    def remove(self, slot_id: str) -> T | None:
        """Free the slot of an id; return its value, or None if the id is unknown."""
        _, value = self._values.pop(slot_id, (0.0, None))
        return value

    def expired(self) -> list[str]:
        """Return the ids of expired values, longest idle first."""
        oldest = self._clock() - self.idle
        return [
            slot_id for slot_id in self._without_requests() if self._values[slot_id][0] <= oldest
        ]

    def make_room(self, coming: int = 1) -> list[str] | None:
        """Return the ids that must be removed before `coming` new values can be added.

        Return None if too many of the values are in use.
        """
        excess = len(self._values) + coming - self.most
        leaving = self._without_requests()[: max(excess, len(self.expired()), 0)]
        return leaving if len(leaving) >= excess else None

    def _without_requests(self) -> list[str]:
        return [slot_id for slot_id in self._values if slot_id not in self._requests]


class OpenSlots(Slots[C]):
    """Slots whose values are closed when they are removed, expire or are replaced."""

    def __init__(self, **limits: Unpack[Limits]) -> None:
        super().__init__(**limits)
        self.served = Served()

    def __len__(self) -> int:
        self._sweep()
        return super().__len__()

    def find(self, slot_id: str) -> C | None:
        """Close expired values, then return the value of an id, or None; this counts as a use."""
        self._sweep()
        return super().find(slot_id)

    def close(self, slot_id: str) -> bool:
        """Remove and close the value of an id; return whether the id was known."""
        value = self.remove(slot_id)
        if value is not None:
            value.close()
        return value is not None

    def close_all(self) -> None:
        """Remove and close all values."""
        for slot_id in self:
            self.close(slot_id)

    def _open(self, slot_id: str, create: Callable[[], C]) -> C | None:
        """Create a value and store it under an id; return None if all slots are in use."""
        leaving = self.make_room()
        if leaving is None:
            return None
        for other_id in leaving:
            self.close(other_id)
        value = create()
        self.add(slot_id, value)
        self.served.sessions += 1
        return value

    def _sweep(self) -> None:
        for slot_id in self.expired():
            self.close(slot_id)
