"""Tests of samples of published formats: their calls, tools, results and records without calls."""

from pathlib import Path
from typing import Any

import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import ApiDefinition, Rejected
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.call_messages import render_example
from benchloom.exchange.examples.findings import findings_of
from benchloom.exchange.formats.xlam import type_schema
from benchloom.normalise.plans.gate import shape_of
from benchloom.storage.inputs import SourceObject
from flows.stages.imports import ImportOptions
from tests.benchloom.exchange.formats.foreign_samples import SAIL_ARGUMENTS, SAMPLES, sample_objects
from tests.support.formats import reader, stored_object
from tests.support.stages import import_set


def read(name: str, *objects: SourceObject) -> list[Example]:
    """Return the examples of a format, and check that they have no findings."""
    rows = list(reader(name).read(objects))
    assert not [row for row in rows if isinstance(row, Rejected)]
    shapes = {
        definition.definition_id: shape_of(definition)
        for definition in rows
        if isinstance(definition, ApiDefinition)
    }
    examples = [row for row in rows if isinstance(row, Example)]
    for example in examples:
        assert findings_of(example, shapes, known_apis=bool(shapes)) == ()
    return examples


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_records_are_examples_without_findings(name: str, tmp_path: Path) -> None:
    examples = read(name, *sample_objects(name, tmp_path))
    assert len(examples) == len(SAMPLES[name])
    first = examples[0]
    (call, *_) = render_example(first).calls
    assert call.arguments == SAIL_ARGUMENTS
    assert first.request
    assert first.request.startswith(("Sail to Lomm", "You want to sail to Lomm."))
    for example in examples[1:]:
        if name != "tau2":
            assert example.calls == ()
            assert example.definitions


def test_toolace_results_go_to_calls_with_spaced_names(tmp_path: Path) -> None:
    first, _ = read("toolace", *sample_objects("toolace", tmp_path))
    assert [call.api for call in first.calls] == ["Sail To/Port"] * 2
    results = [call.result.output for call in first.calls if call.result]
    assert results == [{"ok": True}, {"ok": False}]
    assert first.calls[1].arguments[0].value == "O'Hara"
    assert [turn.text for turn in first.turns if turn.role == "assistant"] == ["[1] You are there."]


def test_glaive_and_openai_functions_keep_results(tmp_path: Path) -> None:
    for name in ("glaive", "openai-functions"):
        first, *_ = read(name, *sample_objects(name, tmp_path))
        assert first.calls[0].result is not None
        assert first.calls[0].result.output == {"ok": True}
        assert [turn.text for turn in first.turns][-1] == "You are there."


def test_tau2_user_actions_have_the_app_user(tmp_path: Path) -> None:
    first, second = read("tau2", *sample_objects("tau2", tmp_path))
    assert [(call.app, call.api) for call in first.calls] == [("", "sail"), ("user", "hoist")]
    assert first.request == "You want to sail to Lomm.\nYou are Ada.\nBe brief."
    assert second.request == "Sail to Lomm."


@pytest.mark.parametrize("name", SAMPLES)
def test_import_under_another_format_suggests_the_right_one(name: str, tmp_path: Path) -> None:
    (file,) = sample_objects(name, tmp_path)
    (tmp_path / "set.jsonl").write_bytes(file.read())
    other = next(format_name for format_name in SAMPLES if format_name != name)
    with pytest.raises(RunError) as refused:
        import_set(other, [tmp_path / "set.jsonl"], tmp_path / "out", ImportOptions())
    assert str(refused.value).startswith(f"set.jsonl is not {other}: it looks like {name};")


NUMBERS = {"type": "array", "items": {"type": "number"}}


@pytest.mark.parametrize(
    ("type_text", "schema"),
    [
        ("str", {"type": "string"}),
        ("int, optional", {"type": "integer"}),
        ("List[str]", {"type": "array", "items": {"type": "string"}}),
        ("List[List[float]]", {"type": "array", "items": NUMBERS}),
        ("Tuple[int, int]", {"type": "array"}),
        ("Dict[str, Any], optional", {"type": "object"}),
        ("Optional[bool]", {"type": "boolean"}),
        ("set", {"type": "array"}),
        ("Union[int, float]", {}),
        ("Callable[[float], float]", {}),
        ("", {}),
        ("[", {}),
    ],
)
def test_python_types_become_json_schema_types(type_text: str, schema: dict[str, Any]) -> None:
    assert type_schema(type_text) == schema


def test_xlam_optional_or_defaulted_parameter_is_optional(tmp_path: Path) -> None:
    first, _ = read("xlam", *sample_objects("xlam", tmp_path))
    (tool,) = first.definitions
    optional = {parameter.name: parameter.optional for parameter in tool.parameters}
    assert optional == {"port": False, "knots": True, "crew": True}
    assert first.source_id == "7"


def test_parquet_file_with_damaged_column_name_is_rejected(tmp_path: Path) -> None:
    (sample,) = [
        sample
        for sample in sample_objects("trl", tmp_path / "written")
        if sample.source_uri.endswith(".parquet")
    ]
    content = sample.read()
    damaged = content.replace(b"messages", b"\xd9essages")
    rows = list(reader("trl").read([stored_object("a.parquet", damaged)]))
    assert [row.reason for row in rows if isinstance(row, Rejected)] == ["damaged_parquet"]
