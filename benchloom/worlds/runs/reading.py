"""Read tasks from the table of a release or workspace, or from a JSON Lines file."""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from benchloom.core.errors import NothingReadError
from benchloom.core.records.worlds import Task as TaskRow
from benchloom.storage.inputs import nothing_in
from benchloom.storage.tables import iter_records, table_parts
from benchloom.worlds.proving import task_of
from benchloom.worlds.runs.task_store import begins, unique_id
from benchloom.worlds.task import Task

TABLE = "tasks"
Damaged = Callable[[str, str, str], None]
"""Receives an unreadable task: its location, a stable reason, and the message."""
_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError, KeyError, TypeError)
_LINE = msgspec.json.Decoder(TaskRow)


def read_tasks(path: Path, damaged: Damaged | None = None) -> Iterator[Task]:
    """Yield the tasks of a folder's table `tasks`, or of a JSON Lines file, in stored order.

    An unreadable task is skipped and passed to `damaged`; without `damaged` it raises.

    Raises:
        RunError: there is no table, or a task cannot be read; the message says where.
    """
    if path.is_file():
        yield from _of_lines(path, damaged)
        return
    if not path.is_dir() or not table_parts(path, TABLE):
        raise nothing_in(
            path, f"{path} contains no table '{TABLE}'; pass the --out folder of 'world build'"
        )
    for row in iter_records(path, TABLE, TaskRow):
        try:
            task = task_of(row)
        except _FAULTS as error:
            _leave_out(f"{path}, task {row.task_id}", error, damaged)
        else:
            yield task


def find_task(path: Path, requested_id: str) -> Task:
    """Return the task with an id or a unique prefix of it.

    Raises:
        RunError: no task matches, or several do.
    """
    tasks = {task.task_id: task for task in read_tasks(path) if begins(task.task_id, requested_id)}
    return tasks[unique_id(tasks, requested_id, f"{path}: ")]


def _of_lines(path: Path, damaged: Damaged | None) -> Iterator[Task]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                task = task_of(_LINE.decode(line.removeprefix(BOM_UTF8)))
            except _FAULTS as error:
                _leave_out(f"{path}, line {number}", error, damaged)
            else:
                yield task


def _leave_out(record: str, error: Exception, damaged: Damaged | None) -> None:
    if damaged is None:
        raise NothingReadError(
            f"{record}: not a task: {error}; pass the --out folder of 'world build'"
        ) from error
    damaged(record, "no_task", str(error))
