"""Tasks as they lie there: the table of a release or workspace, or a file of rows as JSON lines."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from benchloom.errors import RunError
from benchloom.records.worlds.task import Task as TaskRow
from benchloom.tables import iter_records, table_parts
from benchloom.worlds.proving import task_of
from benchloom.worlds.task import Task

TABLE = "tasks"
Damaged = Callable[[str, str, str], None]
"""Takes a task that cannot be read: where it is, a stable reason, and what is wrong."""
_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError, KeyError, TypeError)
_LINE = msgspec.json.Decoder(TaskRow)


def read_tasks(place: Path, damaged: Damaged | None = None) -> Iterator[Task]:
    """The tasks of a folder's table `tasks`, or of a file of JSON lines, in their order.

    A task that cannot be read is left out and given to `damaged`; without `damaged` it raises.

    Raises:
        RunError: there is no table, or a task cannot be read; the message says where.
    """
    if place.is_file():
        yield from _of_lines(place, damaged)
        return
    if not place.is_dir() or not table_parts(place, TABLE):
        raise RunError(f"{place} holds no table '{TABLE}'")
    for row in iter_records(place, TABLE, TaskRow):
        try:
            task = task_of(row)
        except _FAULTS as error:
            _leave_out(f"{place}, task {row.task_id}", error, damaged)
        else:
            yield task


def find_task(place: Path, wanted: str) -> Task:
    """The task of an id, which may be shortened as far as it stays the only one.

    Raises:
        RunError: there is none, or there are several.
    """
    found: list[Task] = []
    for one in read_tasks(place):
        digits = one.task_id.rpartition(":")[2]
        if one.task_id.startswith(wanted) or digits.startswith(wanted):
            found.append(one)
        if one.task_id == wanted:
            return one
    if len(found) != 1:
        raise RunError(f"{place}: {len(found)} tasks begin with '{wanted[:100]}'")
    return found[0]


def _of_lines(place: Path, damaged: Damaged | None) -> Iterator[Task]:
    with place.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                task = task_of(_LINE.decode(line))
            except _FAULTS as error:
                _leave_out(f"{place}, line {number}", error, damaged)
            else:
                yield task


def _leave_out(record: str, error: Exception, damaged: Damaged | None) -> None:
    if damaged is None:
        raise RunError(f"{record}: no task: {error}") from error
    damaged(record, "no_task", str(error))
