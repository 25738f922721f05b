"""Consecutive objects of a list, described by name so that no other objects need be opened."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from benchloom.storage.inputs.objects import MEMBER, SourceObject
from benchloom.storage.inputs.planned import pack_names, planned_objects, unpack_names


class Stretch(NamedTuple):
    """A range of `length` objects from `first` to `last`, by `source_uri`, after `skipped`.

    The skipped objects have the same name as the first and belong to the previous stretch.
    `names` are all names from the first skipped object to the last, packed: an object added
    later under another name is no part of the stretch.
    """

    first: str
    last: str
    skipped: int
    length: int
    names: bytes

    def may_reach(self, source_uri: str) -> bool:
        """Whether a file, or a member of it, may be one of the objects."""
        member = source_uri + MEMBER
        is_before = source_uri < self.first and member < self.first
        return source_uri <= self.last and (not is_before or self.first.startswith(member))

    def reaches(self, source_uri: str) -> bool:
        """Whether an object with this name may be one of the objects."""
        return self.first <= source_uri <= self.last

    def cut(self, reached: Sequence[SourceObject]) -> Sequence[SourceObject]:
        """Return the objects of the stretch, in order, from all objects that it reaches.

        Raises:
            RunError: one of the objects is no longer there.
        """
        return planned_objects(reached, unpack_names(self.names))[self.skipped :]


def stretches(uris: Sequence[str], ranges: Iterable[tuple[int, int]]) -> list[Stretch]:
    """Ranges of a sorted list of names as stretches."""
    stretch_list: list[Stretch] = []
    for start, stop in ranges:
        same = start
        while same and uris[same - 1] == uris[start]:
            same -= 1
        names = pack_names(uris[same:stop])
        stretch_list.append(Stretch(uris[start], uris[stop - 1], start - same, stop - start, names))
    return stretch_list
