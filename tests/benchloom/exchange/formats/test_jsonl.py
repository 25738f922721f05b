"""Tests of whole examples on JSON lines: only the source file changes; damage rejects its line."""

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings

from benchloom.core.records import Rejected
from benchloom.core.records.values import MAX_DEPTH
from benchloom.exchange.examples import Argument, Call, Example, Result
from benchloom.exchange.formats.jsonl import FORMAT, ArgumentLine, CallLine, Line, ResultLine
from tests.benchloom.exchange.examples.sample import example, example_for
from tests.benchloom.exchange.examples.strategies import examples
from tests.support.formats import stored_object
from tests.support.soak import samples


def read(data: bytes) -> list[object]:
    return [*FORMAT.read([stored_object("a.jsonl", data)])]


def with_read_origin(source_example: Example) -> Example:
    """Return the example as it is read from the file `a.jsonl`, with its definitions."""
    definitions = tuple(
        msgspec.structs.replace(definition, source_uri="a.jsonl", source_digest="", sources=())
        for definition in source_example.definitions
    )
    return msgspec.structs.replace(source_example, source_uri="a.jsonl", definitions=definitions)


@settings(max_examples=samples(25, 60))
@given(examples())
def test_example_line_reads_back_equal(source_example: Example) -> None:
    line, losses = FORMAT.line(source_example)
    assert losses == ()
    assert b"\n" not in line
    assert FORMAT.recognises("x", line)
    assert read(line + b"\n") == [with_read_origin(source_example)]


def test_shortcut_line_reads_back_equal() -> None:
    shortcut_example = example_for(frozenset({"shortcuts"}))
    assert shortcut_example.shortcut is not None
    assert read(FORMAT.line(shortcut_example)[0]) == [with_read_origin(shortcut_example)]


def test_line_has_every_field_of_an_example() -> None:
    """Check that lines have every field of an example, also one that is added later."""
    for line, record in (
        (Line, Example), (CallLine, Call), (ResultLine, Result), (ArgumentLine, Argument)
    ):  # fmt: skip
        names = {field.name for field in msgspec.structs.fields(line)} - {"benchloom_example"}
        assert names == set(record.__struct_fields__)


def changed_line(**changes: object) -> bytes:
    fields = json.loads(FORMAT.line(example())[0])
    return json.dumps({**fields, **changes}).encode()


def nested_line(depth: int) -> bytes:
    call = b'{"app":"","api":"f","arguments":[{"name":"a","value":' + b"[" * depth
    return changed_line(calls=[]).replace(
        b'"calls": []', b'"calls": [' + call + b"]" * depth + b"}]}]"
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "bad_json"),
        (b"\xff", "bad_json"),
        (b"[1]", "wrong_shape"),
        (changed_line(benchloom_example=2), "other_version"),
        (changed_line(calls=7), "wrong_shape"),
        (changed_line(turns=[{"role": "cook", "text": "x", "before": 0}]), "wrong_shape"),
        (changed_line(answer={"$ref": 1}), "wrong_shape"),
        (changed_line(answer={"$text": [{"x": 1}]}), "wrong_shape"),
        (changed_line(answer={"$text": 5}), "wrong_shape"),
        (changed_line(answer={"$members": [[1, 2]]}), "wrong_shape"),
        (nested_line(MAX_DEPTH + 2), "too_deep"),
        (nested_line(5 * MAX_DEPTH), "too_deep"),
        (nested_line(100_000), "too_deep"),
    ],
    ids=range(13),
)
def test_damaged_line_is_rejected_alone(data: bytes, reason: str) -> None:
    valid_line = FORMAT.line(example())[0]
    first, rejected, last = read(valid_line + b"\r\n" + data + b"\n" + valid_line)
    assert (first, last) == (with_read_origin(example()), with_read_origin(example()))
    assert isinstance(rejected, Rejected)
    assert (rejected.reason, rejected.source_uri) == (reason, "a.jsonl#line 2")


def test_deepest_allowed_value_is_read() -> None:
    (record,) = read(nested_line(MAX_DEPTH + 1))
    assert isinstance(record, Example)


def test_second_definition_of_an_id_is_rejected() -> None:
    record = json.loads(FORMAT.line(example())[0])
    record["definitions"][0]["description"] = "Something else"
    first, second = read(FORMAT.line(example())[0] + b"\n" + json.dumps(record).encode())
    assert first == with_read_origin(example())
    assert isinstance(second, Rejected)
    assert second.reason == "other_definition"


def test_other_files_are_not_recognised(tmp_path: Path) -> None:
    assert not FORMAT.recognises(str(tmp_path), b'{"messages": []}')
    assert FORMAT.recognises("x", b"\xef\xbb\xbf\n" + FORMAT.line(example())[0])
    assert read(b"") == []
