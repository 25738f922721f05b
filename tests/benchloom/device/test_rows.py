"""Check that rows of the table `executions` describe runs and shorten long values."""

import json

import msgspec

from benchloom.device.runs import MAX_ENTRIES, MAX_TEXT, execution_row, run
from tests.benchloom.device.test_runs import shortcut_of

_LONG = "tea " * 1000


def test_row_describes_the_run_with_long_values_shortened() -> None:
    shortcut = shortcut_of(
        ("ask", {"WFAskActionPrompt": "Which tea?"}),
        ("addnewreminder", {"WFCalendarItemTitle": "Tea"}),
        ("gettext", {"WFTextActionText": _LONG}),
        ("notification", {"WFNotificationActionBody": _LONG}),
        *[("comment", {})] * MAX_ENTRIES,
    )
    row, execution = execution_row(shortcut), run(shortcut)
    assert (row.execution_id, row.everyday) == (execution.digest, execution.state["everyday"])
    assert (row.outcome, row.reason, row.steps) == ("finished", "", MAX_ENTRIES + 4)
    assert len(row.trace) == MAX_ENTRIES
    assert [(question.prompt, question.answer) for question in row.questions] == [
        ("Which tea?", "answer 0")
    ]
    assert [effect.kind for effect in row.effects] == ["added reminder", "notification"]
    assert _LONG[:MAX_TEXT] in json.loads(row.effects[1].details).values()
    assert json.loads(row.output) == [_LONG[:MAX_TEXT]]


def test_row_of_a_stopped_run_gives_the_reason() -> None:
    row = execution_row(shortcut_of(("gettext", {"WFTextActionText": "Tea"}), ("nonsense", {})))
    assert (row.outcome, row.everyday) == ("unsupported", None)
    assert row.reason.startswith("unsupported action is.workflow.actions.nonsense")
    assert msgspec.json.decode(row.output) == []
