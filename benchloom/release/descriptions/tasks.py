"""Prepare benchmark tasks for pages: their requests, calls, data flow, effects and proofs."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.plain_words import shortened
from benchloom.core.records import Task as TaskRow
from benchloom.worlds.proofs import OpenWorlds, task_of
from benchloom.worlds.task import Task


class Changed(msgspec.Struct, frozen=True):
    """A row of a world's table before and after a task, as JSON.

    `before` is empty if the task adds the row, and `after` is empty if the task removes it.
    """

    table: str
    before: str
    after: str


def changes_of(task: Task, open_worlds: OpenWorlds) -> tuple[Changed, ...]:
    """Make a task's calls in its world, and return the changed table rows, by first change.

    Raises RunError if the world is not installed.
    """
    session = open_worlds.of(task.suite, task.start).session
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


_WIDE, _HIGH, _GAP = 244, 34, 22


class CallBox(msgspec.Struct, frozen=True):
    """A tool call of a task, and the position of its box in a graph, in pixels."""

    number: int
    tool: str
    line: str
    marks: str
    x: int
    y: int


class TaskPage(msgspec.Struct, frozen=True):
    """A benchmark task with the graph of its calls, ready for a page.

    Each of `lines` connects two calls in the graph. `box` is the width and height of every call's
    box. `ticks` are proofs about the task, each with a boolean that is true if the proof succeeded.
    """

    row_id: str
    title: str
    turns: tuple[str, ...]
    calls: tuple[CallBox, ...]
    lines: tuple[tuple[int, int, int, int], ...]
    width: int
    height: int
    box: tuple[int, int]
    answer: str | None
    changes: tuple[Changed, ...] | None
    ticks: tuple[tuple[bool, str], ...]
    offered: str


def task_page(row: Mapping[str, Any], open_worlds: OpenWorlds) -> TaskPage:
    """Convert a row of the table `tasks` to a page.

    The page's `changes` are None if the world of the task is not installed.
    """
    calls = row["calls"]
    takes = [
        sorted({o["place"] for o in call["origins"] if o["kind"] == "result"}) for call in calls
    ]
    columns: list[int] = []
    for producers in takes:
        producer_columns = [columns[index] for index in producers if 0 <= index < len(columns)]
        columns.append(1 + max(producer_columns, default=-1))
    boxes = [
        (column * (_WIDE + 60), number * (_HIGH + _GAP)) for number, column in enumerate(columns)
    ]
    lines = tuple(
        (boxes[index][0] + _WIDE, boxes[index][1] + _HIGH // 2, x, y + _HIGH // 2)
        for (x, y), producers in zip(boxes, takes, strict=True)
        for index in producers
        if 0 <= index < len(boxes)
    )
    page_calls = tuple(
        CallBox(
            number + 1,
            shortened(call["tool"], 28),
            shortened(f"{call['tool']}({call['arguments']})"),
            _marks(call),
            *boxes[number],
        )
        for number, call in enumerate(calls)
    )
    return TaskPage(
        row_id=row["task_id"],
        title=shortened(row["turns"][0] if row["turns"] else "", 90),
        turns=tuple(shortened(turn, 2000) for turn in row["turns"]),
        calls=page_calls,
        lines=lines,
        width=(max(columns, default=0) + 1) * (_WIDE + 60),
        height=len(calls) * (_HIGH + _GAP),
        box=(_WIDE, _HIGH),
        answer=row["answer"],
        changes=_changes(row, open_worlds),
        ticks=tuple(_ticks(row)),
        offered=", ".join(row["distractors"]),
    )


def _marks(call: Mapping[str, Any]) -> str:
    notes = [f"refused: {call['refused']}"] if call["refused"] else []
    notes += ["can be left out"] if call["redundant"] else []
    notes += [f"has no effect: {', '.join(call['idle'])}"] if call["idle"] else []
    return "; ".join(notes)


def _changes(row: Mapping[str, Any], open_worlds: OpenWorlds) -> tuple[Changed, ...] | None:
    try:
        return changes_of(task_of(msgspec.convert(row, TaskRow)), open_worlds)
    except (RunError, RejectedInputError, msgspec.ValidationError):
        return None  # the suite is not installed; the gate `tasks` reports this where it matters


def _ticks(row: Mapping[str, Any]) -> Sequence[tuple[bool, str]]:
    proofs = row["proofs"]
    calls = [call for call in row["calls"] if not call["refused"]]
    needed = [call for call in calls if not call["redundant"]]
    arguments = sum(len({o["argument"] for o in call["origins"]}) for call in needed)
    return (
        (proofs["repeated"], "two runs in two processes ended in the same state"),
        (proofs["needed"], "the initial state does not solve the task"),
        (
            proofs["dropped"] == len(calls),
            f"{proofs['dropped']} of {len(calls)} calls cannot be left out",
        ),
        (
            not any(call["idle"] for call in needed),
            f"{proofs['changed']} arguments change the result, {arguments} values are stated",
        ),
        (proofs["derived"], "every value comes from the user, the clock or a result"),
        (
            proofs["orders"] == proofs["orders_tried"],
            f"{proofs['orders']} of {proofs['orders_tried']} orders end in the same state",
        ),
        (
            proofs["harmless"] == len(row["distractors"]),
            f"{proofs['harmless']} distractors cannot solve the task",
        ),
    )
