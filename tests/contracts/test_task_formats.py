"""Every form of tasks for trainers: rows without the plan, with licence and split."""

import msgspec
import pytest

from benchloom.worlds.runs.offering import offer_of_task
from benchloom.worlds.runs.replies import REPLY
from benchloom.worlds.task_formats import TASK_FORMATS
from tests.support.samples.errands import errands

NEEDED = ("task_id", "split", "licence", "source")


@pytest.mark.parametrize("name", TASK_FORMATS.names())
@pytest.mark.parametrize("place", range(3))
def test_a_row_tells_the_task_and_hides_its_plan(name: str, place: int) -> None:
    task = errands()[place]
    offer = offer_of_task(task, replies="turns")
    task_format = TASK_FORMATS.find(name)
    row = task_format.row(task, offer)
    assert row == task_format.row(task, offer)
    assert [row[key] for key in NEEDED] == [task.task_id, task.split, task.license, task.source]
    text = msgspec.json.encode(row).decode()
    assert task.turns[0] in text
    assert task.gold_digest not in text
    assert not any(turn in text for turn in task.turns[1:])
    assert (REPLY in text) == (len(task.turns) > 1)
    assert all(tool.replace(".", "__") in text for tool in task.tools)
