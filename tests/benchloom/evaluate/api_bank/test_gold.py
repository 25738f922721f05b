"""Tests of API-Bank's gold: one sample per call and one for the response that follows calls."""

import json
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.evaluate.benchmark import RULES
from benchloom.evaluate.benchmarks.api_bank import BENCHMARK
from benchloom.evaluate.scoring import evaluate
from tests.benchloom.evaluate.api_bank.talks import (
    Line,
    assistant,
    call,
    dialogue_samples,
    user,
    write,
)

TALK: tuple[Line, ...] = (
    user("Water the fern, and tell me how dry it is."),
    assistant("Which one?"),
    user("The one in the hall."),
    call("ToolSearcher", {"keywords": "water plant"}, {"name": "WaterPlant"}),
    call("WaterPlant", {"plant": "fern"}),
    assistant("The fern has water."),
    call("ReadSoil", {"plant": "fern"}, 0.4),
    user("Thanks"),
)


def test_samples_follow_the_order_of_files_and_calls(tmp_path: Path) -> None:
    write(tmp_path / "b" / "A.jsonl", TALK)
    write(tmp_path / "a" / "B.jsonl", TALK[:5])
    samples = list(BENCHMARK.read_gold(tmp_path))
    assert [sample.sample_id for sample in samples] == [
        "A.jsonl#0",
        "A.jsonl#1",
        "A.jsonl#1/response",
        "A.jsonl#2",
        "B.jsonl#0",
        "B.jsonl#1",
    ]
    assert [sample.position for sample in samples] == [0, 1, 2, 2, 0, 1]
    assert [sample.category for sample in samples[:3]] == [
        "ToolSearcher",
        "WaterPlant",
        "WaterPlant",
    ]


def test_level_comes_from_the_folder_not_the_file_name(tmp_path: Path) -> None:
    name = "WaterPlant-ReadSoil-level-2-1.jsonl"
    write(tmp_path / "level-1-given-desc" / name, TALK[4:])
    write(tmp_path / "level-2-toolsearcher" / name, TALK[4:])
    write(tmp_path / "other" / name, TALK[4:])
    write(tmp_path / "other" / f"x{name}", TALK)
    levels = [sample.level for sample in BENCHMARK.read_gold(tmp_path) if sample.aspect == "call"]
    assert levels == ["level-1"] * 2 + ["level-2"] * 2 + ["level-1"] * 2 + ["level-2"] * 3


def test_files_of_equal_name_get_different_sample_ids(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write(tmp_path / folder / "T.jsonl", [call("Ring", {})])
    assert [sample.sample_id for sample in BENCHMARK.read_gold(tmp_path)] == [
        "T.jsonl#0",
        "T.jsonl~2#0",
    ]


def test_requirement_records_are_level_3(tmp_path: Path) -> None:
    record = {
        "requirement": "Find the shed and open it.",
        "response": "It is open.",
        "apis": [
            {"api_name": "ToolSearcher", "input": {"keywords": "OpenShed"}, "output": None},
            {"api_name": "OpenShed", "input": {"number": 4}, "output": None},
        ],
    }
    (tmp_path / "plans.json").write_text(json.dumps([record, record]))
    samples = list(BENCHMARK.read_gold(tmp_path))
    assert {sample.level for sample in samples} == {"level-3"}
    assert [sample.sample_id for sample in samples] == [
        "plans.json#plans/1#0",
        "plans.json#plans/1#1",
        "plans.json#plans/1#1/response",
        "plans.json#plans/2#0",
        "plans.json#plans/2#1",
        "plans.json#plans/2#1/response",
    ]


def test_damaged_dialogue_raises_with_the_fault(tmp_path: Path) -> None:
    (tmp_path / "T.jsonl").write_text('{"role": "User", "text": "Hi"}\n{"role": "API"}\n')
    with pytest.raises(RunError, match="a call has no name"):
        list(BENCHMARK.read_gold(tmp_path))


def test_exceptions_of_unknown_tools_lose_no_dialogue(tmp_path: Path) -> None:
    (tmp_path / "exceptions.json").write_text('{"Nobody": ["Not found."]}')
    assert dialogue_samples(tmp_path, *TALK)


@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("responses", [False, True])
def test_predictions_may_leave_out_responses(tmp_path: Path, *, ids: bool, responses: bool) -> None:
    samples = dialogue_samples(tmp_path / "gold", *TALK)
    expected_samples = [sample for sample in samples if responses or sample.aspect == "call"]
    lines = []
    for sample in expected_samples:
        gold_calls = (
            () if sample.aspect == "response" else (sample.example.calls[sample.position or 0],)
        )
        line: dict[str, object] = {"output": BENCHMARK.text_of(sample, gold_calls)}
        if ids:
            line["id"] = sample.sample_id
        lines.append(line)
    path = write(tmp_path / "predictions.jsonl", lines[::-1] if ids else lines)
    gold = tmp_path / "gold"
    summary = evaluate("api-bank", BENCHMARK, gold, path, "right", by_order=not ids)
    assert summary.samples == len(expected_samples)
    assert summary.metrics["correctness"] == 1
    assert summary.metrics["errors"] == 0
    assert summary.metrics.get("rouge_l") == (1 if responses else None)


def test_by_order_refuses_another_number_of_predictions(tmp_path: Path) -> None:
    dialogue_samples(tmp_path / "gold", *TALK)
    path = write(tmp_path / "predictions.jsonl", [{"output": ""}] * 2)
    with pytest.raises(RunError, match=r"2 predictions for 4 samples \(3 of call, 1 of response\)"):
        evaluate("api-bank", BENCHMARK, tmp_path / "gold", path, "right", by_order=True)


def test_missing_id_of_a_call_is_reported(tmp_path: Path) -> None:
    dialogue_samples(tmp_path / "gold", *TALK)
    lines = [{"id": f"Talk-level-1-1.jsonl#{position}", "output": ""} for position in (0, 2)]
    path = write(tmp_path / "predictions.jsonl", lines)
    with pytest.raises(RunError, match=r"no prediction for 1 samples, such as .*#1"):
        evaluate("api-bank", BENCHMARK, tmp_path / "gold", path, "right")


def test_output_nested_too_deeply_is_unparseable(tmp_path: Path) -> None:
    dialogue_samples(tmp_path / "gold", call("Ring", {"bell": 1}), call("Ring", {"bell": 2}))
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"output": %s}\n{"output": ""}\n' % ("[" * 9000 + "]" * 9000))
    for rules, calls in zip(RULES, (2, 3), strict=True):
        summary = evaluate("api-bank", BENCHMARK, tmp_path / "gold", path, rules, by_order=True)
        assert summary.outcomes == {"no_call": 1, "unparseable": 1}
        assert summary.figures["correctness"].denominator == calls
        assert summary.metrics["errors_unparseable"] == pytest.approx(1 / calls)
