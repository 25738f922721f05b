"""Tests of scoring: pairing of predictions with gold, figures, and the table of samples."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import NothingReadError, RunError
from benchloom.evaluate.benchmark import LeftOut
from benchloom.evaluate.pairs import Unused
from benchloom.evaluate.sample_table import TABLE, row_of
from benchloom.evaluate.scoring import Summary, evaluate
from benchloom.storage.tables import TableWriter
from tests.benchloom.evaluate.echo import Echo

NUMBERS = (1, 2, 3, 4, 5)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.txt"
    path.write_text(" ".join(map(str, NUMBERS)))
    return path


def write_predictions(folder: Path, *lines: str) -> Path:
    path = folder / "predictions.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def summary_of(gold: Path, *lines: str, by_order: bool = False) -> Summary:
    """Return the summary of these lines of predictions."""
    path = write_predictions(gold.parent, *lines)
    return evaluate("echo", Echo(), gold, path, "right", by_order=by_order)


def outputs(*values: object) -> list[str]:
    """Return lines of predictions without ids."""
    return [json.dumps({"output": value}) for value in values]


def with_ids(*values: object) -> list[str]:
    """Return lines of predictions with ids in the order of gold."""
    return [json.dumps({"id": f"line-{n}", "output": value}) for n, value in enumerate(values)]


def test_figures_have_their_denominators(gold: Path) -> None:
    summary = summary_of(gold, *with_ids(1, 2, 9, 5, "five"))
    assert summary.metrics == {"same": 0.4, "close": 0.75}
    assert summary.figures["same"].denominator == 5
    assert summary.figures["close"].denominator == 4
    assert summary.outcomes == {"right": 2, "unparseable": 1, "wrong": 2}
    assert summary.reasons == {"another": 2, "no_number": 1}
    assert summary.levels == {
        "even": {"same": 0.5, "close": 1.0},
        "odd": {"same": pytest.approx(1 / 3), "close": 0.5},
    }
    assert summary.level_samples == {"even": 2, "odd": 3}


def test_figure_without_denominator_is_no_metric(gold: Path) -> None:
    summary = summary_of(gold, *with_ids(None, None, None, None, None))
    assert summary.metrics == {"same": 0.0}
    assert summary.figures["close"].value is None


def test_predictions_are_paired_by_id(gold: Path) -> None:
    lines = [json.dumps({"id": f"line-{4 - index}", "output": 5 - index}) for index in range(5)]
    assert summary_of(gold, *lines).metrics["same"] == 1.0


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "predictions.jsonl contains no prediction; write one JSON line per sample$"),
        (
            outputs(1, 2, 3, 4, 5),
            '"id"; add the id of its sample to every line, or pass --by-order',
        ),
        (["{", "[1]"], "line 1: .*; no line can be read"),
        (
            ['{"id": "line-1", "output": 1}'],
            "for 4 samples, such as line-0; add them, or pass --partial",
        ),
        (['{"id": "line-9", "output": 1}'], "5 samples.*1 ids belong to no sample, such as line-9"),
        ([*with_ids(1, 2), *with_ids(1)], "lines 1 and 3: two predictions have the id line-0"),
    ],
)
def test_unpairable_predictions_are_refused_in_one_line(
    gold: Path, lines: list[str], message: str
) -> None:
    with pytest.raises(RunError, match=message) as caught:
        summary_of(gold, *lines)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("lines", [outputs(1, 2, 3, 4), outputs(1, 2), outputs(1, 2, 3, 4, 5, 6)])
def test_by_order_requires_one_line_per_sample(gold: Path, lines: list[str]) -> None:
    with pytest.raises(RunError, match=f"{len(lines)} predictions, but the gold has 5 samples"):
        summary_of(gold, *lines, by_order=True)
    with pytest.raises(RunError, match="no prediction"):
        summary_of(gold, by_order=True)


def test_lines_are_paired_by_order_only_on_request(gold: Path) -> None:
    summary = summary_of(gold, *outputs(1, 2, 3, 4, 5), by_order=True)
    assert (summary.match, summary.metrics["same"], summary.unused) == ("order", 1.0, Unused())
    reversed_lines = summary_of(gold, *with_ids(5, 4, 3, 2, 1)[::-1], by_order=True)
    assert reversed_lines.metrics["same"] == 1.0
    assert summary_of(gold, *with_ids(1, 2, 3, 4, 5)).match == "id"


def test_damaged_gold_is_counted_as_unused(gold: Path) -> None:
    gold.write_text("1 two 3 4 5")
    lines = with_ids(1, 2, 3, 4, 5)
    summary = summary_of(gold, *lines)
    assert (summary.samples, summary.metrics["same"]) == (4, 1.0)
    assert summary.unused.gold == (LeftOut("gold.txt#1", "no_number", "two"),)
    assert (summary.unused.gold_records, summary.unused.unknown_ids) == (1, 1)
    assert summary.unused.ids == ("line-1",)
    # By order the file may have a line for the damaged record or leave it out.
    for remaining_lines in (lines, [lines[0], *lines[2:]]):
        summary = summary_of(gold, *remaining_lines, by_order=True)
        assert (summary.samples, summary.metrics["same"], summary.unused.gold_records) == (
            4,
            1.0,
            1,
        )
    gold.write_text("one two")
    with pytest.raises(RunError, match="the gold contains no sample"):
        summary_of(gold, *lines)


@pytest.mark.parametrize(
    "damaged",
    ["{", '{"id": "line-2"}', '{"output": 3}', "[1]", "\x00", '{"id": 2, "output": 3}', '"x"'],
)
def test_damaged_line_makes_its_sample_unparseable(gold: Path, damaged: str) -> None:
    lines = with_ids(1, 2, 3, 4, 5)
    lines[2] = damaged
    summary = summary_of(gold, *lines)
    assert (summary.samples, summary.metrics["same"]) == (5, 0.8)
    assert summary.outcomes == {"right": 4, "unparseable": 1}
    assert summary.unused.damaged_lines == 1
    assert summary.unused.lines[0].record.endswith("predictions.jsonl line 3")


def test_damaged_line_keeps_its_position_by_order(gold: Path) -> None:
    summary = summary_of(gold, *outputs(1, 2), "{", *outputs(4, 5), by_order=True)
    assert summary.outcomes == {"right": 4, "unparseable": 1}
    assert summary.unused.damaged_lines == 1


def test_split_option_restricts_the_samples(gold: Path) -> None:
    path = write_predictions(gold.parent, *with_ids(1, 2, 9, 4, 5))
    summary = evaluate("echo", Echo(), gold, path, "right", split="high")
    assert (summary.samples, summary.metrics["same"], summary.unused.unknown_ids) == (2, 1.0, 3)
    with pytest.raises(
        RunError, match="the gold has no sample in split 'none'; its splits are: high, low"
    ):
        evaluate("echo", Echo(), gold, path, "right", split="none")


@pytest.mark.parametrize(
    "hostile",
    [
        '{"output": ' + "[" * 10_000 + "]" * 10_000 + "}",
        '{"output": ' + "[" * 3_000_000 + "]" * 3_000_000 + "}",
        '{"output": "' + "x" * 5_000_000 + '"}',
    ],
    ids=["nested", "nested and long", "long"],
)
def test_hostile_output_does_not_affect_other_lines(gold: Path, hostile: str) -> None:
    summary = summary_of(gold, *outputs(1, 2), hostile, *outputs(4, 5), by_order=True)
    assert summary.outcomes == {"right": 4, "unparseable": 1}
    assert summary.metrics["same"] == 0.8


@pytest.mark.parametrize(
    "hostile", ["[" * 10_000 + "]" * 10_000, json.dumps("x" * 5_000_000)], ids=["nested", "long"]
)
def test_hostile_output_keeps_its_id(gold: Path, hostile: str) -> None:
    lines = [json.dumps({"id": f"line-{index}", "output": index + 1}) for index in range(4)]
    hostile_line = '{"id": "line-4", "output": ' + hostile + "}"
    assert summary_of(gold, *lines, hostile_line).outcomes == {"right": 4, "unparseable": 1}
    with pytest.raises(NothingReadError, match="line 1: the line exceeds 4 MiB"):
        summary_of(gold, json.dumps("x" * 5_000_000))


def test_sample_table_has_findings_and_sums_to_the_figures(gold: Path, tmp_path: Path) -> None:
    path = write_predictions(tmp_path, *outputs(1, 2, 9, 5, "five"))
    with TableWriter(TABLE, tmp_path / "samples.parquet") as table:
        summary = evaluate(
            "echo",
            Echo(),
            gold,
            path,
            "right",
            on_judged=lambda sample, answer, judged: table.add(
                row_of(sample, judged, output=answer.output)
            ),
            by_order=True,
        )
    rows = pq.read_table(tmp_path / "samples.parquet").to_pylist()
    assert [row["sample_id"] for row in rows] == [f"line-{index}" for index in range(5)]
    assert [row["outcome"] for row in rows] == ["right", "right", "wrong", "wrong", "unparseable"]
    assert [row["is_right"] for row in rows] == [True, True, False, False, False]
    assert rows[2]["findings"] == [{"kind": "another", "message": "9 for 3"}]
    same = sum(count["value"] for row in rows for count in row["counts"] if count["name"] == "same")
    assert same / len(rows) == summary.metrics["same"]


def test_intervals_are_seeded(gold: Path) -> None:
    lines = with_ids(1, 2, 9, 9, 5)
    assert summary_of(gold, *lines).figures == summary_of(gold, *lines).figures
