"""Convert tasks to rows of the table `tasks`, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records.worlds import Task as TaskRow
from benchloom.core.records.worlds import (
    TaskAnswerPath,
    TaskCall,
    TaskForbiddenCall,
    TaskOrigin,
    TaskRule,
    TaskWording,
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


def row_of(task: Task) -> TaskRow:
    """Return the row of a task."""
    question = task.asked
    return TaskRow(
        task_id=task.task_id,
        suite=task.suite,
        split=task.split or None,
        kind=task.kind,
        turns=task.turns,
        calls=tuple(map(_call_row, task.calls)),
        asked=None
        if question is None
        else TaskAnswerPath(question.call, _ENCODE(question.path).decode()),
        answer=task.answer,
        start=task.start,
        start_digest=task.start_digest,
        gold_digest=task.gold_digest,
        results_digest=task.results_digest,
        tools=task.tools,
        distractors=task.distractors,
        alternatives=task.alternatives,
        proofs=task.proofs,
        source=task.source,
        source_id=task.source_id,
        source_uri=task.source_uri,
        licence=task.license,
        policy=tuple(
            TaskRule(
                text=rule.text,
                tool=rule.tool,
                argument=rule.argument,
                test=rule.test,
                value=_ENCODE(rule.value).decode(),
                column=rule.column,
            )
            for rule in task.policy
        ),
        forbidden=tuple(
            TaskForbiddenCall(call.tool, _ENCODE(call.arguments).decode(), _wordings(call.said))
            for call in task.forbidden
        ),
    )


def task_of(row: TaskRow) -> Task:
    """Return the task of a table row.

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
        task_id=row.task_id,
        suite=row.suite,
        start=row.start,
        start_digest=row.start_digest,
        turns=row.turns,
        tools=row.tools,
        distractors=row.distractors,
        alternatives=row.alternatives,
        calls=calls,
        gold_digest=row.gold_digest,
        results_digest=row.results_digest,
        kind=row.kind,
        policy=policy,
        forbidden=forbidden,
        asked=question,
        answer=row.answer,
        proofs=row.proofs,
        source=row.source,
        source_id=row.source_id,
        source_uri=row.source_uri,
        license=row.licence,
        split=row.split or "",
    )


def _call_row(call: GoldCall) -> TaskCall:
    return TaskCall(
        tool=call.tool,
        arguments=_ENCODE(call.arguments).decode(),
        redundant=call.redundant,
        refused=call.refused,
        idle=call.idle,
        said=_wordings(call.said),
        origins=tuple(TaskOrigin(o.argument, o.kind, o.place, o.told) for o in call.origins),
        turn=call.turn,
    )


def _wordings(said: Mapping[str, str]) -> tuple[TaskWording, ...]:
    return tuple(TaskWording(name, words) for name, words in sorted(said.items()))


def _quotes(wordings: Sequence[TaskWording]) -> dict[str, str]:
    return {quote.argument: quote.words for quote in wordings}


def _rule(row: TaskRule) -> Rule:
    test = msgspec.convert(row.test, RuleTest)
    value = msgspec.json.decode(row.value)
    return Rule(row.text, row.tool, row.argument, test, value, row.column)


def _call(row: TaskCall) -> GoldCall:
    arguments = msgspec.json.decode(row.arguments, type=dict[str, Any])
    return GoldCall(
        tool=row.tool,
        arguments=arguments,
        redundant=row.redundant,
        said=_quotes(row.said),
        refused=msgspec.convert(row.refused, RefusalKind | None),
        idle=row.idle,
        origins=msgspec.convert(
            [msgspec.structs.asdict(origin) for origin in row.origins], tuple[Origin, ...]
        ),
        turn=row.turn,
    )
