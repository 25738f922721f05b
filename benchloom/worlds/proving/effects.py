"""What a plan changes: the rows it touches, before and after."""

import msgspec

from benchloom.worlds.proving.ground import Grounds
from benchloom.worlds.task import Task


class Changed(msgspec.Struct, frozen=True):
    """One row by table and key, as JSON before and after; empty where there is none."""

    table: str
    before: str
    after: str


def changes_of(task: Task, grounds: Grounds) -> tuple[Changed, ...]:
    """The rows that a task's plan leaves otherwise than they were, in the order of its calls.

    Raises:
        RunError: there is no such world.
    """
    session = grounds.of(task.suite, task.start).session
    with session.trial():
        outcomes = [session.call(one.tool, one.arguments) for one in task.calls]
        rows = list(
            dict.fromkeys((one.table, one.key) for found in outcomes for one in found.effects)
        )
        after = [_told(session.row(*one)) for one in rows]
    before = [_told(session.row(*one)) for one in rows]
    changed = zip(rows, before, after, strict=True)
    return tuple(Changed(row[0], one, other) for row, one, other in changed if one != other)


def _told(row: object) -> str:
    return "" if row is None else msgspec.json.encode(row).decode()
