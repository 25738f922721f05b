"""A benchmark in which models write shortcuts that are judged by their effects.

A shortcut runs on the simulated device. The gold is the tasks of kind `shortcut`; both rule sets
are the same.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

import msgspec

from benchloom.core.errors import NothingReadError
from benchloom.core.records.values import Plain
from benchloom.device.scores import run_as_agent
from benchloom.evaluate.benchmark import (
    RIGHT,
    UNPARSEABLE,
    Benchmark,
    Expected,
    Judged,
    LeftOut,
    Report,
    Rules,
    Sample,
    unreported,
)
from benchloom.evaluate.benchmarks.shortcut_effects.outputs import read_shortcut, shortcut_text
from benchloom.evaluate.statistics.metrics import Metric, Ratio
from benchloom.exchange.examples import Argument, Call, Example, Finding
from benchloom.worlds.runs.scoring import score_of
from benchloom.worlds.runs.task_reader import read_tasks
from benchloom.worlds.suites import SUITES
from benchloom.worlds.task import Task

if TYPE_CHECKING:
    from benchloom.core.records.values import Value

KIND = "shortcut"
_MISSING, _FURTHER = "missing_effect", "further_effect"
_METRICS = (
    Ratio(
        "solved", "shortcuts with the same final state as the plan", {"solved": 1}, {"samples": 1}
    ),
    Ratio(
        "effects", "share of the plan's effects that shortcuts have", {"done": 1}, {"planned": 1}
    ),
    Ratio(
        "collateral",
        "shortcuts with effects outside the plan",
        {"collateral": 1},
        {"samples": 1},
        gold=0.0,
    ),
)
_LESS: Mapping[str, Expected] = {"solved": "lower", "effects": "lower"}


class TaskSample(Sample, frozen=True, kw_only=True):
    """A sample with its task, which contains the expected calls and the device's initial state."""

    task: Task


class _ShortcutEffects(Benchmark):
    title = "a shortcut for a request, judged by what it does on the simulated device"
    outcomes: ClassVar[Mapping[str, str]] = {
        RIGHT: "The shortcut leaves the device in the same state as the plan",
        UNPARSEABLE: "No shortcut can be read from the output",
        _MISSING: "An effect of the plan is missing",
        _FURTHER: "The shortcut has every effect of the plan, and a further effect",
    }
    expected_metrics: ClassVar[Mapping[str, Mapping[str, Expected]]] = {
        "argument_dropped": _LESS,
        "call_doubled": {"solved": "any", "effects": "gold"},
        "call_dropped": _LESS,
        "call_renamed": _LESS,
        "extra_argument": {"solved": "gold", "effects": "gold"},
        "shuffled": _LESS,
        "value_blanked": _LESS,
        "value_cut": _LESS,
        "values_swapped": _LESS,
        "wrong_type": _LESS,
    }

    def metrics(self, rules: Rules) -> Sequence[Metric]:
        return _METRICS

    def read_gold(self, gold: Path, report: Report = unreported) -> Iterator[Sample]:
        is_empty = True
        for task in read_tasks(gold, lambda *fault: report(LeftOut(*fault))):
            if task.kind == KIND:
                is_empty = False
                yield _sample(task)
        if is_empty:
            raise NothingReadError(
                f"{gold} contains no task of kind '{KIND}'; "
                "build tasks with 'benchloom world build phone'"
            )

    def judge(self, sample: Sample, output: Plain, rules: Rules) -> Judged:
        task = _task_of(sample)
        planned = Counter(_key(call.tool, call.arguments) for call in task.calls)
        counts = {"solved": 0.0, "done": 0.0, "planned": float(planned.total()), "collateral": 0.0}
        shortcut = read_shortcut(output)
        if shortcut is None:
            return Judged(UNPARSEABLE, counts)
        run = run_as_agent(shortcut)
        score = score_of(task, SUITES.find(task.suite).world(task.start), run)
        done = planned & Counter(_key(call.tool, call.arguments) for call in run.calls)
        counts |= {
            "solved": float(score.solved),
            "done": float(done.total()),
            "collateral": float(bool(score.collateral)),
        }
        missing = [Finding(_MISSING, key[:200]) for key in (planned - done).elements()]
        further = [Finding(_FURTHER, f"{table} {key}"[:200]) for table, key in score.collateral]
        outcome = RIGHT if score.solved else _MISSING if missing else _FURTHER
        return Judged(outcome, counts, () if score.solved else (*missing, *further))

    def output_of(self, sample: Sample, calls: Sequence[Call]) -> Plain:
        """Write calls as a JSON shortcut that has the same effects as the calls."""
        written: Plain = msgspec.json.decode(shortcut_text(calls))
        return written

    def text_of(self, sample: Sample, calls: Sequence[Call]) -> str:
        return shortcut_text(calls)


def _sample(task: Task) -> TaskSample:
    example = Example(
        example_id=task.task_id,
        target_id=task.task_id,
        source=task.source,
        source_id=task.source_id,
        source_uri=task.source_uri,
        split=task.split,
        request=task.turns[0],
        calls=tuple(_call(call.tool, call.arguments) for call in task.calls),
    )
    return TaskSample(
        sample_id=task.task_id,
        example=example,
        level=str(len(task.calls)),
        category=task.split,
        task=task,
    )


def _call(tool: str, arguments: Mapping[str, Plain]) -> Call:
    app, _, api = tool.partition(".")
    values = cast("Mapping[str, Value]", arguments)  # the values of a task contain no references
    return Call(app, api, tuple(Argument(name, value) for name, value in values.items()))


def _task_of(sample: Sample) -> Task:
    if not isinstance(sample, TaskSample):
        raise TypeError(
            "expected a TaskSample, which this benchmark reads from its gold; got "
            f"a {type(sample).__name__}"
        )
    return sample.task


def _key(tool: str, arguments: Mapping[str, Plain]) -> str:
    return f"{tool} {msgspec.json.encode(arguments, order='sorted').decode()}"


BENCHMARK = _ShortcutEffects()
