"""Tasks as they lie there: the table of a release or workspace, or a file of rows as JSON lines."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.errors import RunError
from benchloom.records.worlds.task import Task as TaskRow
from benchloom.tables import iter_records, table_parts
from benchloom.worlds.proving import task_of
from benchloom.worlds.task import Task

TABLE = "tasks"
_LINE = msgspec.json.Decoder(TaskRow)


def read_tasks(place: Path) -> Iterator[Task]:
    """The tasks of a folder's table `tasks`, or of a file of JSON lines, in their order.

    Raises:
        RunError: there are none, or one is none; the message says where.
    """
    if place.is_file():
        yield from _of_lines(place)
        return
    if not place.is_dir() or not table_parts(place, TABLE):
        raise RunError(f"{place} holds no table '{TABLE}'")
    yield from map(task_of, iter_records(place, TABLE, TaskRow))


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


def _of_lines(place: Path) -> Iterator[Task]:
    with place.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = _LINE.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise RunError(f"{place}, line {number}: no task: {error}") from error
            yield task_of(row)
