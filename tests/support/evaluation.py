"""Metrics of judgements, and a small release that tests of benchmarks share."""

import gc
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from benchloom.evaluate.benchmark import Benchmark, Judged, Rules
from benchloom.evaluate.statistics.intervals import figure
from tests.support.session_paths import shared_path


def metric_figures(
    benchmark: Benchmark, judgements: Sequence[Judged], rules: Rules
) -> dict[str, float | None]:
    """Return every metric over these judgements; a metric without a denominator is None."""
    names = {name for judged in judgements for name in judged.counts}
    sums = {
        name: np.array([sum(judged.counts.get(name, 0) for judged in judgements)]) for name in names
    }
    sums["samples"] = np.array([float(len(judgements))])
    return {metric.name: figure(metric, sums) for metric in benchmark.metrics(rules)}


@pytest.fixture(scope="session")
def evaluation_gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small release from which every benchmark takes samples."""
    from tests.support.samples.evaluation_release import evaluation_release

    return shared_path(
        tmp_path_factory, "evaluation", lambda folder: evaluation_release(folder / "release")
    )


@pytest.fixture
def collect_inspect_connections() -> Iterator[None]:
    """Collect the connections that inspect_ai leaves open, before another test warns of them."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
