"""What long files were decoded to, known again by their bytes."""

import hashlib
from typing import Generic, TypeVar

T = TypeVar("T")


class Decoded(Generic[T]):
    """What this process has decoded or written, by its bytes; the oldest goes first.

    Bytes are read and digested every time: what is spared is to decode them and to look through
    what comes out.
    """

    def __init__(self, most_bytes: int) -> None:
        self._left = most_bytes
        self._known: dict[bytes, tuple[int, T]] = {}

    def find(self, content: bytes) -> T | None:
        """What was decoded from these bytes; None where that is not known."""
        known = self._known.get(_digest(content))
        return None if known is None else known[1]

    def add(self, content: bytes, value: T) -> None:
        """Know from now on what these bytes are."""
        digest = _digest(content)
        if digest in self._known:
            return
        self._known[digest] = (len(content), value)
        self._left -= len(content)
        while self._left < 0:
            size, _ = self._known.pop(next(iter(self._known)))
            self._left += size

    def values(self) -> list[T]:
        """All that is known."""
        return [value for _, value in self._known.values()]


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
