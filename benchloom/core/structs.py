"""Many records in memory, and records that several threads convert into.

msgspec (0.22) reads the fields of a struct when something is first decoded or converted into it,
and shows a struct whose fields are half read to other threads meanwhile: two threads that are the
first at once end the interpreter with a segmentation fault.
"""

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

import msgspec

R = TypeVar("R", bound=msgspec.Struct)


def settle_structs() -> None:
    """Read the fields of every struct that is loaded; call it before threads are started."""
    for struct in _loaded(msgspec.Struct):
        try:
            msgspec.json.Decoder(struct)
        except (TypeError, NameError, AttributeError):
            continue  # nothing is decoded into it: its fields are types that msgspec does not know


class HeldOnce(Generic[R]):
    """Gives records in which what many have in common is one object: some columns of texts.

    A list among those is held once as a whole, and so is what stands in it.
    """

    def __init__(self, *columns: str) -> None:
        self._columns: Sequence[str] = columns
        self._known: dict[object, object] = {}

    def __call__(self, record: R) -> R:
        """The record with values that were seen before."""
        values = {name: self._held(getattr(record, name)) for name in self._columns}
        return msgspec.structs.replace(record, **values)

    def _held(self, value: object) -> object:
        if isinstance(value, tuple):
            value = tuple(map(self._held, value))
        return self._known.setdefault(value, value)


def _loaded(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for struct in base.__subclasses__():
        yield struct
        yield from _loaded(struct)
