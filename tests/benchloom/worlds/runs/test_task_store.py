"""Tasks at hand by their ids."""

import pytest

from benchloom.core.errors import RunError
from benchloom.worlds.runs.task_store import TaskStore
from tests.support.samples.errands import errands


def test_tasks_come_back_as_they_were() -> None:
    store = TaskStore(errands())
    assert list(store) == [task.task_id for task in errands()]
    for task in errands():
        digits = task.task_id.rpartition(":")[2]
        assert store.find(task.task_id) == store.find(digits[:12]) == task


@pytest.mark.parametrize("wanted", ["", "t", "task:sha256:", "no such", "x" * 10**6])
def test_an_id_that_is_not_one_task_is_told(wanted: str) -> None:
    with pytest.raises(RunError, match="task ids begin with") as error:
        TaskStore(errands()).find(wanted)
    assert len(str(error.value)) < 200


def test_a_shelf_has_tasks_and_each_once() -> None:
    with pytest.raises(RunError, match="no tasks"):
        TaskStore(())
    with pytest.raises(RunError, match="two tasks"):
        TaskStore([*errands(), errands()[0]])
