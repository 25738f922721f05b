"""Tasks in memory by id, in a compact form until they are used."""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from benchloom.core.errors import NothingReadError, RunError
from benchloom.core.records.worlds import Task as TaskRow
from benchloom.worlds.proving import row_of, task_of
from benchloom.worlds.task import Task

_ROW = msgspec.msgpack.Decoder(TaskRow)
_LONGEST_NAME = 100


class Shelf:
    """Tasks in order, in a compact form: decoded, thousands of tasks would fill the memory.

    Raises:
        RunError: two tasks have the same id.
        NothingReadError: there are no tasks.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._packed: dict[str, bytes] = {}
        self._splits: dict[str, list[str]] = {}
        for task in tasks:
            if task.task_id in self._packed:
                raise RunError(f"two tasks have the id {task.task_id}; remove the duplicate")
            self._splits.setdefault(task.split, []).append(task.task_id)
            self._packed[task.task_id] = zlib.compress(msgspec.msgpack.encode(row_of(task)), 1)
        if not self._packed:
            raise NothingReadError("there are no tasks; make some with 'benchloom world build'")

    def __len__(self) -> int:
        return len(self._packed)

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    @property
    def splits(self) -> Mapping[str, Sequence[str]]:
        """The ids of tasks by split, in order."""
        return self._splits

    def find(self, task_id: str) -> Task:
        """Return the task with an id or a unique prefix of it.

        Raises:
            RunError: no task matches, or several do.
        """
        matches = [task_id] if task_id in self._packed else []
        matches = matches or [
            stored_id for stored_id in self._packed if task_id and _begins(stored_id, task_id)
        ]
        if len(matches) != 1:
            raise RunError(
                f"{len(matches)} task ids begin with '{task_id[:_LONGEST_NAME]}'; expected 1"
            )
        return task_of(_ROW.decode(zlib.decompress(self._packed[matches[0]])))


def _begins(task_id: str, prefix: str) -> bool:
    return task_id.startswith(prefix) or task_id.rpartition(":")[2].startswith(prefix)
