"""Check every benchmark: gold scores full marks, empty outputs score zero, no output raises."""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.evaluate import Benchmark, Rules, Sample
from benchloom.evaluate.audit.mutation import requested_calls
from benchloom.evaluate.audit.mutations import MUTATIONS
from benchloom.evaluate.audit.report import audit
from benchloom.evaluate.benchmark import RIGHT, RULES, UNPARSEABLE
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.scoring import Tally
from tests.support.samples.shortcut_tasks import write_tasks

GoldOf = Callable[[Benchmark], Path]
MAX_SAMPLES = 60
"""Maximum number of gold samples that a test reads."""
NESTED = "[" * 10_000 + "]" * 10_000
HOSTILE: tuple[Plain, ...] = (
    "",
    " \n",
    None,
    True,
    -1.5,
    [],
    {},
    [[]],
    [None, 1, "x", {"a": {"b": [{}]}}],
    {"output": []},
    NESTED,
    "{" * 50_000,
    "'" * 100_001,
    "a(" * 20_000,
    "[a(b='" + "\\'" * 30_000,
    "x=" * 50_000,
    "\ud800\u202e\0",
    "```json\n" * 10_000,
    "1" * 100_000,
)


_BY_EFFECT = "shortcut-effects"
"""Benchmark that needs tasks of kind `shortcut`; the demo release contains none."""


@pytest.fixture(scope="module")
def gold_of(demo_release: Path, tmp_path_factory: pytest.TempPathFactory) -> GoldOf:
    """Return a function that finds a benchmark's gold: the demo release, or a file of tasks."""

    @cache
    def find_gold(benchmark: Benchmark) -> Path:
        if benchmark is BENCHMARKS.find(_BY_EFFECT):
            return write_tasks(tmp_path_factory.mktemp("gold") / "tasks.jsonl")
        return demo_release

    return find_gold


@pytest.fixture(scope="module")
def samples(gold_of: GoldOf) -> Callable[[Benchmark], list[Sample]]:
    """Return a function that reads the first samples of a benchmark."""
    return lambda benchmark: list(islice(benchmark.read_gold(gold_of(benchmark)), MAX_SAMPLES))


def score_outputs(
    benchmark: Benchmark, rules: Rules, outputs: Iterable[tuple[Sample, Plain]]
) -> tuple[dict[str, float], dict[str, int]]:
    tally = Tally()
    for sample, output in outputs:
        tally.add(sample, benchmark.judge(sample, output, rules))
    return tally.totals(benchmark.metrics(rules)), tally.outcomes()


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.long) if name == _BY_EFFECT else name
        for name in BENCHMARKS.names()
    ]
)
def benchmark(request: pytest.FixtureRequest) -> Benchmark:
    return BENCHMARKS.find(request.param)


def test_gold_outputs_reach_every_gold_metric(
    benchmark: Benchmark, samples: Callable[[Benchmark], list[Sample]]
) -> None:
    golds = []
    texts = []
    for sample in samples(benchmark):
        calls, first = requested_calls(sample)
        golds.append((sample, benchmark.output_of(sample, calls[first:])))
        texts.append((sample, benchmark.text_of(sample, calls[first:])))
    assert len(golds) > 10
    for outputs in (golds, texts):
        metrics, outcomes = score_outputs(benchmark, "right", outputs)
        assert metrics
        expected_metrics = {
            metric.name: metric.gold
            for metric in benchmark.metrics("right")
            if metric.name in metrics
        }
        assert metrics == pytest.approx(expected_metrics)
        assert outcomes == {RIGHT: len(golds)}


def test_empty_outputs_score_zero(
    benchmark: Benchmark, samples: Callable[[Benchmark], list[Sample]]
) -> None:
    metrics, outcomes = score_outputs(
        benchmark, "right", ((sample, "") for sample in samples(benchmark))
    )
    scores = [
        metrics[metric.name]
        for metric in benchmark.metrics("right")
        if metric.gold and metric.name in metrics
    ]
    assert scores
    assert set(scores) == {0}
    assert RIGHT not in outcomes


@pytest.mark.parametrize("rules", RULES)
def test_hostile_outputs_are_judged_without_errors(
    benchmark: Benchmark, samples: Callable[[Benchmark], list[Sample]], rules: Rules
) -> None:
    sample = samples(benchmark)[-1]
    for output in HOSTILE:
        judged = benchmark.judge(sample, output, rules)
        assert judged.outcome in benchmark.outcomes
        assert all(0 <= value < 1e9 for value in judged.counts.values())
    metrics, _ = score_outputs(benchmark, rules, ((sample, output) for output in HOSTILE))
    assert all(0 <= value <= 1 for value in metrics.values())


def test_sample_ids_are_unique(
    benchmark: Benchmark, samples: Callable[[Benchmark], list[Sample]]
) -> None:
    sample_ids = [sample.sample_id for sample in samples(benchmark)]
    assert len(set(sample_ids)) == len(sample_ids)


def test_outcomes_and_metrics_have_titles(benchmark: Benchmark) -> None:
    assert benchmark.title
    assert {RIGHT, UNPARSEABLE} <= set(benchmark.outcomes)
    assert all(benchmark.outcomes.values())
    for rules in RULES:
        metrics = benchmark.metrics(rules)
        assert metrics
        assert all(metric.title for metric in metrics)
        assert len({metric.name for metric in metrics}) == len(metrics)


def test_every_mutation_changes_scores_as_expected(benchmark: Benchmark, gold_of: GoldOf) -> None:
    audit_report = audit("benchmark", benchmark, gold_of(benchmark), most=MAX_SAMPLES // 3)
    assert [(row.mutation, row.metrics, row.due) for row in audit_report.rows if row.broken] == []
    altering_mutations = {
        name for name, mutation in MUTATIONS.items() if mutation.meaning == "other"
    }
    harmless = {
        row.mutation
        for row in audit_report.rows
        if row.mutation in altering_mutations
        and row.samples
        and not {"lower", "zero"} & set(row.due.values())
    }
    declared_harmless = {
        name for name in harmless if "gold" in benchmark.expected_metrics.get(name, {}).values()
    }
    assert harmless == declared_harmless, (
        "gold that was changed has to cost something, or to be said to be right"
    )


def test_unreadable_gold_is_reported_in_one_line(benchmark: Benchmark, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing that was published")
    with pytest.raises(RunError) as error:
        list(benchmark.read_gold(tmp_path))
    assert "\n" not in str(error.value)
    assert msgspec.json.encode(str(error.value))
