"""Runs of shortcuts as rows of the table `executions`: shortened, with JSON as text."""

import msgspec

from benchloom.core.records import (
    ExecutedStep,
    ExecutionEffect,
    ExecutionQuestion,
    Shortcut,
)
from benchloom.core.records import (
    Execution as ExecutionRow,
)
from benchloom.device.running import run

MAX_ENTRIES = 100
"""Steps, questions and effects in a row, of each the first; also the entries of a list."""
MAX_TEXT = 200
_ENCODE = msgspec.json.Encoder(order="deterministic").encode


def execution_row(shortcut: Shortcut) -> ExecutionRow:
    """Run a shortcut with made answers and return the row of the run."""
    execution = run(shortcut)
    return ExecutionRow(
        shortcut_id=shortcut.shortcut_id,
        source_digest=shortcut.source_digest,
        source_uri=shortcut.source_uri,
        split=shortcut.split,
        execution_id=execution.digest,
        outcome=execution.outcome,
        reason=execution.message[:MAX_TEXT],
        steps=execution.steps,
        trace=tuple(
            ExecutedStep(trace.step, trace.shortcut, trace.identifier, trace.output)
            for trace in execution.trace[:MAX_ENTRIES]
        ),
        questions=tuple(
            ExecutionQuestion(
                question.step,
                question.shortcut,
                question.prompt,
                tuple(choice[:MAX_TEXT] for choice in question.choices),
                question.answer,
            )
            for question in execution.questions[:MAX_ENTRIES]
        ),
        effects=tuple(
            ExecutionEffect(effect.step, effect.kind, _json(effect.details))
            for effect in execution.effects[:MAX_ENTRIES]
        ),
        output=_json(execution.output),
        everyday=str(execution.state["everyday"]) or None,
    )


def _json(value: object) -> str:
    return _ENCODE(_shortened(value)).decode()


def _shortened(value: object) -> object:
    if isinstance(value, str):
        return value[:MAX_TEXT]
    if isinstance(value, dict):
        parts = list(value.items())[:MAX_ENTRIES]
        return {str(name)[:MAX_TEXT]: _shortened(part) for name, part in parts}
    if isinstance(value, list | tuple):
        return [_shortened(part) for part in value[:MAX_ENTRIES]]
    return value
