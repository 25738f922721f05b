"""Check how tasks are read from a file that contains a damaged line."""

from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.worlds.proofs import row_of
from benchloom.worlds.runs.task_reader import read_tasks
from tests.support.samples.errands import errands


def _write_tasks_with_a_damaged_cell(folder: Path) -> Path:
    """Write two tasks, of which the first has damaged arguments, and return the path."""
    first, second = (row_of(task) for task in errands()[:2])
    (call, *others) = first.calls
    calls = (msgspec.structs.replace(call, arguments="{[[redacted]]"), *others)
    rows = [msgspec.structs.replace(first, calls=calls), second]
    path = folder / "tasks.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    return path


def test_task_with_a_damaged_cell_is_skipped_and_reported(tmp_path: Path) -> None:
    path = _write_tasks_with_a_damaged_cell(tmp_path)
    damaged: list[tuple[str, str, str]] = []
    tasks = list(read_tasks(path, lambda *fault: damaged.append(fault)))
    assert [task.task_id for task in tasks] == [errands()[1].task_id]
    ((location, reason, message),) = damaged
    assert location == f"{path}, line 1"
    assert reason == "no_task"
    assert errands()[0].task_id in message


def test_damaged_cell_raises_without_a_fault_callback(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"tasks.jsonl, line 1 is not a task") as error:
        list(read_tasks(_write_tasks_with_a_damaged_cell(tmp_path)))
    assert "\n" not in str(error.value)
