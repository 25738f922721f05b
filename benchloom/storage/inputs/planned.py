"""Objects selected by the names that a plan recorded, so that a run reads what it listed."""

import zlib
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from benchloom.core.errors import RunError

_SEPARATOR = "\0"


class Named(Protocol):
    """An object under the inputs that has a name."""

    @property
    def source_uri(self) -> str:
        """The name of the object."""


N = TypeVar("N", bound=Named)


def pack_names(names: Iterable[str]) -> bytes:
    """Pack names into few bytes, to send them to the processes that make shards."""
    return zlib.compress(_SEPARATOR.join(names).encode("utf-8", "surrogatepass"), 1)


def unpack_names(packed: bytes) -> list[str]:
    """Return the names that `pack_names` compressed; an empty list for empty bytes."""
    text = zlib.decompress(packed).decode("utf-8", "surrogatepass") if packed else ""
    return text.split(_SEPARATOR) if text else []


def planned_objects(objects: Iterable[N], names: Sequence[str]) -> list[N]:
    """Return the objects with these names, in their order, or raise RunError if one is gone."""
    objects_by_name: dict[str, deque[N]] = defaultdict(deque)
    for source_object in objects:
        objects_by_name[source_object.source_uri].append(source_object)
    planned: list[N] = []
    for name in names:
        if not objects_by_name[name]:
            raise RunError(
                f"{name} was among the inputs when the run began and is gone; "
                "run again while nothing changes the inputs"
            )
        planned.append(objects_by_name[name].popleft())
    return planned
