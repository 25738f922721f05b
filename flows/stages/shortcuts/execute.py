"""Stage execute: run every shortcut on the simulated device.

Reads publishable shortcuts, whose redacted texts are all that a run can see, and writes
`executions`.
"""

from pathlib import Path

from benchloom.core.records import Execution, Shortcut
from benchloom.device.rows import execution_row
from flows.run.each import EachShortcut
from flows.run.finished import FinishedStage
from flows.run.reads import rows_of
from flows.run.stage import Stage, nothing_shared

STAGE = "execute-shortcuts"


def prepare(shortcuts: FinishedStage, root: Path) -> Stage[None, Path]:
    """Build the stage over publishable shortcuts, in a folder of `root`."""
    return Stage(
        name=STAGE,
        root=root,
        subject="executed",
        reads=rows_of(shortcuts, "shortcuts"),
        tables=("executions",),
        shared=nothing_shared,
        make=EachShortcut(Shortcut, ("executions",), executed_rows),
        balance=("executions",),
    )


def executed_rows(_: None, shortcut: Shortcut) -> tuple[Execution]:
    """Return the row of a shortcut's run, as a tuple of one."""
    return (execution_row(shortcut),)
