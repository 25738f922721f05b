"""Describe ranges of the sorted list of input objects by the names of the objects.

With such a range, another process can find the objects without opening all inputs.
"""

import zlib
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from benchloom.core.errors import RunError
from benchloom.storage.inputs.objects import MEMBER, SourceObject

_SEPARATOR = "\0"


class NamedObject(Protocol):
    """An input object that has a name."""

    @property
    def source_uri(self) -> str:
        """The name of the object."""


N = TypeVar("N", bound=NamedObject)


def pack_names(names: Iterable[str]) -> bytes:
    """Compress names to bytes, to send them to the processes that write parts of a table."""
    return zlib.compress(_SEPARATOR.join(names).encode("utf-8", "surrogatepass"), 1)


def unpack_names(packed: bytes) -> list[str]:
    """Return the names that `pack_names` compressed. Empty bytes give an empty list."""
    text = zlib.decompress(packed).decode("utf-8", "surrogatepass") if packed else ""
    return text.split(_SEPARATOR) if text else []


def planned_objects(objects: Iterable[N], names: Sequence[str]) -> list[N]:
    """Return the objects with these names, in the order of the names.

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
    """A range of `length` objects in the list of inputs, which is sorted by `source_uri`.

    The range begins at the name `first` and ends at the name `last`. The first `skipped` objects
    with the name `first` belong to the previous range. `names` are the packed names of all objects
    including the skipped ones, so that objects that are added to the inputs later are not in the
    range.
    """

    first: str
    last: str
    skipped: int
    length: int
    names: bytes

    def may_reach(self, source_uri: str) -> bool:
        """Return whether the range may contain the file `source_uri` or one of its members."""
        member = source_uri + MEMBER
        is_before = source_uri < self.first and member < self.first
        return source_uri <= self.last and (not is_before or self.first.startswith(member))

    def reaches(self, source_uri: str) -> bool:
        """Return whether the range may contain an object with this name."""
        return self.first <= source_uri <= self.last

    def cut(self, reached: Sequence[SourceObject]) -> Sequence[SourceObject]:
        """Return the objects of this range, in order, from objects that may be in the range."""
        return planned_objects(reached, unpack_names(self.names))[self.skipped :]


def stretches(uris: Sequence[str], ranges: Iterable[tuple[int, int]]) -> list[Stretch]:
    """Return a range for each pair (start, stop) of positions in the sorted list of names."""
    stretch_list: list[Stretch] = []
    for start, stop in ranges:
        same = start
        while same and uris[same - 1] == uris[start]:
            same -= 1
        names = pack_names(uris[same:stop])
        stretch_list.append(Stretch(uris[start], uris[stop - 1], start - same, stop - start, names))
    return stretch_list
