"""Gold and predictions side by side: pairing, figures, intervals, and the files that say why."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchloom.errors import RunError
from benchloom.evaluate.sample_table import TABLE, row_of
from benchloom.evaluate.scoring import Summary, evaluate
from benchloom.tables import TableWriter
from tests.benchloom.evaluate.echo import Echo

NUMBERS = (1, 2, 3, 4, 5)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.txt"
    path.write_text(" ".join(map(str, NUMBERS)))
    return path


def predictions(folder: Path, *lines: str) -> Path:
    path = folder / "predictions.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def scored(gold: Path, *lines: str) -> Summary:
    return evaluate("echo", Echo(), gold, predictions(gold.parent, *lines), "right")


def outputs(*values: object) -> list[str]:
    return [json.dumps({"output": value}) for value in values]


def test_figures_say_what_they_are_divided_by(gold: Path) -> None:
    found = scored(gold, *outputs(1, 2, 9, 5, "five"))
    assert found.metrics == {"same": 0.4, "close": 0.75}
    assert found.figures["same"].denominator == 5
    assert found.figures["close"].denominator == 4
    assert found.outcomes == {"right": 2, "unparseable": 1, "wrong": 2}
    assert found.reasons == {"another": 2, "no_number": 1}
    assert found.levels == {
        "even": {"same": 0.5, "close": 1.0},
        "odd": {"same": pytest.approx(1 / 3), "close": 0.5},
    }
    assert found.level_samples == {"even": 2, "odd": 3}


def test_what_has_no_denominator_is_no_metric(gold: Path) -> None:
    found = scored(gold, *outputs(None, None, None, None, None))
    assert found.metrics == {"same": 0.0}
    assert found.figures["close"].value is None


def test_ids_put_predictions_in_their_places(gold: Path) -> None:
    lines = [json.dumps({"id": f"line-{4 - place}", "output": 5 - place}) for place in range(5)]
    assert scored(gold, *lines).metrics["same"] == 1.0


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (outputs(1, 2, 3, 4), "4 predictions for 5 samples"),
        (outputs(1, 2), "2 predictions for 5 samples"),
        (outputs(1, 2, 3, 4, 5, 6, 7), "7 predictions for 5 samples"),
        ([], "no prediction"),
        ([*outputs(1, 2), "{"], "line 3"),
        (['{"result": 1}'], "line 1"),
        (["[1]"], "line 1"),
        (['{"id": "line-9", "output": 1}'], "1 unknown ids, such as line-9"),
        (['{"id": "line-1", "output": 1}'], "no prediction for 4 samples, such as line-0"),
        (['{"id": "line-1", "output": 1}'] * 2, "line-1 stands there twice"),
        (['{"id": "line-1", "output": 1}', '{"output": 1}'], "line 2: no id"),
        (['{"output": 1}', '{"id": "line-1", "output": 1}'], "line 2: an id"),
    ],
)
def test_what_does_not_belong_together_is_one_line(gold: Path, lines: list[str], told: str) -> None:
    with pytest.raises(RunError, match=told) as caught:
        scored(gold, *lines)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "hostile",
    [
        '{"output": ' + "[" * 10_000 + "]" * 10_000 + "}",
        '{"output": ' + "[" * 3_000_000 + "]" * 3_000_000 + "}",
        '{"output": "' + "x" * 5_000_000 + '"}',
    ],
    ids=["nested", "nested and long", "long"],
)
def test_hostile_outputs_are_unparseable_and_the_others_stay(gold: Path, hostile: str) -> None:
    found = scored(gold, *outputs(1, 2), hostile, *outputs(4, 5))
    assert found.outcomes == {"right": 4, "unparseable": 1}
    assert found.metrics["same"] == 0.8


def test_a_nested_output_keeps_its_id(gold: Path) -> None:
    lines = [json.dumps({"id": f"line-{place}", "output": place + 1}) for place in range(4)]
    nested = '{"id": "line-4", "output": ' + "[" * 10_000 + "]" * 10_000 + "}"
    assert scored(gold, *lines, nested).outcomes == {"right": 4, "unparseable": 1}


def test_the_table_says_why_and_sums_to_the_figures(gold: Path, tmp_path: Path) -> None:
    path = predictions(tmp_path, *outputs(1, 2, 9, 5, "five"))
    with TableWriter(TABLE, tmp_path / "samples.parquet") as table:
        found = evaluate(
            "echo",
            Echo(),
            gold,
            path,
            "right",
            told=lambda sample, judged: table.add(row_of(sample, judged)),
        )
    rows = pq.read_table(tmp_path / "samples.parquet").to_pylist()
    assert [row["sample_id"] for row in rows] == [f"line-{place}" for place in range(5)]
    assert [row["outcome"] for row in rows] == ["right", "right", "wrong", "wrong", "unparseable"]
    assert [row["is_right"] for row in rows] == [True, True, False, False, False]
    assert rows[2]["findings"] == [{"kind": "another", "message": "9 for 3"}]
    same = sum(one["value"] for row in rows for one in row["counts"] if one["name"] == "same")
    assert same / len(rows) == found.metrics["same"]


def test_intervals_are_seeded(gold: Path) -> None:
    lines = outputs(1, 2, 9, 9, 5)
    assert scored(gold, *lines).figures == scored(gold, *lines).figures
