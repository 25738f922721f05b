"""Keep tasks in memory, compressed until they are used, and find them by id."""

import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from benchloom.core.errors import NothingReadError, RunError
from benchloom.core.records.worlds import Task as TaskRow
from benchloom.worlds.proofs import row_of, task_of
from benchloom.worlds.task import Task

_ROW = msgspec.msgpack.Decoder(TaskRow)
_LONGEST_NAME = 100


class TaskStore:
    """Tasks in their order, compressed because thousands of decoded tasks would fill the memory.

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
        """A mapping from each split to the ids of its tasks, in order."""
        return self._splits

    def find(self, task_id: str) -> Task:
        """Return the task whose id is `task_id` or begins with it.

        Raises:
            RunError: no task id begins with `task_id`, or several task ids do.
        """
        packed = self._packed[unique_id(self._packed, task_id)]
        return task_of(_ROW.decode(zlib.decompress(packed)))


def begins(task_id: str, prefix: str) -> bool:
    """Whether a task id begins with a prefix, which may omit the part `task:sha256:`."""
    return task_id.startswith(prefix) or task_id.rpartition(":")[2].startswith(prefix)


def unique_id(task_ids: Collection[str], requested_id: str, prefix: str = "") -> str:
    """Return the requested id, or the only id that begins with it.

    Raises:
        RunError: no id begins with it, or several do; the message begins with `prefix`.
    """
    if requested_id in task_ids:
        return requested_id
    matches = [task_id for task_id in task_ids if requested_id and begins(task_id, requested_id)]
    if len(matches) != 1:
        count, start = len(matches), requested_id[:_LONGEST_NAME]
        raise RunError(f"{prefix}{count} task ids begin with '{start}'; pass the id of one task")
    return matches[0]
