"""Compare those scorings of a board that have the same benchmark and rule set."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.board.comparison import Comparison, compare
from benchloom.evaluate.board.content import Scored
from benchloom.evaluate.sample_table import SAMPLES
from benchloom.evaluate.statistics.metrics import Metric
from benchloom.evaluate.world_runs.figures import metrics as world_metrics
from benchloom.evaluate.world_runs.selection import WORLDS


def comparisons(scored: Sequence[Scored]) -> tuple[Comparison, ...]:
    """For each benchmark and rule set, compare the first scoring with every other scoring.

    Scorings without a table of samples are ignored.

    Raises RunError if a table of samples is damaged.
    """
    ordered = sorted(scored, key=_kind)
    return tuple(
        comparison for _, group in groupby(ordered, key=_kind) for comparison in _of(list(group))
    )


def _kind(scoring: Scored) -> tuple[str, Rules]:
    return scoring.summary.benchmark, scoring.summary.rules


def _of(scored: Sequence[Scored]) -> Iterator[Comparison]:
    stored = [scoring for scoring in scored if (scoring.folder / SAMPLES).is_file()]
    if len(stored) < 2:
        return
    first, *others = stored
    benchmark, rules = _kind(first)
    for other in others:
        samples, only_first, only_second, differences = compare(
            first.folder, other.folder, _metrics(benchmark, rules), seed=first.summary.seed
        )
        yield Comparison(
            benchmark=benchmark,
            rules=rules,
            first=first.name,
            second=other.name,
            samples=samples,
            only_first=only_first,
            only_second=only_second,
            differences=differences,
        )


def _metrics(benchmark: str, rules: Rules) -> Sequence[Metric]:
    if benchmark == WORLDS:
        return world_metrics(1)
    return BENCHMARKS.find(benchmark).metrics(rules)
