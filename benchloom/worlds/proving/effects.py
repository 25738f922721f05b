"""The rows that a plan changes, before and after the run."""

import msgspec

from benchloom.worlds.proving.ground import Grounds
from benchloom.worlds.task import Task


class Changed(msgspec.Struct, frozen=True):
    """One changed row of a table, as JSON before and after; empty where the row is missing."""

    table: str
    before: str
    after: str


def changes_of(task: Task, grounds: Grounds) -> tuple[Changed, ...]:
    """Return the rows that a task's plan changes, in the order of its calls.

    Raises:
        RunError: there is no such world.
    """
    session = grounds.of(task.suite, task.start).session
    with session.trial():
        outcomes = [
            session.call(planned_call.tool, planned_call.arguments) for planned_call in task.calls
        ]
        rows = list(
            dict.fromkeys(
                (effect.table, effect.key) for outcome in outcomes for effect in outcome.effects
            )
        )
        after = [_row_text(session.row(*row_key)) for row_key in rows]
    before = [_row_text(session.row(*row_key)) for row_key in rows]
    changed = zip(rows, before, after, strict=True)
    return tuple(
        Changed(row[0], earlier_row, other)
        for row, earlier_row, other in changed
        if earlier_row != other
    )


def _row_text(row: object) -> str:
    return "" if row is None else msgspec.json.encode(row).decode()
