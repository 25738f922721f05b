"""Let equal values share memory, and make decoding into records safe for threads.

msgspec (0.22) reads the fields of a struct when a value is first decoded or converted into the
struct, and meanwhile shows the half-read struct to other threads. If two threads use the same
struct for the first time at the same moment, the interpreter crashes with a segmentation fault.
"""

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

import msgspec

R = TypeVar("R", bound=msgspec.Struct)


def settle_structs() -> None:
    """Make msgspec read the fields of all loaded structs. Call this before starting threads."""
    for struct in _subclasses_of(msgspec.Struct):
        try:
            msgspec.json.Decoder(struct)
        except (TypeError, NameError, AttributeError):
            continue  # nothing is decoded into it: its fields are types that msgspec does not know


class HeldOnce(Generic[R]):
    """Saves memory: equal values of some columns, also inside lists, become one shared object."""

    def __init__(self, *columns: str) -> None:
        self._columns: Sequence[str] = columns
        self._shared: dict[object, object] = {}

    def __call__(self, record: R) -> R:
        """Return a copy of the record in which earlier equal values replace its values."""
        values = {name: self._share(getattr(record, name)) for name in self._columns}
        return msgspec.structs.replace(record, **values)

    def _share(self, value: object) -> object:
        if isinstance(value, tuple):
            value = tuple(map(self._share, value))
        return self._shared.setdefault(value, value)


def _subclasses_of(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for struct in base.__subclasses__():
        yield struct
        yield from _subclasses_of(struct)
