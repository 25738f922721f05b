"""Choose the tasks for a model, and the tools that the model may call."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.identity import rank
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import LeftOut
from benchloom.worlds.runs.reading import read_tasks
from benchloom.worlds.task import Task

WORLDS = "worlds"  # the benchmark name of runs in worlds
ROUNDS = 50  # replies of a model to one task, by default


class WorldChoice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choice of tasks and tools for a run."""

    gold: str  # a folder with a table of tasks, or a file with one task per line
    split: str = ""  # empty for all
    limit: int | None = None  # tasks drawn by `seed`; None for all
    seed: int = 0
    distractors: int | None = None  # tools beyond those of the plan; None for all of the task
    epochs: int = 1
    rounds: int = ROUNDS  # most replies to one task

    def as_plain(self) -> dict[str, Plain]:
        """Return the choice as plain values, as written to logs."""
        return cast("dict[str, Plain]", msgspec.to_builtins(self))


@lru_cache(maxsize=2)
def _read(gold: str) -> tuple[list[Task], list[LeftOut]]:
    damaged: list[LeftOut] = []
    tasks = list(read_tasks(Path(gold), lambda *arguments: damaged.append(LeftOut(*arguments))))
    return tasks, damaged


def damaged_tasks(choice: WorldChoice) -> Sequence[LeftOut]:
    """Return the damaged tasks of the table, which a run leaves out."""
    return _read(choice.gold)[1]


@lru_cache(maxsize=2)
def chosen_tasks(choice: WorldChoice) -> Mapping[str, Task]:
    """Return the chosen tasks by id, in the order of the table.

    Raises:
        RunError: there are no tasks, or the choice is invalid.
    """
    if choice.epochs < 1 or choice.rounds < 1 or (choice.limit or 1) < 1:
        raise RunError("epochs, rounds and limit must be at least 1")
    tasks, damaged = _read(choice.gold)
    if damaged and not tasks:
        raise RunError(f"{damaged[0].record}: {damaged[0].message}; no task is readable")
    selected_tasks = [task for task in tasks if not choice.split or task.split == choice.split]
    if not selected_tasks:
        split_names = ", ".join(sorted({task.split or "(none)" for task in tasks}))
        hint = f"; there are: {split_names}" if split_names else ""
        raise RunError(f"{choice.gold}: no task of split '{choice.split}'{hint}")
    if choice.limit is not None and choice.limit < len(selected_tasks):
        drawn = sorted(selected_tasks, key=lambda task: rank(choice.seed, task.task_id))[
            : choice.limit
        ]
        drawn_ids = {task.task_id for task in drawn}
        selected_tasks = [task for task in selected_tasks if task.task_id in drawn_ids]
    return {task.task_id: task for task in selected_tasks}
