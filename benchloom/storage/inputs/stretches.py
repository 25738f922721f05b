"""Stretches: ranges of the sorted list of input objects, identified by the objects' names.

From the names alone, a process finds the objects without opening other inputs.
"""

import zlib
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from benchloom.core.errors import RunError
from benchloom.storage.inputs.objects import MEMBER, SourceObject

_SEPARATOR = "\0"


class NamedObject(Protocol):
    """An object under the inputs that has a name."""

    @property
    def source_uri(self) -> str:
        """The name of the object."""


N = TypeVar("N", bound=NamedObject)


def pack_names(names: Iterable[str]) -> bytes:
    """Compress names, so that they can be sent to the processes that make shards."""
    return zlib.compress(_SEPARATOR.join(names).encode("utf-8", "surrogatepass"), 1)


def unpack_names(packed: bytes) -> list[str]:
    """Return the names that `pack_names` compressed, or an empty list for empty bytes."""
    text = zlib.decompress(packed).decode("utf-8", "surrogatepass") if packed else ""
    return text.split(_SEPARATOR) if text else []


def planned_objects(objects: Iterable[N], names: Sequence[str]) -> list[N]:
    """Return the objects with these names, in this order.

    Raises RunError if an object is missing.
    """
    objects_by_name: dict[str, deque[N]] = defaultdict(deque)
    for source_object in objects:
        objects_by_name[source_object.source_uri].append(source_object)
    planned: list[N] = []
    for name in names:
        if not objects_by_name[name]:
            raise RunError(
                f"{name} was removed from the inputs during the run; "
                "run again while no program changes the inputs"
            )
        planned.append(objects_by_name[name].popleft())
    return planned


class Stretch(NamedTuple):
    """A range of `length` objects, sorted by `source_uri`, from `first` to `last`.

    The first `skipped` objects have the name `first` and belong to the previous stretch.
    `names` are the packed names from the first skipped object to the last object; an object
    that is added to the inputs later is not in the stretch.
    """

    first: str
    last: str
    skipped: int
    length: int
    names: bytes

    def may_reach(self, source_uri: str) -> bool:
        """Whether the range may contain the file `source_uri` or one of its members."""
        member = source_uri + MEMBER
        is_before = source_uri < self.first and member < self.first
        return source_uri <= self.last and (not is_before or self.first.startswith(member))

    def reaches(self, source_uri: str) -> bool:
        """Whether the range may contain an object with this name."""
        return self.first <= source_uri <= self.last

    def cut(self, reached: Sequence[SourceObject]) -> Sequence[SourceObject]:
        """Return the objects of this range, in order; `reached` are objects that may be in it."""
        return planned_objects(reached, unpack_names(self.names))[self.skipped :]


def stretches(uris: Sequence[str], ranges: Iterable[tuple[int, int]]) -> list[Stretch]:
    """Return one `Stretch` for each pair (start, stop) in the sorted list of object names."""
    stretch_list: list[Stretch] = []
    for start, stop in ranges:
        same = start
        while same and uris[same - 1] == uris[start]:
            same -= 1
        names = pack_names(uris[same:stop])
        stretch_list.append(Stretch(uris[start], uris[stop - 1], start - same, stop - start, names))
    return stretch_list
