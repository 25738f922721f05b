"""Tests of the right and the published reader of calls: they refuse the same outputs."""

from collections.abc import Callable

import pytest

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import MAX_DEPTH, Plain
from benchloom.evaluate.benchmarks.nestful.calls import MAX_CALLS, Entry, entries_of
from benchloom.evaluate.benchmarks.nestful.published import published_entries

CALL: Plain = {"name": "f", "label": "$var_1", "arguments": {"a": 1}}


def nested(depth: int) -> Plain:
    value: Plain = 1
    for _ in range(depth):
        value = [value]
    return [{"name": "f", "arguments": {"a": value}}]


REFUSED: list[tuple[Plain, str, str]] = [
    ({"name": "f"}, "no_calls", "not a list of calls"),
    (None, "no_calls", "not a list of calls"),
    ([CALL, 3], "no_calls", "a call has no name"),
    ([CALL, {}], "no_calls", "a call has no name"),
    ([{"name": "f", "arguments": [1]}], "no_calls", "the arguments of a call are not an object"),
    ([CALL] * (MAX_CALLS + 1), "too_many_calls", str(MAX_CALLS)),
    (nested(MAX_DEPTH), "too_deep", str(MAX_DEPTH)),
]


@pytest.mark.parametrize("read", [entries_of, published_entries])
@pytest.mark.parametrize(("output", "reason", "message"), REFUSED)
def test_output_that_is_no_list_of_calls_is_refused(
    read: Callable[[Plain], list[Entry]], output: Plain, reason: str, message: str
) -> None:
    with pytest.raises(RejectedInputError, match=message) as refusal:
        read(output)
    assert refusal.value.reason == reason


@pytest.mark.parametrize("read", [entries_of, published_entries])
@pytest.mark.parametrize(
    "output", [[CALL], '[{"name": "f", "label": "$var_1", "arguments": {"a": 1}}]']
)
def test_calls_are_read_from_structures_and_texts(
    read: Callable[[Plain], list[Entry]], output: Plain
) -> None:
    assert read(output) == [Entry("f", {"a": 1}, "$var_1")]
