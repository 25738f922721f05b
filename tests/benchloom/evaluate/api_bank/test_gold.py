"""What is asked: each call and each response behind one, by files and positions."""

import json
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.evaluate import RULES
from benchloom.evaluate.benchmarks.api_bank import BENCHMARK
from benchloom.evaluate.scoring import evaluate
from tests.benchloom.evaluate.api_bank.talks import Line, asked, assistant, call, user, write

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


def test_samples_stand_in_the_order_of_files_and_calls(tmp_path: Path) -> None:
    write(tmp_path / "b" / "A.jsonl", TALK)
    write(tmp_path / "a" / "B.jsonl", TALK[:5])
    found = list(BENCHMARK.read_gold(tmp_path))
    assert [one.sample_id for one in found] == [
        "A.jsonl#0",
        "A.jsonl#1",
        "A.jsonl#1/response",
        "A.jsonl#2",
        "B.jsonl#0",
        "B.jsonl#1",
    ]
    assert [one.position for one in found] == [0, 1, 2, 2, 0, 1]
    assert [one.category for one in found[:3]] == ["ToolSearcher", "WaterPlant", "WaterPlant"]


def test_the_folder_tells_the_level_and_names_of_dialogues_do_not(tmp_path: Path) -> None:
    name = "WaterPlant-ReadSoil-level-2-1.jsonl"
    write(tmp_path / "level-1-given-desc" / name, TALK[4:])
    write(tmp_path / "level-2-toolsearcher" / name, TALK[4:])
    write(tmp_path / "other" / name, TALK[4:])
    write(tmp_path / "other" / f"x{name}", TALK)
    levels = [one.level for one in BENCHMARK.read_gold(tmp_path) if one.aspect == "call"]
    assert levels == ["level-1"] * 2 + ["level-2"] * 2 + ["level-1"] * 2 + ["level-2"] * 3


def test_equal_names_of_files_get_ids_of_their_own(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write(tmp_path / folder / "T.jsonl", [call("Ring", {})])
    assert [one.sample_id for one in BENCHMARK.read_gold(tmp_path)] == ["T.jsonl#0", "T.jsonl~2#0"]


def test_requirements_are_level_3(tmp_path: Path) -> None:
    record = {
        "requirement": "Find the shed and open it.",
        "response": "It is open.",
        "apis": [
            {"api_name": "ToolSearcher", "input": {"keywords": "OpenShed"}, "output": None},
            {"api_name": "OpenShed", "input": {"number": 4}, "output": None},
        ],
    }
    (tmp_path / "plans.json").write_text(json.dumps([record, record]))
    found = list(BENCHMARK.read_gold(tmp_path))
    assert {one.level for one in found} == {"level-3"}
    assert [one.sample_id for one in found] == [
        "plans.json#plans/1#0",
        "plans.json#plans/1#1",
        "plans.json#plans/1#1/response",
        "plans.json#plans/2#0",
        "plans.json#plans/2#1",
        "plans.json#plans/2#1/response",
    ]


def test_a_damaged_dialogue_is_told(tmp_path: Path) -> None:
    (tmp_path / "T.jsonl").write_text('{"role": "User", "text": "Hi"}\n{"role": "API"}\n')
    with pytest.raises(RunError, match="a call without a name"):
        list(BENCHMARK.read_gold(tmp_path))


def test_errors_of_unknown_tools_lose_no_dialogue(tmp_path: Path) -> None:
    (tmp_path / "exceptions.json").write_text('{"Nobody": ["Not found."]}')
    assert asked(tmp_path, *TALK)


@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("responses", [False, True])
def test_responses_may_be_left_out(tmp_path: Path, *, ids: bool, responses: bool) -> None:
    samples = asked(tmp_path / "gold", *TALK)
    wanted = [one for one in samples if responses or one.aspect == "call"]
    lines = []
    for one in wanted:
        own = () if one.aspect == "response" else (one.example.calls[one.position or 0],)
        line: dict[str, object] = {"output": BENCHMARK.text_of(one, own)}
        if ids:
            line["id"] = one.sample_id
        lines.append(line)
    path = write(tmp_path / "predictions.jsonl", lines[::-1] if ids else lines)
    gold = tmp_path / "gold"
    found = evaluate("api-bank", BENCHMARK, gold, path, "right", by_order=not ids)
    assert found.samples == len(wanted)
    assert found.metrics["correctness"] == 1
    assert found.metrics["errors"] == 0
    assert found.metrics.get("rouge_l") == (1 if responses else None)


def test_neither_calls_nor_all(tmp_path: Path) -> None:
    asked(tmp_path / "gold", *TALK)
    path = write(tmp_path / "predictions.jsonl", [{"output": ""}] * 2)
    with pytest.raises(RunError, match=r"2 predictions for 4 samples \(3 of call, 1 of response\)"):
        evaluate("api-bank", BENCHMARK, tmp_path / "gold", path, "right", by_order=True)


def test_one_missing_call_among_ids(tmp_path: Path) -> None:
    asked(tmp_path / "gold", *TALK)
    lines = [{"id": f"Talk-level-1-1.jsonl#{place}", "output": ""} for place in (0, 2)]
    path = write(tmp_path / "predictions.jsonl", lines)
    with pytest.raises(RunError, match=r"no prediction for 1 samples, such as .*#1"):
        evaluate("api-bank", BENCHMARK, tmp_path / "gold", path, "right")


def test_what_cannot_be_decoded_is_unparseable(tmp_path: Path) -> None:
    asked(tmp_path / "gold", call("Ring", {"bell": 1}), call("Ring", {"bell": 2}))
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"output": %s}\n{"output": ""}\n' % ("[" * 9000 + "]" * 9000))
    for rules, calls in zip(RULES, (2, 3), strict=True):
        found = evaluate("api-bank", BENCHMARK, tmp_path / "gold", path, rules, by_order=True)
        assert found.outcomes == {"no_call": 1, "unparseable": 1}
        assert found.figures["correctness"].denominator == calls
        assert found.metrics["errors_unparseable"] == pytest.approx(1 / calls)
