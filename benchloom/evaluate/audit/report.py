"""Run an audit: score every mutation of gold, and compare the scores with the expected scores."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from random import Random

import msgspec

from benchloom.core.errors import NothingReadError
from benchloom.core.records.values import Plain
from benchloom.evaluate.audit.mutation import SHUFFLED, Subject, requested_calls
from benchloom.evaluate.audit.mutations import MUTATIONS
from benchloom.evaluate.benchmark import RULES, Benchmark, Expected, LeftOut, Rules, Sample
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.sample_choice import of_split
from benchloom.evaluate.scoring import Tally
from benchloom.evaluate.statistics.metrics import Metric
from benchloom.storage.inputs import refuse_missing

SAMPLES = 1000  # default number of samples, from the beginning of the gold
_NEAR = 1e-9


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The audit result of one mutation (a way to change gold outputs) under one rule set."""

    mutation: str
    title: str
    rules: Rules
    samples: int  # number of samples to which the mutation is applicable
    metrics: dict[str, float]
    outcomes: dict[str, int]
    due: dict[str, Expected]  # the expected value of each metric by the rules `right`
    broken: tuple[str, ...]  # metrics whose value is not as expected
    inapplicable: tuple[
        str, ...
    ] = ()  # metrics that the mutation cannot change, because all samples call the same APIs


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """The audit of one benchmark's scorer, with one row per mutation and rule set."""

    benchmark: str
    samples: int
    rows: tuple[Row, ...]
    broken: int  # number of rows with an unexpected metric
    gold_records: int = 0  # number of damaged gold records, which were left out


def audit_benchmark(
    name: str,
    gold: Path,
    *,
    seed: int = 0,
    most: int = SAMPLES,
    functions: Path | None = None,
    split: str = "",
) -> Audit:
    """Apply every mutation to the gold of a benchmark, and score the results under both rule sets.

    At most `most` samples are used. `functions` is a folder or zip file of tools, for a benchmark
    that runs tools.

    Raises RunError if the benchmark is unknown, or the gold contains no sample of the benchmark.
    """
    refuse_missing(gold)
    benchmark = BENCHMARKS.find(name)
    canonical_name = BENCHMARKS.spelt(name)
    with benchmark.with_tools(functions) if functions else nullcontext(benchmark) as scorer:
        return audit(canonical_name, scorer, gold, seed=seed, most=most, split=split)


def audit(
    name: str,
    benchmark: Benchmark,
    gold: Path,
    *,
    seed: int = 0,
    most: int = SAMPLES,
    split: str = "",
) -> Audit:
    """Audit a benchmark object; `audit_benchmark` does the same for the name of a benchmark.

    Raises NothingReadError if the gold contains no sample.
    """
    damaged: list[LeftOut] = []
    samples = list(islice(of_split(benchmark.read_gold(gold, damaged.append), split), most))
    if not samples:
        raise NothingReadError(f"{gold} contains no sample of {name}; pass its gold data to --gold")
    alike = {SHUFFLED} if _all_call_the_same(samples) else set()
    rows = [
        _row(
            benchmark,
            _mutate_samples(benchmark, samples, mutation, seed),
            rules,
            mutation,
            same_calls=mutation in alike,
        )
        for mutation in sorted(MUTATIONS)
        for rules in RULES
    ]
    broken = sum(1 for row in rows if row.broken)
    return Audit(
        benchmark=name,
        samples=len(samples),
        rows=tuple(rows),
        broken=broken,
        gold_records=len(damaged),
    )


def _all_call_the_same(samples: Sequence[Sample]) -> bool:
    names = set()
    for sample in samples:
        calls, first = requested_calls(sample)
        names.add(tuple((call.app, call.api) for call in calls[first:]))
    return len(names) == 1


def _row(
    benchmark: Benchmark,
    changed: Iterator[tuple[Sample, Plain]],
    rules: Rules,
    mutation: str,
    *,
    same_calls: bool,
) -> Row:
    tally = Tally()
    metrics = benchmark.metrics(rules)
    for sample, output in changed:
        tally.add(sample, benchmark.judge(sample, output, rules))
    figures = tally.totals(metrics)
    expected = {metric.name: _expected_metric(benchmark, mutation, metric) for metric in metrics}
    inapplicable = tuple(
        metric.name
        for metric in metrics
        if same_calls and _is_of_names(benchmark, metric, expected[metric.name])
    )
    expected |= dict.fromkeys(inapplicable, "any")
    return Row(
        mutation=mutation,
        title=MUTATIONS[mutation].title,
        rules=rules,
        samples=tally.samples,
        metrics=figures,
        outcomes=tally.outcomes(),
        due=expected,
        broken=tuple(
            metric.name
            for metric in metrics
            if rules == "right"
            and metric.name in figures
            and not _is_expected(figures[metric.name], expected[metric.name], metric.gold)
        ),
        inapplicable=inapplicable,
    )


def _is_of_names(benchmark: Benchmark, metric: Metric, expected: Expected) -> bool:
    """Whether a metric depends only on the names of calls: blanked values do not change it."""
    return (
        expected in {"lower", "zero"}
        and _expected_metric(benchmark, "value_blanked", metric) == "gold"
    )


def _mutate_samples(
    benchmark: Benchmark, samples: Sequence[Sample], mutation: str, seed: int
) -> Iterator[tuple[Sample, Plain]]:
    member = MUTATIONS[mutation]
    # Each mutation has its own generator, so that a new mutation does not change the others.
    draw = Random(f"{seed} {mutation}")  # noqa: S311  a seeded draw, no secret
    for index, sample in enumerate(samples):
        calls, first = requested_calls(sample)
        subject = Subject(benchmark, sample, calls, first, other=samples[index - 1])
        output = member.changed(subject, draw)
        if isinstance(output, msgspec.UnsetType):
            continue
        # Skips outputs without the change: some contain only the first of several calls.
        if member.meaning != "other" or output != subject.output(calls[first:]):
            yield sample, output


def _expected_metric(benchmark: Benchmark, mutation: str, metric: Metric) -> Expected:
    meaning = MUTATIONS[mutation].meaning
    if meaning == "same":
        return "gold"
    by_metric = benchmark.expected_metrics.get(mutation, {})
    if meaning == "nothing":
        return by_metric.get(metric.name, "zero") if metric.gold else "any"
    return by_metric.get(metric.name, "gold" if metric.gold else "any")


def _is_expected(value: float, expected: Expected, gold: float) -> bool:
    if expected == "gold":
        return abs(value - gold) < _NEAR
    if expected == "zero":
        return abs(value) < _NEAR
    return expected == "any" or abs(value - gold) > _NEAR
