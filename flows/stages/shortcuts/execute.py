"""The stage `execute` runs every shortcut on the simulated device, and writes `executions`.

It reads publishable shortcuts, so that a run uses only redacted texts.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from benchloom.core.errors import NothingReadError, RejectedInputError
from benchloom.core.records import Execution, Shortcut
from benchloom.device.runs import execution_row, execution_rows
from benchloom.storage.inputs import each_object
from benchloom.storage.tables import write_table
from flows.run.each import EachShortcut
from flows.run.finished import FinishedStage
from flows.run.reads import rows_of
from flows.run.stage import Stage, nothing_shared
from parsers.shortcuts import parse_shortcut

STAGE = "execute-shortcuts"


def prepare(shortcuts: FinishedStage) -> Stage[None, Path]:
    """Build the stage that runs publishable shortcuts."""
    return Stage(
        name=STAGE,
        subject="normalised/executed",
        reads=rows_of(shortcuts, "shortcuts"),
        tables=("executions",),
        shared=nothing_shared,
        make=EachShortcut(Shortcut, ("executions",), execute),
        balance=("executions",),
    )


def write_executions(inputs: Sequence[Path], folder: Path) -> None:
    """Run the shortcuts in files, folders or archives, each with several sets of user answers.

    Raises:
        NothingReadError: the inputs contain no shortcut.
    """
    shortcuts: dict[str, Shortcut] = {}
    for source in each_object(inputs):
        with suppress(RejectedInputError):  # tasks do not report other files
            shortcut = parse_shortcut(source.read(), source.source_uri)
            if shortcut.actions:
                shortcuts.setdefault(shortcut.shortcut_id, shortcut)
    if not shortcuts:
        raise NothingReadError("the inputs contain no shortcut with actions; pass other inputs")
    rows = (row for shortcut in shortcuts.values() for row in execution_rows(shortcut))
    write_table("executions", rows, folder / "executions.parquet")


def execute(_: None, shortcut: Shortcut) -> Execution:
    """Run a shortcut on the simulated device, and return its row of `executions`."""
    return execution_row(shortcut)
