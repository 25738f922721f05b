"""Tests of the board: a page of scored and printed results, from files that may be damaged."""

import json
from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.evaluate.benchmark import LeftOut
from benchloom.evaluate.board.content import read_results
from benchloom.evaluate.board.page import published_results, write_board
from benchloom.evaluate.pairs import Unused
from benchloom.evaluate.scoring import Summary, evaluate
from tests.benchloom.evaluate.echo import Echo


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    folder = tmp_path_factory.mktemp("scored")
    (folder / "gold.txt").write_text("1 2 3 4")
    lines = [
        json.dumps({"id": f"line-{n}", "output": output}) for n, output in enumerate((1, 2, 7, "x"))
    ]
    (folder / "predictions.jsonl").write_text("\n".join(lines))
    return evaluate("echo", Echo(), folder / "gold.txt", folder / "predictions.jsonl", "right")


def write_summary(folder: Path, summary: Summary, **changed: object) -> Path:
    folder.mkdir(parents=True)
    changed_summary = msgspec.structs.replace(summary, **changed)
    (folder / "summary.json").write_bytes(msgspec.json.encode(changed_summary))
    return folder


def test_board_shows_models_side_by_side_with_their_cost(tmp_path: Path, summary: Summary) -> None:
    write_summary(tmp_path / "runs" / "one", summary, model="model-a", cost_usd=0.5)
    write_summary(tmp_path / "runs" / "two", summary, model="<b>bold</b>")
    page = write_board(read_results([tmp_path / "runs"]), tmp_path).read_text()
    assert "model-a" in page
    assert "0.2500" in page  # 0.5 dollars for two right samples
    assert "<b>bold" not in page
    assert "&lt;b&gt;bold" in page
    assert page.count("<h2>echo</h2>") == 1
    assert '<td class="n" data-label="same">50.0 <small' in page


def test_board_shows_printed_results_beside_scored_ones(tmp_path: Path, summary: Summary) -> None:
    appbench_summary = msgspec.structs.replace(
        summary, benchmark="appbench", figures={"success": summary.figures["same"]}
    )
    write_summary(tmp_path / "mine", appbench_summary, model="model-a")
    page = write_board(read_results([tmp_path / "mine"]), tmp_path).read_text()
    assert "GPT-4o" in page
    assert "as printed" in page


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "truncated"),
        (b"[]", "Expected"),
        (b"", "truncated"),
        (b'{"benchmark":' * 50_000, "ecursion|Expected"),
    ],
    ids=["cut", "list", "empty", "nested"],
)
def test_damaged_summary_is_refused_with_its_fault(
    tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "summary.json").write_bytes(content)
    with pytest.raises(RunError, match=message):
        read_results([tmp_path])


def test_folder_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"contains no evaluation: expected summary\.json"):
        read_results([tmp_path])


def test_board_shows_left_out_records_with_reasons(tmp_path: Path, summary: Summary) -> None:
    record = LeftOut("gold.json#record 8", "wrong_shape", "7 results for <5> calls")
    unused = Unused(gold_records=1, damaged_lines=2, gold=(record,))
    write_summary(tmp_path / "mine", summary, model="model-a", unused=unused)
    page = write_board(read_results([tmp_path / "mine"]), tmp_path).read_text()
    assert "1 damaged records of gold, 2 damaged prediction lines" in page
    assert "gold.json#record 8: wrong_shape, 7 results for &lt;5&gt; calls" in page


def test_published_results_are_fractions() -> None:
    results_by_benchmark = published_results()
    assert set(results_by_benchmark) == {"api-bank", "appbench", "nestful", "shortcuts"}
    values = [
        v for rows in results_by_benchmark.values() for row in rows for v in row.metrics.values()
    ]
    assert len(values) > 90
    assert all(0 <= value <= 1 for value in values)
