"""Check the precision and recall of `says` on the labelled pairs."""

from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from tests.support.stated_values import HALVES, load_pairs, measure

LEAST_SHARE = 0.97
KINDS = {
    "boolean", "choice", "count", "date", "duration", "fraction", "money", "name", "other",
    "quantity", "time",
}  # fmt: skip


@pytest.mark.parametrize("half", sorted(HALVES))
def test_precision_and_recall_are_high_on_both_halves(half: str) -> None:
    *kinds, total = measure(load_pairs(HALVES[half]))
    assert {entry.kind for entry in kinds} == KINDS
    assert total.pairs >= 250
    assert total.precision >= LEAST_SHARE
    assert total.recall >= LEAST_SHARE


def test_no_pair_is_in_both_halves() -> None:
    tuning, held_out = (
        {(row.value, text) for row in load_pairs(path) for text in (*row.said, *row.unsaid)}
        for path in HALVES.values()
    )
    assert not tuning & held_out


def test_damaged_pairs_file_is_named_in_the_error(tmp_path: Path) -> None:
    path = tmp_path / "pairs.yaml"
    path.write_text("- {kind: date, value: 3}\n")
    with pytest.raises(RunError, match=r"pairs\.yaml"):
        load_pairs(path)
    with pytest.raises(RunError, match=r"absent\.yaml"):
        load_pairs(tmp_path / "absent.yaml")
