"""Tests of `evaluate BENCHMARK` and `evaluate audit`: they check scores and audit results."""

import json
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest

from benchloom.core.records import Query, Shortcut
from benchloom.evaluate.audit.mutation import requested_calls
from benchloom.evaluate.benchmarks import BENCHMARKS
from tests.benchloom.evaluate.nestful.samples import HALVES, TOOLS, TRIP
from tests.support.llm.command import benchloom
from tests.support.samples.plan_release import plan_release, plans, text_of
from tests.support.samples.shortcuts import action, argument, shortcut
from tests.support.shared_data import shared_file


def write_gold_as_predictions(name: str, gold: Path, path: Path, *, ids: bool = True) -> Path:
    """Write the gold calls as predictions and return their path."""
    benchmark = BENCHMARKS.find(name)
    lines = []
    for sample in benchmark.read_gold(gold):
        calls, first = requested_calls(sample)
        line = {"output": benchmark.text_of(sample, calls[first:])}
        lines.append({"id": sample.sample_id, **line} if ids else line)
    path.write_bytes(msgspec.json.Encoder().encode_lines(lines))
    return path


def score_output(name: str, gold: Path, predictions: Path, *more: str, code: int = 0) -> str:
    arguments = ["--gold", str(gold), "--predictions", str(predictions), *more]
    done = benchloom("evaluate", name, *arguments, code=code)
    return done.stderr if code else done.stdout


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plan_release(tmp_path_factory.mktemp("gold") / "release", list(plans(8)))


@pytest.mark.parametrize("name", ["appbench", "api-bank"])
def test_split_option_scores_one_split_of_a_release(
    tmp_path: Path, release: Path, name: str
) -> None:
    predictions = write_gold_as_predictions(name, release, tmp_path / "mine.jsonl")
    full_output = score_output(name, release, predictions)
    split_output = score_output(name, release, predictions, "--split", "test")
    assert f"{name}: " in full_output
    assert " samples of split test, rules right" in split_output
    assert "predictions have an id that no sample has" in split_output
    error = score_output(name, release, predictions, "--split", "none", code=2)
    assert (
        "the gold has no sample in split 'none'; its splits are: test, train, validation" in error
    )


def test_predictions_without_ids_require_by_order(tmp_path: Path, release: Path) -> None:
    predictions = write_gold_as_predictions("appbench", release, tmp_path / "mine.jsonl", ids=False)
    error = score_output("appbench", release, predictions, code=2)
    assert "--by-order" in error
    assert "matched by order, not by id" in score_output(
        "appbench", release, predictions, "--by-order"
    )


def test_damaged_gold_and_predictions_are_reported(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    records: list[object] = [
        {"sample_id": "a", "input": "Please.", "output": TRIP, "tools": TOOLS},
        {"sample_id": "b", "input": "Please.", "output": 7, "tools": TOOLS},
        {"sample_id": "c", "input": "Please.", "output": HALVES, "tools": TOOLS},
    ]
    gold.write_text("".join(json.dumps(record) + "\n" for record in records))
    predictions = write_gold_as_predictions("nestful", gold, tmp_path / "mine.jsonl")
    with predictions.open("a") as file:
        file.write('{"id": "b", "output": ""}\n{"broken\n')
    output = score_output("nestful", gold, predictions)
    assert "1 damaged gold records left out: gold.jsonl#line 2 (wrong_shape: " in output
    assert "1 damaged prediction lines: " in output
    assert "mine.jsonl line 4 (damaged: " in output
    assert "1 predictions have an id that no sample has, such as b" in output
    summary = json.loads(score_output("nestful", gold, predictions, "--json"))
    assert summary["unused"]["gold"][0]["record"] == "gold.jsonl#line 2"


def test_nestful_scorer_passes_its_audit(release: Path) -> None:
    done = benchloom("evaluate", "audit", "nestful", "--gold", str(release), "--limit", "8")
    first_line, *details = done.stdout.splitlines()
    assert first_line.startswith("audit passed: ")
    assert "changes changed the score as expected; not applicable to this gold: " in first_line
    assert len(details) > 20


def test_shortcuts_without_stated_values_pass_their_audit(tmp_path: Path) -> None:
    """No value stated in the request can be changed, and all actions share one API."""
    rows = [
        msgspec.structs.replace(
            shortcut(action(0, "showresult", argument("Text", word)), length=1),
            shortcut_id=f"s{number}",
            evaluation=True,
        )
        for number, word in enumerate(("hens", "plums"))
    ]
    release = plan_release(
        tmp_path / "release", [], [_judged_text(row) for row in rows], shortcuts=rows
    )
    done = benchloom("evaluate", "audit", "shortcuts", "--gold", str(release))
    verdict = done.stdout.splitlines()[0]
    assert verdict.startswith("audit passed: ")
    inapplicable_changes = verdict.partition("not applicable to this gold: ")[2]
    assert {"value_blanked", "value_cut", "wrong_type", "argument_dropped"} <= set(
        inapplicable_changes.split(", ")
    )


def _judged_text(row: Shortcut) -> Query:
    """Return a text with a judge's verdict: the request states none of the parameters."""
    (path,) = plans(1)
    return text_of(
        path, query_id=f"q {row.shortcut_id}", target_id=row.shortcut_id, kind="parameters",
        structured="[]", generator="llm",
    )  # fmt: skip


@pytest.mark.real_data
def test_published_nestful_answers_as_text_win_every_sample(tmp_path: Path) -> None:
    with ZipFile(shared_file("cases.zip")) as archive:
        folder = "cases/nestful_v2_gold_text/"
        for name in ("nestful_data.jsonl", "predictions.jsonl"):
            (tmp_path / name).write_bytes(archive.read(folder + name))
    for rules in ("right", "published"):
        output = score_output(
            "nestful",
            tmp_path / "nestful_data.jsonl",
            tmp_path / "predictions.jsonl",
            *("--functions", str(shared_file("nestful_functions.zip"))),
            *("--rules", rules, "--by-order"),
        )
        assert "win_rate: 1.0000 [" in output
