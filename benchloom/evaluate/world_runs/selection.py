"""Choose the tasks in simulated worlds that a model attempts."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from benchloom.core.errors import RunError
from benchloom.evaluate.benchmark import LeftOut
from benchloom.evaluate.sample_choice import Selection, in_split
from benchloom.worlds.runs.task_reader import read_tasks
from benchloom.worlds.task import Task

WORLDS = "worlds"  # the benchmark name of runs in worlds
ROUNDS = 50  # default limit of a model's replies to a task


class WorldChoice(Selection, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a model run in simulated worlds.

    `distractors` limits the number of offered tools that a task does not need. Without it, the
    model gets all tools that the task lists.
    """

    epochs: int = 1
    rounds: int = ROUNDS  # maximum replies to a task


@lru_cache(maxsize=2)
def _read(gold: str) -> tuple[list[Task], list[LeftOut]]:
    damaged: list[LeftOut] = []
    tasks = list(read_tasks(Path(gold), lambda *arguments: damaged.append(LeftOut(*arguments))))
    return tasks, damaged


def damaged_tasks(choice: WorldChoice) -> Sequence[LeftOut]:
    """Return the unreadable tasks in the table of tasks, which a run leaves out."""
    return _read(choice.gold)[1]


@lru_cache(maxsize=2)
def chosen_tasks(choice: WorldChoice) -> Mapping[str, Task]:
    """Return a mapping from id to task for the chosen tasks, in the order of the table.

    Raises RunError if there are no tasks, or the choice is invalid.
    """
    if choice.epochs < 1 or choice.rounds < 1 or (choice.limit or 1) < 1:
        raise RunError("the epochs, rounds and limit of a run must be at least 1")
    tasks, damaged = _read(choice.gold)
    if damaged and not tasks:
        raise RunError(f"{damaged[0].record}: {damaged[0].message}; no task is readable")
    if not tasks:
        raise RunError(f"{choice.gold} contains no task; build tasks with 'benchloom world build'")
    split_tasks = list(in_split(tasks, choice.split, lambda task: task.split))
    return {task.task_id: task for task in choice.drawn(split_tasks, lambda task: task.task_id)}
