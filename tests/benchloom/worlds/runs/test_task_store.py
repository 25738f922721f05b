"""Check that a store finds tasks by their ids."""

import pytest

from benchloom.core.errors import RunError
from benchloom.worlds.runs.task_store import TaskStore
from tests.support.samples.errands import errands


def test_store_finds_tasks_by_id_or_prefix() -> None:
    store = TaskStore(errands())
    assert list(store) == [task.task_id for task in errands()]
    for task in errands():
        digits = task.task_id.rpartition(":")[2]
        assert store.find(task.task_id) == store.find(digits[:12]) == task


@pytest.mark.parametrize("task_id", ["", "t", "task:sha256:", "no such", "x" * 10**6])
def test_unknown_or_ambiguous_id_raises_a_short_error(task_id: str) -> None:
    with pytest.raises(RunError, match="task ids begin with") as error:
        TaskStore(errands()).find(task_id)
    assert len(str(error.value)) < 200


def test_store_refuses_an_empty_or_repeated_task_list() -> None:
    with pytest.raises(RunError, match="no tasks"):
        TaskStore(())
    with pytest.raises(RunError, match="two tasks"):
        TaskStore([*errands(), errands()[0]])
