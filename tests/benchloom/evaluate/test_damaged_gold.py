"""Check that a damaged record of gold is left out and counted, for every benchmark."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.evaluate.audit.mutation import requested_calls
from benchloom.evaluate.audit.report import audit_benchmark
from benchloom.evaluate.benchmark import LeftOut
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.result_files import score_predictions
from tests.benchloom.evaluate.api_bank.talks import assistant, call, user
from tests.benchloom.evaluate.appbench.samples import BOTH, FERRY, sample
from tests.benchloom.evaluate.nestful.samples import HALVES, TOOLS, TRIP
from tests.benchloom.evaluate.shortcuts.drafts import written_action
from tests.support.samples.plan_release import plan_release, plans
from tests.support.shared_data import shared_file

Write = Callable[[Path, list[Any]], None]
DAMAGED: tuple[Any, ...] = (None, 3, "text", [], {"output": 7}, {"record": {}}, {"role": "API"})


def write_lines(path: Path, records: list[Any]) -> None:
    path.mkdir()
    (path / "gold.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))


def write_json_list(path: Path, records: list[Any]) -> None:
    path.mkdir()
    (path / "test_mm.json").write_text(json.dumps(records))


def write_dialogue_files(path: Path, records: list[Any]) -> None:
    path.mkdir()
    for number, record in enumerate(records):
        talk = (
            record
            if isinstance(record, list) and record
            else [user("Hi"), {"role": "API", "x": record}]
        )
        content = "".join(json.dumps(line) + "\n" for line in talk)
        (path / f"T{number}-level-1-1.jsonl").write_text(content)


def appbench_records() -> list[Any]:
    outputs = [
        BENCHMARKS.find("appbench").output_of(sample(calls), calls) for calls in (FERRY, BOTH)
    ]
    return [{"input": "Book.", "output": output} for output in outputs]


def nestful_records() -> list[Any]:
    return [
        {"sample_id": f"n{n}", "input": "Please.", "output": calls, "tools": TOOLS}
        for n, calls in enumerate((TRIP, HALVES))
    ]


def shortcut_records() -> list[Any]:
    return [
        {"shortcut": {"WFWorkflowActions": [written_action(name)]}}
        for name in ("getwifi", "vibrate")
    ]


def api_bank_dialogues() -> list[Any]:
    talk = [user("Ring."), call("Ring", {"bell": "1"}), assistant("Done.")]
    return [talk, talk]


CASES: dict[str, tuple[Write, Callable[[], list[Any]]]] = {
    "appbench": (write_json_list, appbench_records),
    "nestful": (write_lines, nestful_records),
    "shortcuts": (write_json_list, shortcut_records),
    "api-bank": (write_dialogue_files, api_bank_dialogues),
}


def write_gold_predictions(name: str, gold: Path, path: Path) -> Path:
    """Write gold as its own predictions, identified by sample id."""
    benchmark = BENCHMARKS.find(name)
    with path.open("wb") as file:
        for gold_sample in benchmark.read_gold(gold):
            calls, start = requested_calls(gold_sample)
            line = {
                "id": gold_sample.sample_id,
                "output": benchmark.text_of(gold_sample, calls[start:]),
            }
            file.write(msgspec.json.encode(line) + b"\n")
    return path


@pytest.mark.parametrize("damage", DAMAGED, ids=repr)
@pytest.mark.parametrize("name", CASES)
def test_damaged_record_is_left_out_and_counted(tmp_path: Path, name: str, damage: Any) -> None:
    write, records = CASES[name]
    first, second = records()
    write(tmp_path / "gold", [first, damage, second])
    predictions = write_gold_predictions(name, tmp_path / "gold", tmp_path / "mine.jsonl")
    summary = score_predictions(name, tmp_path / "gold", predictions, "right")
    assert summary.samples >= 2
    assert set(summary.outcomes) == {"right"}
    assert summary.unused.gold_records == 1
    (left_out,) = summary.unused.gold
    assert left_out.reason
    assert left_out.message
    assert "gold" in left_out.record or "T1" in left_out.record or "test_mm" in left_out.record


@pytest.mark.parametrize("name", CASES)
def test_entirely_damaged_gold_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    write, _ = CASES[name]
    write(tmp_path / "gold", [None, 3])
    (tmp_path / "mine.jsonl").write_text('{"id": "x", "output": ""}\n')
    with pytest.raises(RunError) as caught:
        score_predictions(name, tmp_path / "gold", tmp_path / "mine.jsonl", "right")
    assert "\n" not in str(caught.value)


@pytest.mark.real_data
def test_published_record_with_unequal_lists_is_left_out(tmp_path: Path) -> None:
    """A record of the published file with twice the results is left out."""
    rows = json.loads(shared_file("appbench_gold_sample.json").read_bytes())
    rows[7]["record"]["output"]["api_results"] *= 2
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps(rows))
    predictions = write_gold_predictions("appbench", gold, tmp_path / "mine.jsonl")
    summary = score_predictions("appbench", gold, predictions, "published")
    assert (summary.samples, summary.unused.gold_records) == (72, 1)
    assert summary.unused.gold[0].record == "gold.json#record 8"
    assert audit_benchmark("appbench", gold, most=20).gold_records == 1


def test_release_row_with_unreadable_value_is_left_out(tmp_path: Path) -> None:
    first, second, *others = plans(5)
    (argument, *more) = second.steps[0].arguments
    broken = msgspec.structs.replace(argument, value="[[redacted:coordinates]]", is_json=True)
    steps = (
        msgspec.structs.replace(second.steps[0], arguments=(broken, *more)),
        *second.steps[1:],
    )
    rows = [first, msgspec.structs.replace(second, steps=steps), *others]
    release = plan_release(tmp_path / "release", rows)
    for name in ("appbench", "nestful", "api-bank"):
        predictions = write_gold_predictions(name, release, tmp_path / f"{name}.jsonl")
        summary = score_predictions(name, release, predictions, "right", partial=True)
        assert set(summary.outcomes) == {"right"}
        assert summary.unused.gold_records == 1
        assert summary.unused.gold[0].record == second.path_id
        assert summary.unused.gold[0].reason == "unreadable_value"


def test_summary_file_names_left_out_records(tmp_path: Path) -> None:
    write_lines(tmp_path / "gold", [*nestful_records(), {"output": 7, "tools": []}])
    predictions = write_gold_predictions("nestful", tmp_path / "gold", tmp_path / "mine.jsonl")
    score_predictions("nestful", tmp_path / "gold", predictions, "right", out=tmp_path / "out")
    summary = json.loads((tmp_path / "out" / "summary.json").read_bytes())
    record = msgspec.convert(summary["unused"]["gold"][0], LeftOut)
    assert (record.record, record.reason) == ("gold.jsonl#line 3", "wrong_shape")


RAW = {
    "deep": "[" * 10_000 + "]" * 10_000,
    "deep object": '{"output":' * 5000 + "1" + "}" * 5000,
    "long number": "9" * 10**6,
    "NaN": '{"output": NaN}',
    "cut": '{"output": [',
    "half of a pair": '{"sample_id": "\\ud800", "output": [], "input": "x", "tools": []}',
    "too large": '"' + "x" * 5 * 10**6 + '"',
}


@pytest.mark.parametrize("text", RAW.values(), ids=RAW)
@pytest.mark.parametrize("name", CASES)
def test_hostile_record_text_is_left_out(tmp_path: Path, name: str, text: str) -> None:
    write, records = CASES[name]
    gold = tmp_path / "gold"
    write(gold, records())
    if name == "api-bank":
        talk = f'{{"role": "User", "text": "Hi"}}\n{text}\n'
        (gold / "T9-level-1-1.jsonl").write_text(talk)
    else:
        (file,) = gold.iterdir()
        content = file.read_text()
        is_list = content.startswith("[")
        file.write_text(f"{content.rstrip()[:-1]},{text}]" if is_list else f"{content}{text}\n")
    predictions = write_gold_predictions(name, gold, tmp_path / "mine.jsonl")
    summary = score_predictions(name, gold, predictions, "right")
    assert set(summary.outcomes) == {"right"}
    assert summary.unused.gold_records == 1
    assert summary.unused.gold[0].reason in {"too_deep", "wrong_shape", "bad_json", "too_large"}
