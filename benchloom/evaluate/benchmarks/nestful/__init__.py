"""The benchmark NESTFUL: predict calls whose arguments use results of earlier calls.

The paper is arXiv 2409.03797.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import ClassVar

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import (
    RIGHT,
    UNPARSEABLE,
    Benchmark,
    Expected,
    Judged,
    Report,
    Rules,
    Sample,
    unreported,
)
from benchloom.evaluate.benchmarks.nestful.alignment import Alignment, align
from benchloom.evaluate.benchmarks.nestful.calls import (
    Entry,
    Plan,
    entries_of,
    outputs_of,
    plan_of,
    structure_of,
)
from benchloom.evaluate.benchmarks.nestful.execution import Executed, Execution
from benchloom.evaluate.benchmarks.nestful.figures import metrics_of
from benchloom.evaluate.benchmarks.nestful.findings import OUTCOMES, findings_of, outcome_of
from benchloom.evaluate.benchmarks.nestful.published import (
    GOLD,
    HITS,
    PREDICTED,
    published_counts,
    published_entries,
)
from benchloom.evaluate.gold import is_release, plan_examples, unique_name
from benchloom.evaluate.json_texts import calls_nothing
from benchloom.evaluate.sandbox.runner import Runner
from benchloom.evaluate.statistics.metrics import Metric
from benchloom.exchange.examples import Call, Example, Finding

_CALL: dict[str, Expected] = {"partial_match": "lower", "recall": "lower", "full_match": "zero"}
_RUN: dict[str, Expected] = {"pass_rate": "any", "win_rate": "any"}
"""The expected metrics of running a changed call: any value, because its result is unknown."""
_ARGUMENTS: dict[str, Expected] = {**_CALL, **_RUN, "f1_parameter": "lower"}
_CALLS: dict[str, Expected] = {**_ARGUMENTS, "f1_function": "lower"}
EXPECTED: Mapping[str, Mapping[str, Expected]] = {
    "argument_dropped": _ARGUMENTS,
    "call_doubled": {**_CALLS, "recall": "gold"},
    "call_dropped": _CALLS,
    "call_renamed": _CALLS,
    "extra_argument": _ARGUMENTS,
    "other_producer": {**_CALL, **_RUN},
    "shuffled": {**_CALLS, "full_match": "lower"},
    "value_blanked": {**_CALL, **_RUN},
    "value_cut": {**_CALL, **_RUN},
    "values_swapped": {**_CALL, **_RUN},
    "wrong_type": {**_CALL, **_RUN},
}


FORMATS = ("nestful-v2", "nestful")
_MANY = 8  # samples with this many calls or more are one level
_NOTHING = Alignment({}, frozenset())
_ENCODER = msgspec.json.Encoder()


class _Nestful(Benchmark):
    title = "NESTFUL: all calls that answer a request; later calls use results of earlier calls"
    outcomes: ClassVar = OUTCOMES
    expected_metrics = EXPECTED

    def __init__(self, execution: Execution | None = None) -> None:
        self._execution = execution

    def metrics(self, rules: Rules) -> Sequence[Metric]:
        return metrics_of(rules)

    def read_gold(self, gold: Path, report: Report = unreported) -> Iterator[Sample]:
        used_names: Counter[str] = Counter()
        of_release = is_release(gold)
        for example in plan_examples(gold, FORMATS, report):
            record_id = example.example_id if of_release else example.source_id
            count = len(example.calls)
            yield Sample(
                sample_id=unique_name(record_id, used_names),
                example=example,
                level=str(count) if count < _MANY else f"{_MANY}+",
                category=example.split if of_release else _part(example.source_uri),
            )

    def judge(self, sample: Sample, output: Plain, rules: Rules) -> Judged:
        gold = _Gold(sample.example)
        if rules == "right" and not sample.example.calls and calls_nothing(output):
            output = []
        try:
            entries = published_entries(output) if rules == "published" else entries_of(output)
        except RejectedInputError as error:
            why = (Finding(error.reason, error.message),)
            executed = self._execute(sample, gold, None, rules)
            return Judged(UNPARSEABLE, {**gold.counts(rules, None), **executed.counts}, why)
        predicted = plan_of(entries, gold.outputs)
        aligned = align(gold.plan, predicted)
        findings = findings_of(gold.plan, predicted, aligned, gold.outputs)
        outcome = outcome_of(gold.plan, predicted, aligned, findings)
        counts = gold.counts(rules, entries, predicted, aligned)
        if rules == "published" and counts["full"]:
            outcome, findings = RIGHT, ()
        elif rules == "published" and outcome == RIGHT:
            outcome = "other_text"
        executed = self._execute(sample, gold, predicted, rules)
        if rules == "right" and outcome != RIGHT and executed.counts.get("wins"):
            outcome = "other_way"
        return Judged(outcome, {**counts, **executed.counts}, (*findings, *executed.findings))

    def _execute(
        self, sample: Sample, gold: "_Gold", predicted: Plan | None, rules: Rules
    ) -> Executed:
        if self._execution is None:
            return Executed({})
        return self._execution.of(sample.example, gold.plan, predicted, rules)

    @contextmanager
    def with_tools(self, tools: Path) -> Iterator[Benchmark]:
        """Yield a copy of this benchmark that can run the functions in a folder or zip file.

        Raises RunError if there are no functions, or this machine cannot sandbox processes.
        """
        with Runner(tools) as runner:
            yield _Nestful(Execution(runner))

    def output_of(self, sample: Sample, calls: Sequence[Call]) -> Plain:
        """Write calls as a list of objects, labelled `$var_1`, `$var_2`, ... as in gold."""
        return structure_of(sample.example, calls)

    def text_of(self, sample: Sample, calls: Sequence[Call]) -> str:
        return _ENCODER.encode(structure_of(sample.example, calls)).decode()


class _Gold:
    def __init__(self, example: Example) -> None:
        self.outputs = outputs_of(example)
        self._entries = entries_of(structure_of(example, example.calls))
        self.plan = plan_of(self._entries, self.outputs)

    def counts(
        self,
        rules: Rules,
        entries: Sequence[Entry] | None,
        predicted: Plan | None = None,
        aligned: Alignment = _NOTHING,
    ) -> dict[str, float]:
        if rules == "right":
            return _right_counts(self.plan, predicted, aligned)
        return published_counts(self._entries, entries)


def _part(source_uri: str) -> str:
    """Return the part of the published data to which a file of version 1 belongs, by its name.

    Returns an empty text for files of version 2.
    """
    stem = PurePosixPath(source_uri).name.partition(".")[0]
    return stem.removesuffix("-data") if stem.endswith("-data") else ""


def _right_counts(gold: Plan, predicted: Plan | None, aligned: Alignment) -> dict[str, float]:
    calls = () if predicted is None else predicted.calls
    most = max(len(gold.calls), len(calls))
    is_read = predicted is not None
    matched = len(aligned.right)
    counts: dict[str, float] = {
        "partial": matched / most if most else float(is_read),
        "recall": matched / len(gold.calls) if gold.calls else float(is_read and not calls),
        "full": float(is_read and matched == most),
    }
    for word, pick in (("functions", _functions), ("parameters", _parameters)):
        gold_counts, predicted_counts = (
            pick(gold),
            Counter[str]() if predicted is None else pick(predicted),
        )
        counts[f"{word}_{HITS}"] = (gold_counts & predicted_counts).total()
        counts[f"{word}_{GOLD}"] = gold_counts.total()
        counts[f"{word}_{PREDICTED}"] = predicted_counts.total()
    return counts


def _functions(plan: Plan) -> Counter[str]:
    return Counter(call.name for call in plan.calls)


def _parameters(plan: Plan) -> Counter[str]:
    return Counter(f"{call.name}.{name}" for call in plan.calls for name in call.arguments)


BENCHMARK = _Nestful()
