"""Read tasks from the table of a release or workspace, or from a JSON Lines file."""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from benchloom.core.errors import NothingReadError, RunError
from benchloom.core.records.worlds import Task as TaskRow
from benchloom.storage.inputs import nothing_in
from benchloom.storage.tables import iter_records, table_parts
from benchloom.worlds.proofs import task_of
from benchloom.worlds.runs.task_store import begins, unique_id
from benchloom.worlds.task import Task

TABLE = "tasks"
Damaged = Callable[[str, str, str], None]
"""A function that receives the location of an unreadable task, a stable reason, and a message."""
_FAULTS = (
    msgspec.DecodeError,
    UnicodeDecodeError,
    RecursionError,
    ValueError,
    KeyError,
    TypeError,
    RunError,  # raised by `task_of` for a cell that is not the expected JSON
)
_LINE = msgspec.json.Decoder(TaskRow)


def read_tasks(path: Path, damaged: Damaged | None = None) -> Iterator[Task]:
    """Yield the tasks of a folder's table `tasks`, or of a JSON Lines file, in stored order.

    If a task cannot be read, its location is passed to `damaged`, and the other tasks are read.

    Raises:
        RunError: there is no table, or a task cannot be read and `damaged` is None. The message
            names the file and the line or task.
    """
    for record, decode in _records(path):
        try:
            task = task_of(decode())
        except _FAULTS as error:
            if damaged is None:
                raise NothingReadError(
                    f"{record} is not a task ({error}); pass the --out folder of 'world build'"
                ) from error
            damaged(record, "no_task", str(error))
        else:
            yield task


def _records(path: Path) -> Iterator[tuple[str, Callable[[], TaskRow]]]:
    """Yield the location of each stored task, and a function that decodes its row."""
    if path.is_file():
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    content = line.removeprefix(BOM_UTF8)
                    yield f"{path}, line {number}", partial(_LINE.decode, content)
        return
    if not path.is_dir() or not table_parts(path, TABLE):
        raise nothing_in(
            path, f"{path} contains no table '{TABLE}'; pass the --out folder of 'world build'"
        )
    for row in iter_records(path, TABLE, TaskRow):
        yield f"{path}, task {row.task_id}", partial(msgspec.convert, row, TaskRow)


def find_task(path: Path, requested_id: str) -> Task:
    """Return the task in a folder or file whose id is `requested_id` or begins with it.

    Raises:
        RunError: no task id begins with `requested_id`, or several task ids do.
    """
    tasks = {task.task_id: task for task in read_tasks(path) if begins(task.task_id, requested_id)}
    return tasks[unique_id(tasks, requested_id, f"{path}: ")]
