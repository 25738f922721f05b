"""Whole examples on lines: nothing is lost but the file they were from, damage costs its line."""

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


def moved(found: Example) -> Example:
    """The example as it is read: it and its definitions are from the file that was read."""
    definitions = tuple(
        msgspec.structs.replace(definition, source_uri="a.jsonl", source_digest="", sources=())
        for definition in found.definitions
    )
    return msgspec.structs.replace(found, source_uri="a.jsonl", definitions=definitions)


@settings(max_examples=samples(25, 60))
@given(examples())
def test_nothing_is_lost(found: Example) -> None:
    line, losses = FORMAT.line(found)
    assert losses == ()
    assert b"\n" not in line
    assert FORMAT.recognises("x", line)
    assert read(line + b"\n") == [moved(found)]


def test_shortcuts_are_held_whole() -> None:
    shortcut_example = example_for(frozenset({"shortcuts"}))
    assert shortcut_example.shortcut is not None
    assert read(FORMAT.line(shortcut_example)[0]) == [moved(shortcut_example)]


def test_a_line_has_every_field() -> None:
    """A field that an example gains is one that lines must hold."""
    for line, record in (
        (Line, Example), (CallLine, Call), (ResultLine, Result), (ArgumentLine, Argument)
    ):  # fmt: skip
        names = {field.name for field in msgspec.structs.fields(line)} - {"benchloom_example"}
        assert names == set(record.__struct_fields__)


def damaged(**changes: object) -> bytes:
    fields = json.loads(FORMAT.line(example())[0])
    return json.dumps({**fields, **changes}).encode()


def nested(depth: int) -> bytes:
    call = b'{"app":"","api":"f","arguments":[{"name":"a","value":' + b"[" * depth
    return damaged(calls=[]).replace(b'"calls": []', b'"calls": [' + call + b"]" * depth + b"}]}]")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "bad_json"),
        (b"\xff", "bad_json"),
        (b"[1]", "wrong_shape"),
        (damaged(benchloom_example=2), "other_version"),
        (damaged(calls=7), "wrong_shape"),
        (damaged(turns=[{"role": "cook", "text": "x", "before": 0}]), "wrong_shape"),
        (damaged(answer={"$ref": 1}), "wrong_shape"),
        (damaged(answer={"$text": [{"x": 1}]}), "wrong_shape"),
        (damaged(answer={"$text": 5}), "wrong_shape"),
        (damaged(answer={"$members": [[1, 2]]}), "wrong_shape"),
        (nested(MAX_DEPTH + 2), "too_deep"),
        (nested(5 * MAX_DEPTH), "too_deep"),
        (nested(100_000), "too_deep"),
    ],
    ids=range(13),
)
def test_damage_costs_its_line(data: bytes, reason: str) -> None:
    good = FORMAT.line(example())[0]
    first, bad, last = read(good + b"\r\n" + data + b"\n" + good)
    assert (first, last) == (moved(example()), moved(example()))
    assert isinstance(bad, Rejected)
    assert (bad.reason, bad.source_uri) == (reason, "a.jsonl#line 2")


def test_the_depth_that_is_allowed_is_read() -> None:
    (record,) = read(nested(MAX_DEPTH + 1))
    assert isinstance(record, Example)


def test_an_id_names_one_definition() -> None:
    record = json.loads(FORMAT.line(example())[0])
    record["definitions"][0]["description"] = "Something else"
    first, second = read(FORMAT.line(example())[0] + b"\n" + json.dumps(record).encode())
    assert first == moved(example())
    assert isinstance(second, Rejected)
    assert second.reason == "other_definition"


def test_other_files_are_not_taken_for_it(tmp_path: Path) -> None:
    assert not FORMAT.recognises(str(tmp_path), b'{"messages": []}')
    assert FORMAT.recognises("x", b"\xef\xbb\xbf\n" + FORMAT.line(example())[0])
    assert read(b"") == []
