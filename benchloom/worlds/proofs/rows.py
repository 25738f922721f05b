"""Convert tasks to rows of the table `tasks`, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import asdict, astuple

from benchloom.core.errors import RunError
from benchloom.core.records.worlds import Task as TaskRow
from benchloom.core.records.worlds import (
    TaskAnswerPath,
    TaskCall,
    TaskForbiddenCall,
    TaskOrigin,
    TaskRule,
    Wording,
)
from benchloom.worlds.state import RefusalKind
from benchloom.worlds.task import (
    AnswerPath,
    GoldCall,
    Origin,
    PlannedCall,
    RequestedAnswer,
    Rule,
    RuleTest,
    Task,
)

_ENCODE = msgspec.json.Encoder(order="deterministic").encode
_CONVERTED = frozenset({"calls", "asked", "policy", "forbidden", "split"})
_EQUAL = [
    name
    for name in Task.__struct_fields__
    if name in TaskRow.__struct_fields__ and name not in _CONVERTED
]
"""The columns that contain the task's field of the same name unchanged."""


def row_of(task: Task) -> TaskRow:
    """Return the row that stores a task in the table `tasks`."""
    question = task.asked
    return TaskRow(
        **{name: getattr(task, name) for name in _EQUAL},
        split=task.split or None,
        licence=task.license,
        calls=tuple(map(_call_row, task.calls)),
        asked=None
        if question is None
        else TaskAnswerPath(question.call, _ENCODE(question.path).decode()),
        policy=tuple(
            TaskRule(**{**asdict(rule), "value": _ENCODE(rule.value).decode()})
            for rule in task.policy
        ),
        forbidden=tuple(
            TaskForbiddenCall(call.tool, _ENCODE(call.arguments).decode(), _wordings(call.said))
            for call in task.forbidden
        ),
    )


def task_of(row: TaskRow) -> Task:
    """Return the task that a row of the table `tasks` stores.

    Raises:
        RunError: a cell is not valid JSON or has an unexpected form; the message is one line
            and names the task.
    """
    try:
        calls = tuple(map(_call, row.calls))
        policy = tuple(map(_rule, row.policy))
        forbidden = tuple(
            PlannedCall(call.tool, msgspec.json.decode(call.arguments), _quotes(call.said))
            for call in row.forbidden
        )
        question = None
        if row.asked is not None:
            path = msgspec.json.decode(row.asked.path, type=AnswerPath)
            question = RequestedAnswer(row.asked.call, path)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
        raise RunError(f"tasks: {row.task_id}: {error}") from error
    return Task(
        **{name: getattr(row, name) for name in _EQUAL},
        split=row.split or "",
        license=row.licence,
        calls=calls,
        asked=question,
        policy=policy,
        forbidden=forbidden,
    )


def _call_row(call: GoldCall) -> TaskCall:
    columns = {
        "arguments": _ENCODE(call.arguments).decode(),
        "said": _wordings(call.said),
        "origins": tuple(TaskOrigin(*astuple(origin)) for origin in call.origins),
    }
    return TaskCall(**{**asdict(call), **columns})


def _wordings(wordings: Mapping[str, str]) -> tuple[Wording, ...]:
    return tuple(Wording(name, words) for name, words in sorted(wordings.items()))


def _quotes(wordings: Sequence[Wording]) -> dict[str, str]:
    return {quote.argument: quote.words for quote in wordings}


def _rule(row: TaskRule) -> Rule:
    test, value = msgspec.convert(row.test, RuleTest), msgspec.json.decode(row.value)
    return Rule(**{**asdict(row), "test": test, "value": value})


def _call(row: TaskCall) -> GoldCall:
    fields = {
        "arguments": msgspec.json.decode(row.arguments, type=dict[str, Any]),
        "said": _quotes(row.said),
        "refused": msgspec.convert(row.refused, RefusalKind | None),
        "origins": msgspec.convert(row.origins, tuple[Origin, ...], from_attributes=True),
    }
    return GoldCall(**{**asdict(row), **fields})
