"""Models that do tasks in worlds: which tasks, what a run is worth, and the figures.

Every task is done `epochs` times, and figures are over tasks. pass^k is the chance that k of these
runs, drawn without replacement, all solve the task: C(solved, k) / C(epochs, k).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import cast

import msgspec
import numpy as np

from benchloom.draws import rank
from benchloom.errors import RunError
from benchloom.evaluate.intervals import figure, interval, resampled, sums_of
from benchloom.evaluate.metrics import Metric, Ratio
from benchloom.evaluate.scoring import Figure
from benchloom.records.values import Plain
from benchloom.worlds.offers import Offer, offer_of
from benchloom.worlds.reading import read_tasks
from benchloom.worlds.scoring import Score
from benchloom.worlds.suites import SUITES
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
def chosen_tasks(choice: WorldChoice) -> Mapping[str, Task]:
    """The tasks of a choice by id, in the order of the table.

    Raises:
        RunError: there are none, or the choice cannot be.
    """
    if choice.epochs < 1 or choice.rounds < 1 or (choice.limit or 1) < 1:
        raise RunError("a run needs epochs, rounds and a limit of at least 1")
    tasks = list(read_tasks(Path(choice.gold)))
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


def offer_of_task(task: Task, distractors: int | None = None) -> Offer:
    """The world of a task with the tools that are offered.

    Raises:
        RunError: there is no such world.
    """
    world = SUITES.find(task.suite).world(task.start)
    wanted = task.tools
    if distractors is not None:
        left_out = set(task.distractors[distractors:])
        wanted = tuple(one for one in wanted if one not in left_out)
    return offer_of(world, wanted, task)


def counts_of(score: Score) -> dict[str, float]:
    """What one run counts."""
    return {
        "solved": float(score.solved),
        "digest": float(score.digest),
        "asked": float(score.asked),
        "answered": float(score.asked and score.answer),
        "collateral": float(bool(score.collateral)),
        "refused": float(score.refused > 0),
        "recovered": float(score.refused > 0 and score.solved),
        "calls": float(score.calls),
    }


def metrics(epochs: int) -> list[Metric]:
    """The figures: what is solved, apart by state and answer, and how reliably."""
    single: list[Metric] = [
        _ratio("solved", "runs whose state and answer are right", "solved"),
        _ratio("digest", "runs whose state is right", "digest"),
        _ratio("answer", "runs that tell what is asked for", "answered", "asked"),
        _ratio(
            "recovery", "of runs with a refused call, those that solve it", "recovered", "refused"
        ),
        Ratio(
            "collateral",
            "runs that touch rows beside those of the plan",
            {"collateral": 1},
            {"samples": 1},
            gold=0.0,
        ),
    ]
    several = [
        _ratio(f"pass^{k}", f"{k} runs of a task all solve it", _pass(k))
        for k in range(2, epochs + 1)
    ]
    return [*single, *several]


def figures_of(
    tasks: Sequence[Mapping[str, float]], epochs: int, seed: int = 0
) -> dict[str, Figure]:
    """The figures of tasks, each with the means of what its runs count, with their intervals."""
    if not tasks:
        return {}
    counts = {name: np.array([one[name] for one in tasks]) for name in tasks[0]}
    counts["samples"] = np.ones(len(tasks))
    for k in range(2, epochs + 1):
        whole = [comb(round(one["solved"] * epochs), k) / comb(epochs, k) for one in tasks]
        counts[_pass(k)] = np.array(whole)
    sums, draws = sums_of(counts), resampled(counts, seed=seed)
    found = {}
    for metric in metrics(epochs):
        low, high = interval(metric, draws) or (None, None)
        found[metric.name] = Figure(
            value=figure(metric, sums),
            low=low,
            high=high,
            denominator=float(metric.denominator(sums)[0]),
            samples=len(tasks),
            title=metric.title,
        )
    return found


def _ratio(name: str, title: str, over: str, under: str = "samples") -> Ratio:
    return Ratio(name, title, {over: 1}, {under: 1})


def _pass(k: int) -> str:
    return f"pass_{k}"
