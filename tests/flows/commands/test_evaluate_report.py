"""Tests of `evaluate report`: they check paired comparisons and rescoring of predictions."""

import json
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest
from msgspec.structs import replace

from benchloom.core.errors import RunError
from benchloom.evaluate.board.content import read_results
from benchloom.evaluate.rescoring import rescore
from benchloom.evaluate.result_files import score_predictions
from tests.benchloom.evaluate.nestful.samples import HALVES, TOOLS, TRIP, call
from tests.support.llm.command import benchloom

CALLS = [TRIP, HALVES, [call("half", 1, amount=3)], [call("weather", 1, place="Rostock")]]


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    lines = [
        {"sample_id": f"s{n}", "input": "Please.", "output": calls, "tools": TOOLS}
        for n, calls in enumerate(CALLS)
    ]
    path.write_bytes(msgspec.json.Encoder().encode_lines(lines))
    return path


def score_run(gold: Path, name: str, outputs: list[object]) -> Path:
    folder = gold.parent / "runs" / name
    folder.mkdir(parents=True)
    path = folder / "mine.jsonl"
    lines = [{"id": f"s{n}", "output": output} for n, output in enumerate(outputs)]
    path.write_bytes(msgspec.json.Encoder().encode_lines(lines))
    score_predictions("nestful", gold, path, "right", out=folder, model=name, partial=True)
    return folder


def test_two_runs_are_compared_sample_by_sample(gold: Path) -> None:
    score_run(gold, "always", [*CALLS])
    score_run(gold, "half", [CALLS[0], "", CALLS[2]])
    done = benchloom("evaluate", "report", gold.parent / "runs", "--out", gold.parent)
    assert "nestful, right: half minus always over 3 samples, 1 only in always" in done.stdout
    assert "  full_match: -0.3333 [" in done.stdout
    assert "p 1.0000 (McNemar), 0 samples better, 1 worse" in done.stdout
    page = (gold.parent / "board.html").read_text()
    assert "On the same samples" in page
    process = benchloom("evaluate", "report", gold.parent / "runs", "--out", gold.parent, "--json")
    (pair,) = json.loads(process.stdout)["comparisons"]
    assert (pair["first"], pair["second"], pair["samples"]) == ("always", "half", 3)


def test_rescore_option_updates_metrics_of_stored_predictions(gold: Path) -> None:
    folder = score_run(gold, "once", [CALLS[0], "no", CALLS[2], CALLS[3]])
    before = json.loads((folder / "summary.json").read_bytes())
    stale = before | {"metrics": before["metrics"] | {"full_match": 0.25}}
    (folder / "summary.json").write_text(json.dumps(stale))
    sample_bytes = (folder / "samples.parquet").read_bytes()
    done = benchloom("evaluate", "report", folder, "--out", gold.parent, "--rescore")
    assert "rescored once (nestful): full_match 0.2500 -> 0.7500" in done.stdout
    rescored_folder = gold.parent / "rescored" / "1-once"
    assert (
        json.loads((rescored_folder / "summary.json").read_bytes())["metrics"] == before["metrics"]
    )
    assert (rescored_folder / "samples.parquet").read_bytes() == sample_bytes
    assert (folder / "samples.parquet").read_bytes() == sample_bytes


def test_undecodable_outputs_stay_unreadable_after_rescoring(gold: Path) -> None:
    deep = json.loads('["x"]')
    folder = score_run(gold, "deep", [CALLS[0], deep, CALLS[2], CALLS[3]])
    lines = (folder / "mine.jsonl").read_text().replace('["x"]', "[" * 900 + "]" * 900)
    (folder / "mine.jsonl").write_text(lines)
    score_predictions("nestful", gold, folder / "mine.jsonl", "right", out=folder)
    rows = pq.read_table(folder / "samples.parquet").to_pylist()
    assert [row["output"] is None for row in rows] == [False, True, False, False]
    (scored_run,) = read_results([folder]).scored
    rescoring = rescore(scored_run, gold.parent / "again")
    assert rescoring.changed() == {}
    assert rescoring.after.summary.outcomes == scored_run.summary.outcomes


def test_rescoring_counts_samples_missing_from_gold(gold: Path) -> None:
    folder = score_run(gold, "once", [*CALLS])
    lines = gold.read_text().splitlines(keepends=True)
    gold.write_text("".join(lines[1:]))
    (scored_run,) = read_results([folder]).scored
    rescoring = rescore(scored_run, gold.parent / "again")
    assert (rescoring.missing, rescoring.after.summary.samples) == (1, 3)
    gold.unlink()
    with pytest.raises(RunError, match=r": gold .*gold\.jsonl is missing; restore it"):
        rescore(scored_run, gold.parent / "again")
    unrecorded = replace(scored_run, summary=replace(scored_run.summary, gold=""))
    with pytest.raises(RunError, match="does not record its gold; score the predictions again"):
        rescore(unrecorded, gold.parent / "again")


def test_old_results_without_predictions_cannot_be_rescored(gold: Path) -> None:
    folder = score_run(gold, "old", [*CALLS])
    table = pq.read_table(folder / "samples.parquet").drop_columns(["output", "epoch"])
    pq.write_table(table, folder / "samples.parquet")
    (scored_run,) = read_results([folder]).scored
    with pytest.raises(RunError, match="contains no predictions; score"):
        rescore(scored_run, gold.parent / "again")
    done = benchloom("evaluate", "report", folder, "--out", gold.parent)
    assert "1 scorings" in done.stdout
    empty = gold.parent / "empty"
    empty.mkdir()
    error_result = benchloom("evaluate", "report", empty, code=1)
    assert "contains no evaluation: expected summary.json or audit.json" in error_result.stderr
