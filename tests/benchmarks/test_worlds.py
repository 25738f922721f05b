"""Check that the pipeline finds what generated worlds contain, and that worlds are reproducible."""

import itertools
from pathlib import Path

from benchmarks.growth import Pipeline
from benchmarks.worlds import expected, shortcuts, write_world

COUNT = 90
"""A number of files with every kind of damage and an incomplete last block."""


def test_pipeline_counts_equal_the_planted_counts(tmp_path: Path) -> None:
    planted = write_world(COUNT, tmp_path / "world")
    pipeline = Pipeline(tmp_path / "world", tmp_path / "work")
    pipeline.joined()
    pipeline.listings()
    pipeline.plans()
    assert pipeline.counts() == planted
    assert len(planted.rejected) == 4
    assert planted.merged == {"duplicate_bytes": 5, "duplicate_renamed": 4}


def test_larger_world_begins_with_the_smaller_world() -> None:
    assert list(shortcuts(30)) == list(itertools.islice(shortcuts(1_000_000), 30))
    assert list(shortcuts(3, seed=2)) != list(shortcuts(3))


def test_plan_counts_every_file_once() -> None:
    for count in (1, 8, 12, 19, 20, 21, 40, 101):
        plan = expected(count)
        missing = sum(plan.rejected.values()) + sum(plan.merged.values())
        assert plan.shortcuts + missing == plan.files == count
