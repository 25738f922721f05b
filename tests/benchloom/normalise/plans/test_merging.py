"""Tests of merged plans: the order of a plan's dialogues, and the split of a merged plan."""

import pytest

from benchloom.core.records import PlanSource
from benchloom.normalise.plans.assembly import PlanSources, release_split


@pytest.mark.parametrize(
    ("splits", "expected"),
    [
        (["train"], "train"),
        (["dev"], "validation"),
        (["validation"], "validation"),
        (["test"], "test"),
        (["train", "test", "dev"], "test"),
        (["train", "dev"], "validation"),
        (["own folder"], None),
        (["own folder", "train"], "train"),
    ],
)
def test_most_held_out_split_wins(splits: list[str], expected: str | None) -> None:
    assert release_split(splits) == expected


def test_plan_sources_are_sorted_by_split_then_file_and_id() -> None:
    train = [PlanSource("1_2", "train/b.json", "train"), PlanSource("1_1", "train/a.json", "train")]
    test = [PlanSource("9_9", "test/z.json", "test"), PlanSource("9_8", "test/z.json", "test")]
    sources = PlanSources()
    for source in (*train, *test):
        sources.add("plan:1", [source])
    sources.add("plan:2", train[:1])
    assert sources.of("plan:1") == (test[1], test[0], train[1], train[0])
    assert sources.of("plan:2") == (train[0],)
