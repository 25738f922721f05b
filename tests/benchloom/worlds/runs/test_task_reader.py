"""Tasks read from a file of which some lines are damaged."""

from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.worlds.proofs import row_of
from benchloom.worlds.runs.task_reader import read_tasks
from tests.support.samples.errands import errands


def _file_with_a_bad_cell(folder: Path) -> Path:
    first, second = (row_of(task) for task in errands()[:2])
    (call, *others) = first.calls
    calls = (msgspec.structs.replace(call, arguments="{[[redacted]]"), *others)
    rows = [msgspec.structs.replace(first, calls=calls), second]
    path = folder / "tasks.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    return path


def test_a_task_with_a_bad_cell_is_left_out(tmp_path: Path) -> None:
    path = _file_with_a_bad_cell(tmp_path)
    damaged: list[tuple[str, str, str]] = []
    tasks = list(read_tasks(path, lambda *fault: damaged.append(fault)))
    assert [task.task_id for task in tasks] == [errands()[1].task_id]
    ((location, reason, message),) = damaged
    assert location == f"{path}, line 1"
    assert reason == "no_task"
    assert errands()[0].task_id in message


def test_a_bad_cell_ends_the_run_if_nobody_counts_it(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"tasks.jsonl, line 1 is not a task") as error:
        list(read_tasks(_file_with_a_bad_cell(tmp_path)))
    assert "\n" not in str(error.value)
