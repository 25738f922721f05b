"""Which tasks a model is to do, with which tools."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

import msgspec

from benchloom.draws import rank
from benchloom.errors import RunError
from benchloom.evaluate.benchmark import LeftOut
from benchloom.records.values import Plain
from benchloom.worlds.runs.reading import read_tasks
from benchloom.worlds.task import Task

WORLDS = "worlds"
"""What stands for a benchmark where a model does tasks."""
ROUNDS = 50
"""Replies of a model to one task, where nobody says otherwise."""


class WorldChoice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a run does.

    `gold` is a folder with a table of tasks, or a file with a task a line; `split` one of its
    splits, empty for all. Of the tasks `limit` are drawn by `seed`, None for all. `distractors` is
    how many tools are offered beside those of the plan, None for all that the task has. `rounds`
    bounds the replies to one task.
    """

    gold: str
    split: str = ""
    limit: int | None = None
    seed: int = 0
    distractors: int | None = None
    epochs: int = 1
    rounds: int = ROUNDS

    def told(self) -> dict[str, Plain]:
        """The choice as plain values, as logs keep it."""
        return cast("dict[str, Plain]", msgspec.to_builtins(self))


@lru_cache(maxsize=2)
def _read(gold: str) -> tuple[list[Task], list[LeftOut]]:
    damaged: list[LeftOut] = []
    tasks = list(read_tasks(Path(gold), lambda *found: damaged.append(LeftOut(*found))))
    return tasks, damaged


def damaged_tasks(choice: WorldChoice) -> Sequence[LeftOut]:
    """The tasks of the table that cannot be read, and are left out."""
    return _read(choice.gold)[1]


@lru_cache(maxsize=2)
def chosen_tasks(choice: WorldChoice) -> Mapping[str, Task]:
    """The tasks of a choice by id, in the order of the table.

    Raises:
        RunError: there are none, or the choice cannot be.
    """
    if choice.epochs < 1 or choice.rounds < 1 or (choice.limit or 1) < 1:
        raise RunError("a run needs epochs, rounds and a limit of at least 1")
    tasks, damaged = _read(choice.gold)
    if damaged and not tasks:
        raise RunError(f"{damaged[0].record}: {damaged[0].message}; no task can be read")
    found = [one for one in tasks if not choice.split or one.split == choice.split]
    if not found:
        known = ", ".join(sorted({one.split or "(none)" for one in tasks}))
        told = f"; there are: {known}" if known else ""
        raise RunError(f"{choice.gold}: no task of split '{choice.split}'{told}")
    if choice.limit is not None and choice.limit < len(found):
        drawn = sorted(found, key=lambda one: rank(choice.seed, one.task_id))[: choice.limit]
        wanted = {one.task_id for one in drawn}
        found = [one for one in found if one.task_id in wanted]
    return {one.task_id: one for one in found}
