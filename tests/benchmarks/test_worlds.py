"""Made worlds: what is planted is what comes out, and equal sizes are equal bytes."""

import itertools
from pathlib import Path

from benchmarks.growth import Pipeline
from benchmarks.worlds import expected, shortcuts, write_world

COUNT = 90
"""Every kind of damage, and a last block that is cut off."""


def test_what_is_planted_comes_out(tmp_path: Path) -> None:
    planted = write_world(COUNT, tmp_path / "world")
    pipeline = Pipeline(tmp_path / "world", tmp_path / "work")
    pipeline.joined()
    pipeline.listings()
    pipeline.plans()
    assert pipeline.counts() == planted
    assert len(planted.rejected) == 4
    assert planted.merged == {"duplicate_bytes": 5, "duplicate_renamed": 4}


def test_a_larger_world_holds_the_smaller_one() -> None:
    assert list(shortcuts(30)) == list(itertools.islice(shortcuts(1_000_000), 30))
    assert list(shortcuts(3, seed=2)) != list(shortcuts(3))


def test_every_file_of_a_plan_is_accounted_for() -> None:
    for count in (1, 8, 12, 19, 20, 21, 40, 101):
        plan = expected(count)
        lost = sum(plan.rejected.values()) + sum(plan.merged.values())
        assert plan.shortcuts + lost == plan.files == count
