"""Tasks at hand by their ids, each kept small until it is wanted."""

import zlib
from collections.abc import Iterable, Iterator

import msgspec

from benchloom.errors import RunError
from benchloom.records.worlds.task import Task as TaskRow
from benchloom.worlds.proving import row_of, task_of
from benchloom.worlds.task import Task

_ROW = msgspec.msgpack.Decoder(TaskRow)
_MOST_SHOWN = 100


class Shelf:
    """Tasks in their order; thousands of them, whose starts would fill the memory.

    Raises:
        RunError: there are none, or two have one id.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._kept: dict[str, bytes] = {}
        for one in tasks:
            if one.task_id in self._kept:
                raise RunError(f"two tasks have the id {one.task_id}")
            self._kept[one.task_id] = zlib.compress(msgspec.msgpack.encode(row_of(one)), 1)
        if not self._kept:
            raise RunError("there are no tasks")

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def find(self, wanted: str) -> Task:
        """The task of an id, which may be shortened as far as it stays the only one.

        Raises:
            RunError: there is none, or there are several.
        """
        found = [wanted] if wanted in self._kept else []
        found = found or [one for one in self._kept if wanted and _begins(one, wanted)]
        if len(found) != 1:
            raise RunError(f"{len(found)} tasks begin with '{wanted[:_MOST_SHOWN]}'")
        return task_of(_ROW.decode(zlib.decompress(self._kept[found[0]])))


def _begins(ident: str, wanted: str) -> bool:
    return ident.startswith(wanted) or ident.rpartition(":")[2].startswith(wanted)
