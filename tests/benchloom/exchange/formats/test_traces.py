"""Tests of session traces, which have the form that the Hub's viewer documents."""

import json
from pathlib import Path
from typing import Any

import msgspec

from benchloom.device.runs import execution_row
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.example import Result
from benchloom.exchange.examples.releases import Choice, Texts, iter_examples
from benchloom.storage.tables import write_table
from tests.benchloom.device.test_runs import block, shortcut_of
from tests.benchloom.exchange.examples.sample import example
from tests.support.formats import export


def export_session(folder: Path, traced_example: Example) -> tuple[list[dict[str, Any]], list[str]]:
    """Export an example, and return the lines of its session and the kinds of its losses."""
    (losses,) = export("traces", folder, traced_example)
    (path,) = folder.rglob("*.jsonl")
    assert path.parent == folder / "sessions" / "test"
    return [json.loads(line) for line in path.read_text().splitlines()], [
        loss.kind for loss in losses
    ]


def test_session_has_header_calls_results_and_answer(tmp_path: Path) -> None:
    plain = example()
    calls = tuple(
        msgspec.structs.replace(call, result=Result({"name": "Casa Ibarra"}))
        for call in plain.calls
    )
    traced_example = msgspec.structs.replace(
        plain, request="Find a\ntable", calls=calls, answer="Casa Ibarra", example_id="a/7:1"
    )
    (header, *lines), losses = export_session(tmp_path, traced_example)
    assert header == {
        "type": "session",
        "harness": "benchloom",
        "id": "a/7:1",
        "name": "Find a table",
        "source": plain.source,
        "target": plain.target_id,
    }
    assert {line["type"] for line in lines} == {"message"}
    messages = [line["message"] for line in lines]
    assert messages[0] == {"role": "user", "content": "Find a\ntable"}
    assert messages[1]["toolCalls"] == [
        {
            "id": "call_0",
            "function": {
                "name": "Bistros__Find",
                "arguments": '{"city":"Lomm","style":"Basque"}',
            },
        }
    ]
    assert messages[2] == {
        "role": "tool",
        "content": '{"name":"Casa Ibarra"}',
        "toolCallId": "call_0",
    }
    assert messages[-1] == {"role": "assistant", "content": "Casa Ibarra"}
    assert "answer" not in losses
    assert "tools" in losses


def test_unknown_result_is_left_out(tmp_path: Path) -> None:
    (_, *lines), _ = export_session(tmp_path, msgspec.structs.replace(example(), request="Find it"))
    assert [line["message"]["role"] for line in lines] == ["user", "assistant"]


def test_shortcut_actions_have_their_results_from_the_device(tmp_path: Path) -> None:
    shortcut = shortcut_of(
        ("gettext", {"WFTextActionText": "Plum jam"}),
        ("choosefrommenu", block(0, WFMenuItems=["Loud", "Quiet"])),
        ("choosefrommenu", block(1, WFMenuItemTitle="Loud")),
        ("text.changecase", {"text": "plum", "WFCaseType": "UPPERCASE"}),
        ("choosefrommenu", block(1, WFMenuItemTitle="Quiet")),
        ("delay", {}),
        ("choosefrommenu", block(2)),
    )
    shortcut = msgspec.structs.replace(shortcut, split="test")
    write_table("shortcuts", [shortcut], tmp_path / "shortcuts.parquet")
    write_table("executions", [execution_row(shortcut)], tmp_path / "executions.parquet")
    (observed,) = iter_examples(
        tmp_path,
        "shortcuts",
        Choice(every=True),
        Texts({}, {}),
        {},
        skipped=lambda _: None,
        observed=True,
    )
    results = {index: call.result for index, call in enumerate(observed.calls) if call.result}
    assert results[0] == Result("Plum jam")
    assert results[3] == Result("PLUM")
    assert 5 not in results
    _, *lines = export_session(tmp_path / "out", observed)[0]
    assert "PLUM" in [line["message"]["content"] for line in lines]
