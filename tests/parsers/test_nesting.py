"""Depth and size of JSON are told before it is decoded, alike in every interpreter."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.storage.inputs.json_nesting import MAX_DEPTH, may_nest_deeper
from parsers.errors import ParseError
from parsers.shortcuts import parse_shortcut
from parsers.walk import MAX_VALUES, check_json
from tests.support.python import python
from tests.support.soak import samples

PIECES = st.sampled_from(["[", "]", "{", "}", '"', "\\", ",", ":", "a", '\\"', '"[', "[[[["])


def depth_of(text: str) -> tuple[int, bool]:
    """The deepest bracket outside of quotes, character by character, and whether all are closed.

    Nothing counts after a backslash outside of quotes, where no reader goes on.
    """
    deepest = depth = lowest = 0
    quoted = escaped = False
    for character in text:
        if quoted:
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == "\\":
            return deepest, False
        elif character == '"':
            quoted = True
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
            lowest = min(lowest, depth)
    return deepest, not depth and not lowest


@given(st.lists(PIECES, max_size=60).map("".join), st.integers(0, 12))
@settings(max_examples=samples(200, 600), deadline=None)
def test_depth_is_that_of_the_brackets_outside_of_texts(text: str, bound: int) -> None:
    deepest, closed = depth_of(text)
    try:
        check_json(text.encode(), bound)
    except ParseError as error:
        assert error.reason == "too_deep"
        assert deepest > bound or not closed
    else:
        assert deepest <= bound


@given(st.lists(PIECES, max_size=60).map("".join), st.integers(0, 12))
@settings(max_examples=samples(200, 600), deadline=None)
def test_what_may_nest_deeper_is_never_missed(text: str, bound: int) -> None:
    deepest, closed = depth_of(text)
    answer = may_nest_deeper(text.encode(), bound)
    assert answer or deepest <= bound
    assert not answer or deepest > bound or not closed


@pytest.mark.parametrize(
    ("text", "deeper"),
    [
        (b"", False),
        (b'{"a": [1, {"b": []}]}', False),
        (b"[" * 200 + b"]" * 200, False),
        (b"[" * 201 + b"]" * 201, True),
        (b"[" * 10**6, True),
        (b'["]"]', False),
        (b'["' + b"[" * 999 + b'"]', False),
        (b"[]]", False),
        (b'["]",' * 300 + b"0" + b',"["]' * 300, True),  # pairs up if texts were counted
        (b'["a\\"", "]"]', False),
    ],
)
def test_texts_hide_no_depth(text: bytes, *, deeper: bool) -> None:
    assert may_nest_deeper(text, 200) is deeper


@given(st.recursive(st.text(max_size=9), lambda v: st.lists(v, max_size=4), max_leaves=30))
@settings(max_examples=samples(100, 300), deadline=None)
def test_depth_of_real_json_is_exact(value: object) -> None:
    text = json.dumps({'a\\"[': value})
    deepest, closed = depth_of(text)
    assert closed
    check_json(text.encode(), deepest)
    with pytest.raises(ParseError):
        check_json(text.encode(), deepest - 1)


@pytest.mark.parametrize("quoted", ['"' + "[" * 5000 + '"', '"\\"' + "{" * 5000 + '"'])
def test_brackets_in_texts_do_not_count(quoted: str) -> None:
    check_json(f"[{quoted}]".encode())
    assert json.loads(f"[{quoted}]")


def test_many_values_are_refused_before_they_are_built() -> None:
    with pytest.raises(ParseError) as caught:
        check_json(b"[" + b"[]," * MAX_VALUES + b"[]]")
    assert caught.value.reason == "too_many_nodes"
    check_json(b"[" + b'",,,,,,,,,,",' * (MAX_VALUES // 4) + b"0]")


def test_a_text_that_is_never_closed_is_read_once() -> None:
    check_json(b'["' + b'\\"[' * 300_000)


def nested(depth: int) -> bytes:
    inside = b"[" * depth + b"]" * depth
    return b'{"WFWorkflowActions": [], "Other": ' + inside + b"}"


PROGRAM = """
import sys
sys.path[:0] = [sys.argv[1]]
sys.setrecursionlimit(int(sys.argv[2]))
from benchloom.core.errors import RejectedInputError
from parsers.definitions.documents import read_document
from parsers.shortcuts import parse_shortcut
from tests.parsers.test_nesting import nested
for read in (lambda data: parse_shortcut(data, "deep.json"), read_document):
    for depth in (150, 198, 199, 200, 201, 398, 399, 400, 401, 5000, 100000):
        try:
            read(nested(depth))
            print(depth, "read")
        except RejectedInputError as error:
            print(depth, error.reason)
"""


def test_no_recursion_limit_decides() -> None:
    root = Path(__file__).resolve().parents[2]
    limits = (600, 20_000)
    answers = {python("-c", PROGRAM, root, limit, cwd=root).stdout for limit in limits}
    assert len(answers) == 1
    lines = answers.pop().split("\n")
    assert lines[6:9] == ["399 read", "400 too_deep", "401 too_deep"]
    assert lines[11:14] == ["150 read", "198 read", "199 read"]
    assert lines[14:16] == ["200 too_deep", "201 too_deep"]


def test_the_bound_is_exact() -> None:
    assert parse_shortcut(nested(MAX_DEPTH - 1), "x").length == 0
    with pytest.raises(ParseError) as caught:
        parse_shortcut(nested(MAX_DEPTH), "x")
    assert caught.value.reason == "too_deep"
