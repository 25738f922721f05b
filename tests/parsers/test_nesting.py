"""Check the limits of JSON depth and size before decoding, which no interpreter setting changes."""

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
    """Return the maximum bracket depth outside quotes, and whether all brackets are closed.

    Stop at a backslash outside quotes, where every reader stops.
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
def test_depth_counts_brackets_outside_texts(text: str, bound: int) -> None:
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
def test_deeper_nesting_is_never_missed(text: str, bound: int) -> None:
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
        (
            b'["]",' * 300 + b"0" + b',"["]' * 300,
            True,
        ),  # would be balanced if brackets inside texts counted
        (b'["a\\"", "]"]', False),
    ],
)
def test_brackets_inside_texts_hide_no_depth(text: bytes, *, deeper: bool) -> None:
    assert may_nest_deeper(text, 200) is deeper


@given(st.recursive(st.text(max_size=9), lambda v: st.lists(v, max_size=4), max_leaves=30))
@settings(max_examples=samples(100, 300), deadline=None)
def test_depth_limit_is_exact_for_valid_json(value: object) -> None:
    text = json.dumps({'a\\"[': value})
    deepest, closed = depth_of(text)
    assert closed
    check_json(text.encode(), deepest)
    with pytest.raises(ParseError):
        check_json(text.encode(), deepest - 1)


@pytest.mark.parametrize("quoted", ['"' + "[" * 5000 + '"', '"\\"' + "{" * 5000 + '"'])
def test_brackets_inside_texts_add_no_depth(quoted: str) -> None:
    check_json(f"[{quoted}]".encode())
    assert json.loads(f"[{quoted}]")


def test_too_many_values_are_refused_before_decoding() -> None:
    with pytest.raises(ParseError) as caught:
        check_json(b"[" + b"[]," * MAX_VALUES + b"[]]")
    assert caught.value.reason == "too_many_nodes"
    check_json(b"[" + b'",,,,,,,,,,",' * (MAX_VALUES // 4) + b"0]")


def test_unclosed_text_is_read_in_one_pass() -> None:
    check_json(b'["' + b'\\"[' * 300_000)


def nested_json(depth: int) -> bytes:
    inside = b"[" * depth + b"]" * depth
    return b'{"WFWorkflowActions": [], "Other": ' + inside + b"}"


PROGRAM = """
import sys
sys.path[:0] = [sys.argv[1]]
sys.setrecursionlimit(int(sys.argv[2]))
from benchloom.core.errors import RejectedInputError
from parsers.definitions.documents import read_document
from parsers.shortcuts import parse_shortcut
from tests.parsers.test_nesting import nested_json
for read in (lambda data: parse_shortcut(data, "deep.json"), read_document):
    for depth in (150, 198, 199, 200, 201, 398, 399, 400, 401, 5000, 100000):
        try:
            read(nested_json(depth))
            print(depth, "read")
        except RejectedInputError as error:
            print(depth, error.reason)
"""


def test_depth_limit_is_independent_of_the_recursion_limit() -> None:
    root = Path(__file__).resolve().parents[2]
    limits = (600, 20_000)
    answers = {python("-c", PROGRAM, root, limit, cwd=root).stdout for limit in limits}
    assert len(answers) == 1
    lines = answers.pop().split("\n")
    assert lines[6:9] == ["399 read", "400 too_deep", "401 too_deep"]
    assert lines[11:14] == ["150 read", "198 read", "199 read"]
    assert lines[14:16] == ["200 too_deep", "201 too_deep"]


def test_depth_limit_of_shortcuts_is_exact() -> None:
    assert parse_shortcut(nested_json(MAX_DEPTH - 1), "x").length == 0
    with pytest.raises(ParseError) as caught:
        parse_shortcut(nested_json(MAX_DEPTH), "x")
    assert caught.value.reason == "too_deep"
