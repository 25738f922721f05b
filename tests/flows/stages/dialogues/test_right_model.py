"""Check that a scripted right model solves real tasks in three spellings, and wrong values fail."""

import zipfile
from pathlib import Path

import pytest

from benchloom.core.identity import rank
from benchloom.worlds.runs.task_reader import read_tasks
from flows.run.runner import run_whole
from flows.stages import tasks as tasks_stage
from flows.stages.tasks import TaskOptions
from tests.support.right_model import unsolved_tasks, wrong_solutions
from tests.support.shared_data import shared_file

FILES = ("/schema.json", "/dev/dialogues_001.json", "/test/dialogues_001.json")
"""Enough files for a hundred tasks; building the tasks of all files takes half a minute."""


@pytest.mark.real_data
def test_right_model_solves_a_hundred_real_tasks(tmp_path: Path) -> None:
    with zipfile.ZipFile(shared_file("sgd.zip")) as archive:
        names = [name for name in archive.namelist() if name.endswith(FILES)]
        archive.extractall(tmp_path / "sgd", names)
    run_whole(
        tasks_stage.prepare("sgd", [tmp_path / "sgd"], TaskOptions(distractors=0)),
        tmp_path / "tasks",
    )
    tasks = sorted(read_tasks(tmp_path / "tasks"), key=lambda task: rank(0, task.task_id))[:100]
    assert len(tasks) == 100
    assert unsolved_tasks(tasks) == []
    assert [wrong for task in tasks for wrong in wrong_solutions(task)] == []
