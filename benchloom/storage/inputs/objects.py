"""One object under an INPUT, and the limits it is read within."""

from collections.abc import Callable

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Capture

MIB = 1024 * 1024
MEMBER = "!"
"""Separates an archive and its member in a `source_uri`."""


class InputLimits(msgspec.Struct, frozen=True):
    """Limits that keep a single hostile object from exhausting the machine.

    A member of more than `ratio_floor` bytes may have `ratio` times its stored size.
    """

    object_bytes: int = 64 * MIB
    ratio: int = 200
    ratio_floor: int = 8 * MIB


class SourceObject(msgspec.Struct, frozen=True, gc=False):
    """A file or archive member: its path, its size, and a function that reads it.

    `problem` is set if it must not be read; `capture` if it is from a web archive.
    """

    source_uri: str
    size: int
    reader: Callable[[], bytes]
    problem: RejectedInputError | None = None
    capture: Capture | None = None

    def read(self) -> bytes:
        """Return the bytes of the object, or raise RejectedInputError."""
        if self.problem is not None:
            raise self.problem
        return self.reader()


def unreadable(reason: str, message: str) -> Callable[[], bytes]:
    """Return a reader for an object that must not be read; it raises the reason as an error."""

    def refuse() -> bytes:
        raise RejectedInputError(reason, message)

    return refuse


def refused(
    source_uri: str, problem: RejectedInputError, capture: Capture | None = None
) -> SourceObject:
    """Return an object that cannot be read, with the reason."""
    reader = unreadable(problem.reason, problem.message)
    return SourceObject(source_uri, 0, reader, problem, capture)


def readable_name(name: str) -> str:
    """Return a name as valid text: bytes that are not valid text become escapes."""
    return name.encode("utf-8", "backslashreplace").decode()
