"""Compute metrics for tasks in simulated worlds that a model attempted.

A model attempts each task `epochs` times. pass^k is the probability that k of these runs, drawn
without replacement, all solve the task: C(solved, k) / C(epochs, k). Metrics are means over tasks.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from math import comb

import msgspec

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import RIGHT
from benchloom.evaluate.sample_table import SampleRow, sorted_counts
from benchloom.evaluate.scoring import Figure, Summary
from benchloom.evaluate.scoring import figures_of as scored_figures
from benchloom.evaluate.statistics.counts import CountTable
from benchloom.evaluate.statistics.metrics import Metric, Ratio
from benchloom.worlds.runs.scoring import Score
from benchloom.worlds.task import Task


def counts_of(score: Score) -> dict[str, float]:
    """Return the counts of one run of a task, such as `{"solved": 1.0, "calls": 5.0}`."""
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
    """Return the metrics: solved tasks, right state, right answer, and pass^k over several runs.

    Runs that recover from a refused call, and runs with unplanned changes, have metrics too.
    """
    single: list[Metric] = [
        _ratio("solved", "runs whose state and answer are right", "solved"),
        _ratio("digest", "runs whose state is right", "digest"),
        _ratio("answer", "runs that state the requested answer", "answered", "asked"),
        _ratio("recovery", "runs with a refused call that solve the task", "recovered", "refused"),
        Ratio(
            "collateral",
            "runs that change rows outside the plan",
            {"collateral": 1},
            {"samples": 1},
            gold=0.0,
        ),
    ]
    several = [
        _ratio(f"pass^{k}", f"tasks that all of {k} runs solve", _pass(k))
        for k in range(2, epochs + 1)
    ]
    return [*single, *several]


def figures_of(
    tasks: Sequence[Mapping[str, float]], epochs: int, seed: int = 0
) -> dict[str, Figure]:
    """Return the metrics of tasks with intervals, by name.

    `tasks` has the counts of each task, as means over its `epochs` runs.
    """
    if not tasks:
        return {}
    table = CountTable()
    for counts in tasks:
        solved = round(counts["solved"] * epochs)
        passes = {_pass(k): comb(solved, k) / comb(epochs, k) for k in range(2, epochs + 1)}
        table.add({**counts, **passes})
    return scored_figures(table, metrics(epochs), seed)


def summary_of(
    tasks: Mapping[str, Task],
    counts: Mapping[str, Sequence[Mapping[str, float]]],
    *,
    model: str = "",
    cost_usd: float | None = None,
    seed: int = 0,
) -> Summary:
    """Return the summary of all runs of tasks, with metrics over all tasks and for each suite.

    `counts` has the counts of each run by task id. The outcome of a run is `right`, `wrong_state`
    or `no_answer`.
    """
    start = time.perf_counter()
    epochs = max(map(len, counts.values()))
    means = {
        task_id: {name: sum(run[name] for run in runs) / len(runs) for name in runs[0]}
        for task_id, runs in counts.items()
    }
    suites: dict[str, list[str]] = {}
    for task_id, task in tasks.items():
        suites.setdefault(task.suite, []).append(task_id)
    figures = figures_of(list(means.values()), epochs, seed)
    outcomes = Counter(_outcome(run) for runs in counts.values() for run in runs)
    return Summary(
        benchmark="worlds",
        rules="right",
        samples=sum(map(len, counts.values())),
        metrics=_values_of(figures),
        figures=figures,
        categories={
            name: _values_of(figures_of([means[task_id] for task_id in task_ids], epochs, seed))
            for name, task_ids in sorted(suites.items())
        },
        outcomes=dict(outcomes.most_common()),
        seed=seed,
        seconds=round(time.perf_counter() - start, 3),
        model=model,
        cost_usd=cost_usd,
    )


def row_of_run(
    task: Task, counts: Mapping[str, float], *, output: Plain, epoch: int = 0
) -> SampleRow:
    """Return the row of `samples.parquet` for one run of a task."""
    outcome = _outcome(counts)
    return SampleRow(
        task.task_id,
        "",
        task.suite,
        "",
        outcome,
        outcome == RIGHT,
        sorted_counts(counts),
        (),
        msgspec.json.encode(output).decode(),
        epoch,
    )


def _outcome(counts: Mapping[str, float]) -> str:
    if counts["solved"]:
        return RIGHT
    return "no_answer" if counts["digest"] else "wrong_state"


def _values_of(figures: Mapping[str, Figure]) -> dict[str, float]:
    return {name: figure.value for name, figure in figures.items() if figure.value is not None}


def _ratio(name: str, title: str, over: str, under: str = "samples") -> Ratio:
    return Ratio(name, title, {over: 1}, {under: 1})


def _pass(k: int) -> str:
    return f"pass_{k}"
