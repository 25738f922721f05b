"""Tests of round trips through trainers' formats, from examples to files and back."""

import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator

from benchloom.core.records.values import Plain, refs_in
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.call_messages import render_example
from tests.benchloom.exchange.formats.generated import examples, export_objects, read

CHAT_FORMATS = ("openai", "trl", "hermes", "sharegpt", "adp")
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
CALL_CHANGING_LOSSES = {"reads_as_reference", "tags_in_text"}
"""Losses after which a reader reads other calls than were exported."""


def without_origin(example: Example) -> Example:
    """Return an example without its origin, findings and unknown fields of definitions."""
    definitions = tuple(
        msgspec.structs.replace(definition, unknown=(), definition_id="", source_uri="")
        for definition in example.definitions
    )
    calls = tuple(msgspec.structs.replace(call, definition_id="") for call in example.calls)
    return msgspec.structs.replace(
        example, definitions=definitions, calls=calls, example_id="", target_id="", source_id="",
        source_uri="", findings=(),
    )  # fmt: skip


def rendered_arguments(example: Example) -> list[dict[str, Plain]]:
    return [call.arguments for call in render_example(example).calls]


@pytest.mark.parametrize("name", CHAT_FORMATS)
def test_exported_example_reads_back_equal(name: str) -> None:
    @given(examples())
    @QUICK
    def check_example(example: Example) -> None:
        with tempfile.TemporaryDirectory() as folder:
            objects, kinds = export_objects(name, Path(folder) / "a", example)
            if kinds & CALL_CHANGING_LOSSES:
                return
            (copied_example,) = read(name, objects)
            second_objects, _ = export_objects(name, Path(folder) / "b", copied_example)
            (second_copy,) = read(name, second_objects)
        assert without_origin(second_copy) == without_origin(copied_example)
        assert rendered_arguments(copied_example) == rendered_arguments(example)
        assert [tool.name for tool in render_example(copied_example).tools] == [
            tool.name for tool in render_example(example).tools
        ]
        assert [
            [ref for argument in call.arguments for ref in refs_in(argument.value)]
            for call in copied_example.calls
        ] == [
            [ref for argument in call.arguments for ref in refs_in(argument.value)]
            for call in example.calls
        ]
        for call, old in zip(copied_example.calls, example.calls, strict=True):
            if "closing_turn" not in kinds:
                assert call.result == old.result
        if name != "sharegpt":
            assert spoken_texts(copied_example) == spoken_texts(example)
        assert copied_example.split == (example.split if example.split != "level 1" else "")

    check_example()


def spoken_texts(example: Example) -> list[tuple[str, str, int]]:
    """Return the texts in order, with the request first if no user turn contains it."""
    turns: list[tuple[str, str, int]] = [
        (turn.role, turn.text.strip(), turn.before) for turn in example.turns
    ]
    request = (example.request or "").strip()
    if not any(role == "user" and text == request for role, text, _ in turns):
        return [("user", request, 0), *turns]
    return turns


@given(examples())
@QUICK
def test_rendered_call_is_valid_for_its_tool(example: Example) -> None:
    rendering = render_example(example)
    tools = {tool.name: tool for tool in rendering.tools}
    assert len(tools) == len(rendering.tools)
    for call, source in zip(rendering.calls, example.calls, strict=True):
        schema = tools[call.name].parameters
        Draft202012Validator.check_schema(schema)
        references = {
            argument.name
            for argument in source.arguments
            if next(refs_in(argument.value), None) is not None
        }
        validator = Draft202012Validator(schema)
        for error in validator.iter_errors(call.arguments):
            assert error.absolute_path, error.message
            assert error.absolute_path[0] in references, error.message
